"""JSONL: one JSON object a line."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, BinaryIO

from .errors import FileError, RowError
from .lines import PARQUET, LineSource, tell_kind
from .source import Record, Target

# So many lines may be wrong before the file is taken for something else than JSONL.
LOOKED_AT = 10
# What may stand between the cells of a CSV file.
DELIMITERS = ",;\t"


class JsonRecord(Record):
    """A line of JSON.

    data (bytes): The line.
    """

    __slots__ = ("data",)

    def __init__(self, position: int, line: int, data: bytes) -> None:
        super().__init__(position, line, len(data))
        self.data = data

    def get_values(self) -> dict[str, Any]:
        try:
            values = json.loads(self.data.decode("utf8" if self.position else "utf-8-sig"))
        except UnicodeDecodeError:
            raise RowError("not UTF-8") from None
        except (ValueError, RecursionError):
            raise RowError("not valid JSON") from None
        if not isinstance(values, dict):
            raise RowError("not a JSON object")
        return values


class JsonlSource(LineSource):
    """A JSONL file. Blank lines are no rows."""

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[Record]:
        records = super().scan(columns)
        seen: list[Record] = []
        wrong: list[JsonRecord] = []
        for record in records:
            seen.append(record)
            if not isinstance(record, JsonRecord) or _is_object(record):
                break
            wrong.append(record)
            if len(wrong) == LOOKED_AT:
                break
        if wrong and len(wrong) == len(seen):
            raise FileError(
                f"{self.name} is not JSONL, one JSON object a line, in UTF-8, such as "
                f'{{"text": "Hej"}}.{_tell_way(wrong[0].data)}'
            )
        return chain(seen, records)

    def _iter_records(self, file: BinaryIO, position: int) -> Iterator[Record]:
        for line, data in enumerate(file, 1):
            if data.strip():
                yield JsonRecord(position, line, data)
            position += len(data)


class JsonlTarget(Target):
    """A JSONL file to write to.

    file (BinaryIO): The file.
    dropped (Sequence[str]): Fields that are left out.
    """

    def __init__(self, file: BinaryIO, dropped: Sequence[str] = ()) -> None:
        self._file = file
        self._dropped = dropped

    def write(self, record: Record, changes: Mapping[str, Any]) -> None:
        values = record.get_values()
        for name in self._dropped:
            values.pop(name, None)
        self._file.write(dump_line({**values, **changes}))
        self.n_rows += 1

    def finish(self) -> None:
        self._file.flush()


def dump_line(values: Mapping[str, Any]) -> bytes:
    """Write a row as a line.

    values (Mapping[str, Any]): The row.
    RETURNS (bytes): A line of JSON.
    """
    try:
        return json.dumps(values, ensure_ascii=False).encode("utf8") + b"\n"
    except UnicodeEncodeError:
        # Another field holds a lone surrogate, which only an escape can keep.
        return json.dumps(values).encode("ascii") + b"\n"


def _is_object(record: JsonRecord) -> bool:
    try:
        record.get_values()
    except RowError:
        return False
    return True


def _tell_way(line: bytes) -> str:
    """What to do if a file that begins with this line is another kind of table."""
    kind = tell_kind(line)
    if kind == PARQUET:
        return " It is Parquet: say so (--in-format parquet)."
    if kind:
        return f" It is {kind}: name it so."
    text = line.decode("utf-8-sig", "replace")
    delimiter = max(DELIMITERS, key=text.count)
    if delimiter not in text or "\0" in text or text.startswith(("{", "[")):
        return ""
    return " If it is CSV, say so (--in-format csv)."
