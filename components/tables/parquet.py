"""Parquet, by pyarrow. Columns that are not changed are copied with their types, row group by row
group.
"""

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import accumulate, groupby
from typing import Any, BinaryIO

from ..shared.extras import load_extra
from .errors import FileError, RowError
from .source import Edits, Opener, ReadOptions, Record, Source, Target, demand_single, demand_small

EXTRA = "parquet"
# Types of columns that hold no words, numbers or dates.
MUTE = ("time", "duration", "boolean", "binary", "large_binary", "fixed_size_binary", "null")


class ParquetRecord(Record):
    """A row of a row group.

    others (Sequence[str]): Columns of which a cell that cannot be read is left out.
    """

    __slots__ = ("group", "index", "others")

    has_cells = True

    def __init__(
        self, position: int, size: int, group: Any, index: int, others: Sequence[str] = ()
    ) -> None:
        super().__init__(position, position + 1, size)
        self.group = group
        self.index = index
        self.others = others

    def get_values(self) -> dict[str, Any]:
        values = {}
        for name, column in zip(self.group.column_names, self.group.columns):
            try:
                values[name] = _read_cell(column[self.index])
            except UnicodeDecodeError:
                if name not in self.others:
                    raise RowError(f"field {name!r} is not UTF-8") from None
            except (ValueError, OverflowError):
                if name not in self.others:
                    raise RowError(f"field {name!r} holds what Python has no value for") from None
        return values


def _read_cell(scalar: Any) -> Any:
    # Nanoseconds need pandas, and nobody asks for them.
    if str(scalar.type).startswith("timestamp[ns"):
        pyarrow = load_extra("pyarrow", EXTRA)
        scalar = scalar.cast(pyarrow.timestamp("us", scalar.type.tz), safe=False)
    return scalar.as_py()


def _may_tell(type: Any) -> bool:
    """Whether a column holds words, numbers or dates, or lists and structs, which may."""
    types = load_extra("pyarrow.types", EXTRA)
    return not any(getattr(types, f"is_{kind}")(type) for kind in MUTE)


class ParquetSource(Source):
    """A Parquet file.

    options (ReadOptions): The most bytes that its rows may unpack to; with a limit, a row is read at a time.
    """

    counts = "row"

    def __init__(self, open_file: Opener, name: str, options: ReadOptions) -> None:
        self._open_file = open_file
        self.name = name
        self.limit = options.limit
        parquet = load_extra("pyarrow.parquet", EXTRA)
        self._errors = (load_extra("pyarrow", EXTRA).ArrowException, OSError)
        self._make_file = parquet.ParquetFile
        self._file: BinaryIO | None = None
        table = self._open()
        metadata = table.metadata
        self.schema = table.schema_arrow
        self.columns = list(self.schema.names)
        self.others = [field.name for field in self.schema if _may_tell(field.type)]
        demand_single(self.columns, name)
        self.codec = "SNAPPY"
        if metadata.num_row_groups and metadata.num_columns:
            codec = metadata.row_group(0).column(0).compression
            # pyarrow reads the one name and writes by the other.
            self.codec = "NONE" if codec == "UNCOMPRESSED" else codec
        groups = [metadata.row_group(n) for n in range(metadata.num_row_groups)]
        for group in groups:
            demand_small(group.total_byte_size, self.limit, name)
        self._ends = [*accumulate(group.num_rows for group in groups)]
        self.n_rows = self._get_start(len(groups))
        self.group_rows = max((group.num_rows for group in groups), default=0)
        # The row group that was read last, by the columns that were wanted.
        self._held: dict[tuple[str, ...] | None, tuple[int, Any]] = {}

    def _open(self) -> Any:
        if self._file is None:
            file = self._open_file()
            try:
                self._table = self._make_file(file)
            except self._errors:
                file.close()
                raise FileError(
                    f"{self.name} is no whole Parquet file: name it by what it is, or fetch it again."
                ) from None
            self._file = file
        return self._table

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = self._table = None
        self._held.clear()

    def _read_group(self, n: int, columns: Sequence[str] | None) -> Any:
        wanted = None if columns is None else tuple(columns)
        held, group = self._held.pop(wanted, (-1, None))
        if held != n:
            group = None  # not two of them in memory
            table = self._open()
            try:
                group = self._unpack(table, n, None if wanted is None else [*wanted])
            except self._errors:
                raise FileError(
                    f"{self.name} cannot be read in its row group {n + 1}: fetch it again."
                ) from None
            group = group.combine_chunks()
        self._held[wanted] = n, group
        return group

    def _unpack(self, table: Any, n: int, columns: list[str] | None) -> Any:
        if not self.limit:
            return table.read_row_group(n, columns=columns)
        batches: list[Any] = []
        n_bytes = 0
        # Rows that share a value take little room until they are read.
        for batch in table.iter_batches(1, row_groups=[n], columns=columns):
            n_bytes += batch.nbytes
            demand_small(n_bytes, self.limit, self.name)
            batches.append(batch)
        pyarrow = load_extra("pyarrow", EXTRA)
        return pyarrow.Table.from_batches(batches, None if batches else self.schema)

    def _get_start(self, n: int) -> int:
        return self._ends[n - 1] if n else 0

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[Record]:
        for n in range(len(self._ends)):
            start = self._get_start(n)
            group = self._read_group(n, columns)
            size = group.nbytes // max(1, group.num_rows)
            for index in range(group.num_rows):
                yield ParquetRecord(start + index, size, group, index)

    def read(
        self,
        positions: Sequence[int],
        columns: Sequence[str] | None = None,
        others: Sequence[str] = (),
    ) -> Iterator[Record]:
        columns = None if columns is None else [*columns, *others]
        for n, found in groupby(positions, self._find_group):
            start = self._get_start(n)
            group = self._read_group(n, columns)
            for position in found:
                yield ParquetRecord(position, 0, group, position - start, others)

    def _find_group(self, position: int) -> int:
        return bisect_right(self._ends, position)


