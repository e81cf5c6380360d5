"""JSONL: one JSON object a line."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, cast

from .errors import FileError, RowError
from .lines import PARQUET, LineSource, read_lines, tell_kind
from .source import Edits, Record, Target

# So many lines may be wrong before the file is taken for something else than JSONL.
LOOKED_AT = 10
# What may stand between the cells of a CSV file.
DELIMITERS = ",;\t"
BLANKS = re.compile("[ \\t\\n\\r]*")
SURROGATE = re.compile("[\ud800-\udfff]")
DECODER = json.JSONDecoder()


class JsonRecord(Record):
    """A line of JSON."""

    __slots__ = ("data",)

    def __init__(self, position: int, line: int, data: bytes) -> None:
        super().__init__(position, line, len(data))
        self.data = data

    def _get_line(self) -> str:
        try:
            return self.data.decode("utf8" if self.position else "utf-8-sig")
        except UnicodeDecodeError:
            raise RowError("not UTF-8: convert the file (iconv -f cp1252 -t utf-8)") from None

    def get_values(self) -> dict[str, Any]:
        line = self._get_line()
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            raise RowError("not valid JSON") from None
        if not isinstance(values, dict):
            raise RowError("not a JSON object")
        return values

    def edit(self, changes: Mapping[str, Any], dropped: Collection[str] = ()) -> bytes:
        """Write the row with other values. All else of its line stays to the byte: numbers,
        escapes, blanks, order. A field that is there twice, of which readers take one, is changed
        twice.
        """
        line = self._get_line()
        fields = [*_iter_fields(line)]
        first = fields[0].start if fields else line.index("{") + 1
        out = [line[:first]]
        written: set[str] = set()
        for before, field in zip([None, *fields], fields):
            if field.name in dropped:
                continue
            if written and before:
                out.append(line[before.end : field.start])
            written.add(field.name)
            if field.name in changes and changes[field.name] != field.value:
                out += line[field.start : field.value_start], _dump(changes[field.name])
            else:
                out.append(line[field.start : field.end])
        for name in changes:
            if name not in written:
                out.append(f"{', ' if written else ''}{_dump(name)}: {_dump(changes[name])}")
                written.add(name)
        out.append(line[fields[-1].end if fields else first :].rstrip("\n") + "\n")
        return "".join(out).encode("utf8")


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
        for line, data in enumerate(read_lines(file, self.name), 1):
            if data.strip():
                yield JsonRecord(position, line, data)
            position += len(data)


class JsonlTarget(Target):
    """A JSONL file to write to."""

    def __init__(self, file: BinaryIO, source: JsonlSource, edits: Edits) -> None:
        self._file = file
        self._dropped = edits.dropped

    def write(self, record: Record, changes: Mapping[str, Any]) -> None:
        assert isinstance(record, JsonRecord)
        self._file.write(record.edit(changes, self._dropped))
        self.n_rows += 1

    def finish(self) -> None:
        self._file.flush()


class Field(NamedTuple):
    """A field of a line, and where it and its value begin and end."""

    name: str
    value: Any
    start: int
    value_start: int
    end: int


def _iter_fields(line: str) -> Iterator[Field]:
    """The fields of a JSON object, which is known to be one."""
    at = line.index("{") + 1
    while True:
        start = _skip(line, at)
        if line[start] == "}":
            return
        name, at = DECODER.raw_decode(line, start)
        value_start = _skip(line, _skip(line, at) + 1)
        value, at = DECODER.raw_decode(line, value_start)
        yield Field(name, value, start, value_start, at)
        at = _skip(line, at)
        if line[at] == "}":
            return
        at += 1


def _skip(line: str, at: int) -> int:
    """Where the blanks end that begin there."""
    return cast(re.Match, BLANKS.match(line, at)).end()


def _dump(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # Only an escape can keep a lone surrogate.
    return json.dumps(value) if SURROGATE.search(text) else text


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
