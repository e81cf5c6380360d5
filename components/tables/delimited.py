"""CSV and TSV. What is read may be of any dialect; what is written is of the same."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, BinaryIO

from ..text.spreadsheet import neutralise
from .encodings import BASE_LETTERS, UTF_8, find_encoding
from .errors import FileError, RowError
from .lines import BOM, LineSource, read_lines, tell_kind
from .source import Edits, Opener, ReadOptions, Record, Target, demand_single

DELIMITERS = (",", ";", "\t", "|")
LINE_END = "\r\n"
SEPARATOR = re.compile(r"\ufeff?((\"?)sep=([^\r\n\"])\2)\r?\n", re.IGNORECASE)
# Rows that are looked at to find out what stands between cells.
LOOKED_AT = 100
# The most characters of a cell; a longer one is a quote that is not closed.
MAX_CELL = 50_000_000
UNREADABLE = "not {}: name its encoding (--encoding)"
WIDE = (b"\xff\xfe", b"\xfe\xff")


class CsvRecord(Record):
    """A row of cells.

    cells (Sequence[str] | str): The cells; a string that tells why they cannot be read.
    """

    __slots__ = ("cells", "columns")

    def __init__(
        self, position: int, line: int, size: int, columns: Sequence[str], cells: list[str] | str
    ) -> None:
        super().__init__(position, line, size)
        self.columns = columns
        self.cells = cells

    def get_values(self) -> dict[str, Any]:
        if isinstance(self.cells, str):
            raise RowError(self.cells)
        if len(self.cells) != len(self.columns):
            raise RowError(f"{len(self.cells)} cells, the first row has {len(self.columns)}")
        return dict(zip(self.columns, self.cells))


class CsvSource(LineSource):
    """A CSV file. Its delimiter is found out, and whether quotes are doubled or escaped by a backslash.
    Empty lines are no rows, nor is the line `sep=;` of a spreadsheet.
    """

    def __init__(self, open_file: Opener, name: str, options: ReadOptions) -> None:
        super().__init__(open_file, name, options)
        csv.field_size_limit(MAX_CELL)
        with self._open() as file:
            lines = self._guard_lines(file)
            first = [*islice(lines, LOOKED_AT)]
            head = b"".join(first)
            self._demand_text(head)
            self.encoding = options.encoding or find_encoding(chain(first, lines), name)
        self.has_mark = head.startswith(BOM) and self.encoding == UTF_8
        self.has_header = options.has_header
        text = head.decode(self.encoding, "replace")
        # The line in which a spreadsheet tells what stands between cells.
        found = SEPARATOR.match(text)
        self.separator = found[1] if found else ""
        text = text[found.end() :] if found else text
        self.dialect = find_dialect(text, options.delimiter or (found[3] if found else ""))
        self.line_end, self.style = find_style(text, self.dialect)
        first_row = self._read_header(head)
        self.columns = (
            first_row
            if self.has_header
            else [str(number) for number in range(1, len(first_row) + 1)]
        )
        demand_single(self.columns, name)

    def _demand_text(self, head: bytes) -> None:
        if head.startswith(WIDE) or b"\0" in head[:2]:
            raise FileError(
                f"{self.name} is in UTF-16: save it as CSV in UTF-8, or convert it (iconv -f utf-16 -t "
                "utf-8)."
            )
        if kind := tell_kind(head):
            raise FileError(f"{self.name} is not CSV, it is {kind}: name it so.")

    def _read_header(self, head: bytes) -> list[str]:
        for record in islice(self._iter_records(io.BytesIO(head), 0), bool(self.separator), None):
            if record.cells == UNREADABLE.format(self.encoding.upper()):
                raise FileError(f"{self.name} is {record.cells}.")
            if isinstance(record.cells, str):
                raise FileError(f"{self.name} has no header that can be read: {record.cells}.")
            return record.cells
        raise FileError(f"{self.name} is empty: it needs a header, the names of its columns.")

    def _guard_lines(self, file: BinaryIO) -> Iterator[bytes]:
        # `_guard` takes any iterator of what is read.
        yield from self._guard(read_lines(file, self.name))  # type: ignore[arg-type, misc]

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[Record]:
        return islice(super().scan(columns), bool(self.separator) + bool(self.has_header), None)

    def _iter_records(self, file: BinaryIO, position: int) -> Iterator["CsvRecord"]:
        lines = _Lines(read_lines(file, self.name), self.encoding, has_mark=not position)
        reader = csv.reader(lines, strict=True, **self.dialect)
        line = 1
        while True:
            lines.problem = ""
            before = lines.size
            cells: list[str] | str
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error:
                # It may take other rows with it: nobody can tell where a quote was to end.
                cells = (
                    "not CSV: a quote stands where none can or is not closed, or a CR ends no line"
                )
                if lines.count > line:
                    cells += f"; {lines.count - line} lines that follow are part of it"
            cells = lines.problem or cells
            size = lines.size - before
            if cells:
                yield CsvRecord(position, line, size, self.columns or (), cells)
            position += size
            line = lines.count + 1


class _Lines:
    """Lines as text, counted."""

    def __init__(self, lines: Iterator[bytes], encoding: str, has_mark: bool) -> None:
        self._lines = lines
        self._encoding = encoding
        # Whether a mark of the order of bytes may come.
        self._has_mark = has_mark
        self.size = self.count = 0
        # Why a line since this was set to nothing is no text.
        self.problem = ""

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        data = next(self._lines)
        self.size += len(data)
        self.count += 1
        if self._has_mark:
            data, self._has_mark = data.removeprefix(BOM), False
        if b"\0" in data:
            # Not every version of Python reads it.
            self.problem, data = "not CSV: it holds a NUL", data.replace(b"\0", b"")
        try:
            return data.decode(self._encoding)
        except UnicodeDecodeError:
            self.problem = UNREADABLE.format(self._encoding.upper())
            return data.decode(self._encoding, "replace")


class CsvTarget(Target):
    """A CSV file to write to, in the dialect and the encoding of the one that is read. A letter that the
    encoding lacks loses its accent.
    """

    def __init__(self, file: BinaryIO, source: CsvSource, edits: Edits) -> None:
        self._finish_cell = neutralise if edits.no_formulas else str
        kept = [name for name in source.columns or () if name not in edits.dropped]
        self._columns = [*kept, *edits.added]
        options = {**source.dialect, **source.style}
        options["delimiter"] = edits.delimiter or options["delimiter"]
        if source.has_mark:
            file.write(BOM)
        rows = _Rows(file, source.encoding, source.line_end)
        self._writer = csv.writer(rows, lineterminator=LINE_END, **options)
        if source.separator:
            line = source.separator.replace(source.dialect["delimiter"], options["delimiter"])
            rows.write(f"{line}{LINE_END}")
        if source.has_header:
            self._writer.writerow(self._columns)

    def write(self, record: Record, changes: Mapping[str, Any]) -> None:
        values = {**record.get_values(), **changes}
        cells = (_write_cell(values.get(name)) for name in self._columns)
        self._writer.writerow([self._finish_cell(cell) for cell in cells])
        self.n_rows += 1

    def finish(self) -> None:
        """Nothing is held."""


class _Rows:
    """Takes rows for a file of bytes, and does not close it, as `io.TextIOWrapper` does. Only where a row
    ends with CR and LF does every version of Python put cells with either in quotes.
    """

    def __init__(self, file: BinaryIO, encoding: str, line_end: str) -> None:
        self._file = file
        self._encoding = encoding
        self._line_end = line_end
        self._errors = "strict" if encoding == UTF_8 else BASE_LETTERS

    def write(self, row: str) -> int:
        text = row.removesuffix(LINE_END) + self._line_end
        return self._file.write(text.encode(self._encoding, self._errors))


def _write_cell(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def find_dialect(text: str, delimiter: str = "") -> dict[str, Any]:
    """Find out what stands between the cells of a table, and how quotes in cells are written."""
    text = text.removeprefix("\ufeff")
    # Read so, quotes in wrong places are no errors: only where there is reason to.
    escaped = [{"doublequote": False, "escapechar": "\\"}] if '\\"' in text else []
    dialects: list[dict[str, Any]] = [
        {"delimiter": sign, **more}
        for sign in ([delimiter] if delimiter else DELIMITERS)
        for more in ({}, *escaped)
    ]
    return max(dialects, key=lambda dialect: _rate(text, dialect))


def find_style(text: str, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Find out how a table ends its lines, and whether all its cells are in quotes."""
    text = text.removeprefix("\ufeff").lstrip("\r\n")
    lines = [*io.StringIO(text, newline="")]
    reader = csv.reader(lines, **options)
    quoted = io.StringIO()
    try:
        rows = [next(reader)]
        ends = lines[reader.line_num - 1].endswith(LINE_END) or "\n" not in text
        line_end = LINE_END if ends else "\n"
        rows += reader
        # The last row may be cut off.
        csv.writer(quoted, lineterminator=line_end, quoting=csv.QUOTE_ALL, **options).writerows(
            rows[:-1] or rows
        )
    except (csv.Error, StopIteration):
        return LINE_END, {}
    has_quotes = text.startswith(quoted.getvalue().rstrip("\r\n"))
    return line_end, {"quoting": csv.QUOTE_ALL} if has_quotes else {}


def _rate(text: str, options: Mapping[str, Any]) -> float:
    """How well a dialect fits: the share of rows that can be read and have as many cells as the header,
    and a little for every cell.
    """
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, **options)
    widths: list[int] = []
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error:
            widths.append(0)
        else:
            widths += [len(cells)] if cells else []
    if not widths or not widths[0]:
        return -1.0
    fit = widths.count(widths[0]) / len(widths)
    return fit * (1 if widths[0] > 1 else 0.5) + min(widths[0], 50) / 1000