class ParquetTarget(Target):
    """A Parquet file to write to, with the row groups and the codec of the one that was read.

    edits (Edits): What becomes of its columns. Those that come to it are of strings.
    """

    def __init__(self, file: BinaryIO, source: ParquetSource, edits: Edits) -> None:
        self._pyarrow = load_extra("pyarrow", EXTRA)
        parquet = load_extra("pyarrow.parquet", EXTRA)
        schema = source.schema
        for name in edits.dropped:
            schema = schema.remove(schema.get_field_index(name))
        for name in edits.texts:
            schema = self._make_room(schema, schema.get_field_index(name), source.group_rows)
        for name in edits.added:
            schema = schema.append(self._pyarrow.field(name, self._pyarrow.string()))
        self._schema = schema
        self._writer = parquet.ParquetWriter(file, schema, compression=source.codec)
        self._group: Any = None
        self._indices: list[int] = []
        self._changes: list[Mapping[str, Any]] = []

    def _make_room(self, schema: Any, n: int, n_rows: int) -> Any:
        """Let the indices of a dictionary reach as far as there are rows, as surrogates may be more than
        the words that they stand for.
        """
        type = schema.field(n).type
        if not self._pyarrow.types.is_dictionary(type) or n_rows < 2 ** (
            type.index_type.bit_width - 1
        ):
            return schema
        wide = self._pyarrow.dictionary(self._pyarrow.int32(), type.value_type, type.ordered)
        return schema.set(n, schema.field(n).with_type(wide))

    def write(self, record: Record, changes: Mapping[str, Any]) -> None:
        assert isinstance(record, ParquetRecord)
        if record.group is not self._group:
            self._write_group()
            self._group = record.group
        self._indices.append(record.index)
        self._changes.append(changes)
        self.n_rows += 1

    def _write_group(self) -> None:
        if self._indices:
            # Not `take`, which some types lack.
            rows = self._pyarrow.concat_tables(
                self._group.slice(first, length) for first, length in find_runs(self._indices)
            )
            changed = {name for changes in self._changes for name in changes}
            columns = [
                self._change(rows, field) if field.name in changed else self._keep(rows, field)
                for field in self._schema
            ]
            self._writer.write_table(
                self._pyarrow.Table.from_arrays(columns, schema=self._schema),
                row_group_size=len(self._indices),
            )
        self._indices, self._changes = [], []

    def _keep(self, rows: Any, field: Any) -> Any:
        if field.name in rows.column_names:
            return rows[field.name]
        return self._pyarrow.nulls(len(rows), field.type)

    def _change(self, rows: Any, field: Any) -> Any:
        if field.name in rows.column_names:
            old = rows[field.name].to_pylist()
        else:
            old = [None] * len(self._changes)
        type = self._get_plain(field.type)
        if self._pyarrow.types.is_timestamp(type):
            return self._move(rows[field.name], type, field.name)
        values = [
            _fit(changes[field.name], value) if field.name in changes else value
            for changes, value in zip(self._changes, old)
        ]
        array = self._pyarrow.array(values, type=type)
        if self._pyarrow.types.is_dictionary(field.type):
            array = array.dictionary_encode().cast(field.type)
        return array

    def _move(self, column: Any, type: Any, name: str) -> Any:
        """Move times, to the nanosecond."""
        compute = load_extra("pyarrow.compute", EXTRA)
        steps = []
        for old, changes in zip(column, self._changes):
            new = changes.get(name)
            steps.append(datetime.fromisoformat(new) - _read_cell(old) if new else timedelta(0))
        return compute.add(column, self._pyarrow.array(steps, self._pyarrow.duration(type.unit)))

    def _get_plain(self, type: Any) -> Any:
        return type.value_type if self._pyarrow.types.is_dictionary(type) else type

    def finish(self) -> None:
        self._write_group()
        self._writer.close()


def find_runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The first of those that follow on each other, and how many they are."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and sum(runs[-1]) == number:
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((number, 1))
    return runs


def _fit(value: Any, old: Any) -> Any:
    """A new value, as the column takes it."""
    if isinstance(old, date):
        return date.fromisoformat(value)
    if isinstance(old, (int, float, Decimal)):
        return type(old)(value)
    is_string = value is None or isinstance(value, str)
    return value if is_string else json.dumps(value, ensure_ascii=False)
