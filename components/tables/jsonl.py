"""JSON: an object a line, the elements of a list, or one object. Where texts lie deeper than in the fields of
an object, see `nested`.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, cast

from .chat import BEGINNING as CHAT_BEGINNING
from .errors import FileError, RowError
from .lines import BOM, PARQUET, LineSource, read_lines, tell_kind
from .source import Edits, Opener, ReadOptions, Record, Target

# So many lines may be wrong before the file is taken for something else than JSONL.
LOOKED_AT = 10
# What may stand between the cells of a CSV file.
DELIMITERS = ",;\t"
BLANKS = re.compile("[ \\t\\n\\r]*")
SURROGATE = re.compile("[\ud800-\udfff]")
DECODER = json.JSONDecoder()
# How objects stand in a file.
LINES, LIST, ONE = "lines", "list", "one"
# What tells where an element of a list ends; a quote alone begins a string that is not read to its end.
TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|["\[\]{},]', re.DOTALL)
LIST_BEGINNING = re.compile(rb'\[\s*[\[{"\]]')
CHUNK = 1 << 20
# The most bytes of an element of a list, and of a file that is one object: each is held whole.
MAX_DOCUMENT = 1 << 26
CUT = object()


class New(NamedTuple):
    """A value that takes the place of another."""

    value: Any


class JsonRecord(Record):
    """An object of a JSON file.

    data (bytes): It as it stands there; a line with its end.
    before (bytes | None): What stands between it and the element before it; None for a line.
    """

    __slots__ = ("before", "data")

    def __init__(self, position: int, line: int, data: bytes, before: bytes | None = None) -> None:
        super().__init__(position, line, len(data))
        self.data = data
        self.before = before

    def get_text(self) -> str:
        try:
            return self.data.decode("utf8" if self.position else "utf-8-sig")
        except UnicodeDecodeError:
            raise RowError("not UTF-8: convert the file (iconv -f cp1252 -t utf-8)") from None

    def get_values(self) -> dict[str, Any]:
        return self.load(dict)

    def load(self, make_object: Any) -> dict[str, Any]:
        """Read the object.

        make_object (Callable[[list[tuple[str, Any]]], Any]): Makes each object of its fields.
        """
        text = self.get_text()
        try:
            values = json.loads(text, object_pairs_hook=make_object)
        except RowError:
            raise
        except (ValueError, RecursionError):
            raise RowError("not valid JSON") from None
        if not isinstance(values, dict):
            raise RowError("not a JSON object")
        return values

    def edit(self, changes: Mapping[str, Any], dropped: Collection[str] = ()) -> bytes:
        """Write the object with other values. A field that is there twice, of which readers take one, is
        changed twice.
        """
        edits: dict[str | int, Any] = {}
        self.add_edits(edits, changes, dropped)
        return self.write(edits)

    def add_edits(
        self, edits: dict[str | int, Any], changes: Mapping[str, Any], dropped: Collection[str]
    ) -> None:
        """Tell `edit_json` what becomes of the row."""
        edits.update({name: New(value) for name, value in changes.items()})
        edits.update(dict.fromkeys(dropped, CUT))

    def write(self, edits: Mapping[str | int, Any]) -> bytes:
        text = edit_json(self.get_text(), edits)
        return (text if self.before is not None else text.rstrip("\n") + "\n").encode("utf8")


class JsonlSource(LineSource):
    """A file of JSON objects. Blank lines are no rows.

    shape (str): How they stand in it: `LINES`, `LIST`, or `ONE` object that is the whole file.
    head (bytes), tail (bytes): What stands before and behind the elements of a list.
    """

    def __init__(self, open_file: Opener, name: str, options: ReadOptions) -> None:
        super().__init__(open_file, name, options)
        self.paths = options.paths
        self.shift = self.paths.shift if self.paths else 0
        self.head = self.tail = b""

    @cached_property
    def shape(self) -> str:
        with self._open() as file:
            # `_guard` takes any iterator of what is read.
            return next(self._guard(map(self._find_shape, [file])))  # type: ignore[arg-type, return-value]

    def _find_shape(self, file: BinaryIO) -> str:
        head = b""
        while len(head) < 2:
            more = file.read(max(CHUNK, len(BOM)))
            if not more:
                break
            head = (head + more).removeprefix(BOM).strip()
        if LIST_BEGINNING.match(head):
            return LIST
        lines = [line for line in head.split(b"\n") if line.strip()][:LOOKED_AT]
        n_objects = sum(map(_is_object, lines))
        is_one = head.startswith(b"{") and len(lines) > 1 and not _is_object(lines[0])
        return ONE if is_one and 2 * n_objects < len(lines) else LINES

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[Record]:
        records = super().scan(columns)
        if self.shape == ONE:
            return records
        seen: list[Record] = []
        wrong: list[Record] = []
        for record in records:
            seen.append(record)
            if _is_object(record.document.data):
                break
            wrong.append(record)
            if len(wrong) == LOOKED_AT:
                break
        if wrong and len(wrong) == len(seen):
            raise FileError(
                f"{self.name} is not JSONL, one JSON object a line, in UTF-8, such as "
                f'{{"text": "Hej"}}.{_tell_way(wrong[0].document.data)}'
            )
        return chain(seen, records)

    def _iter_records(self, file: BinaryIO, position: int) -> Iterator[Record]:
        read = {LINES: self._iter_lines, LIST: self._iter_elements, ONE: self._read_whole}
        documents = cast(Iterator[JsonRecord], read[self.shape](file, position))
        if self.paths is None:
            return documents
        return chain.from_iterable(map(self.paths.iter_rows, documents))

    def _iter_lines(self, file: BinaryIO, position: int) -> Iterator[JsonRecord]:
        for line, data in enumerate(read_lines(file, self.name), 1):
            if data.strip():
                yield JsonRecord(position, line, data)
            position += len(data)

    def _read_whole(self, file: BinaryIO, position: int) -> Iterator[JsonRecord]:
        data = file.read(MAX_DOCUMENT + 1)
        self._demand_small(len(data), 1)
        start = data.index(b"{")
        head, data, tail = data[:start], data[start:].rstrip(), data[len(data.rstrip()) :]
        first = 1 + head.count(b"\n")
        if not position:
            self.head, self.tail = head, tail
        try:
            json.loads(data)
        except json.JSONDecodeError as error:
            raise FileError(
                f"{self.name} is not JSONL, one JSON object a line, nor one object: it is no JSON in line "
                f"{first - 1 + error.lineno}, column {error.colno}."
            ) from None
        except (ValueError, RecursionError):
            pass  # the row is rejected
        yield JsonRecord(position + start, first, data, b"")

    def _iter_elements(self, file: BinaryIO, position: int) -> Iterator[JsonRecord]:
        """The elements of a list, one at a time in memory. It begins at a list, or at an element."""
        buffer = gap = b""
        depth = 1 if position else 0
        # Where the search goes on in the buffer, and where what is not given yet begins.
        at = start = n = 0
        line = 1
        while True:
            token = TOKEN.search(buffer, at)
            if token is None or token[0] == b'"':
                at = (token.start() if token else len(buffer)) - start
                self._demand_small(len(buffer) - start, line)
                more = file.read(max(CHUNK, len(buffer) - start))
                if not more:
                    raise FileError(f"{self.name} ends before its list does: fetch it again.")
                position, buffer, start = position + start, buffer[start:] + more, 0
                continue
            at = token.end()
            depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(token[0], 0)
            is_end = depth == 0
            if depth == 1 and token[0] == b"[" and not n and not gap:
                gap, line = buffer[:at], 1 + buffer.count(b"\n", 0, at)
                start = at
            elif is_end or (depth == 1 and token[0] == b","):
                raw = buffer[start : token.start()]
                data = raw.strip()
                blank = len(raw) - len(raw.lstrip())
                gap += raw[:blank]
                if data or n or not is_end:
                    if not n:
                        self.head = gap
                    first = line + raw.count(b"\n", 0, blank)
                    yield JsonRecord(position + start + blank, first, data, gap)
                    gap = raw[blank + len(data) :]
                    n += 1
                line += raw.count(b"\n")
                gap += token[0]
                start = at
            if is_end:
                rest = buffer[at:] + file.read(CHUNK)
                if rest.strip():
                    raise FileError(
                        f"{self.name} goes on behind its list: one list, or one object a line, is read."
                    )
                self.tail = gap + rest
                return

    def _demand_small(self, size: int, line: int) -> None:
        if size > MAX_DOCUMENT:
            raise FileError(
                f"{self.name} has an object of over {MAX_DOCUMENT >> 20} MiB, from line {line} on: write "
                "what it holds as elements of a list, or one a line."
            )


class JsonlTarget(Target):
    """A file of JSON objects to write to, with all bytes of the one that is read but the values that
    change. An object is written when all its rows are there.
    """

    def __init__(self, file: BinaryIO, source: JsonlSource, edits: Edits) -> None:
        self._file = file
        self._source = source
        self._dropped = edits.dropped
        self._rows: list[tuple[Record, Mapping[str, Any]]] = []
        self._is_begun = False

    def write(self, record: Record, changes: Mapping[str, Any]) -> None:
        if self._rows and self._rows[0][0].document is not record.document:
            self._write_document()
        self._rows.append((record, changes))
        self.n_rows += 1

    def _write_document(self) -> None:
        document = self._rows[0][0].document
        edits: dict[str | int, Any] = {}
        for record, changes in self._rows:
            record.add_edits(edits, changes, self._dropped)  # type: ignore[attr-defined]
        self._rows = []
        if document.before is not None:
            self._file.write(document.before if self._is_begun else self._source.head)
        self._is_begun = True
        self._file.write(document.write(edits))

    def finish(self) -> None:
        if self._rows:
            self._write_document()
        if not self._is_begun:
            self._file.write(self._source.head)
        self._file.write(self._source.tail)
        self._file.flush()


class Member(NamedTuple):
    """A member of an object, or of a list, by its number; where it and its value begin and end."""

    name: str | int
    value: Any
    start: int
    value_start: int
    end: int


def edit_json(text: str, edits: Mapping[str | int, Any]) -> str:
    """Write an object with other values. All else stays to the byte: numbers, escapes, blanks, order.

    edits (Mapping[str | int, Any]): What becomes of members, by name or number: `New`, `CUT`, or such a
        mapping of members of their own. Those that are not there are added.
    """
    start = _skip(text, 0)
    out = [text[:start]]
    end = _edit(text, start, edits, out)
    return "".join([*out, text[end:]])


def _edit(text: str, at: int, edits: Mapping[str | int, Any], out: list[str]) -> int:
    """Write the object or list that begins there.

    RETURNS (int): Where it ends.
    """
    members = [*_iter_members(text, at)]
    out.append(text[at : members[0].start if members else at + 1])
    written: set[str | int] = set()
    for before, member in zip([None, *members], members):
        edit = edits.get(member.name)
        if edit is CUT:
            continue
        if written and before:
            out.append(text[before.end : member.start])
        written.add(member.name)
        if isinstance(edit, dict):
            out.append(text[member.start : member.value_start])
            _edit(text, member.value_start, edit, out)
        elif isinstance(edit, New) and edit.value != member.value:
            out += text[member.start : member.value_start], dump_json(edit.value)
        else:
            out.append(text[member.start : member.end])
    for name, edit in edits.items():
        if isinstance(edit, New) and name not in written:
            out.append(f"{', ' if written else ''}{dump_json(name)}: {dump_json(edit.value)}")
            written.add(name)
    last = members[-1].end if members else at + 1
    end = _skip(text, last) + 1
    out.append(text[last:end])
    return end


def _iter_members(text: str, at: int) -> Iterator[Member]:
    """The members of the object or list that begins there, which is known to be one."""
    is_object = text[at] == "{"
    at = _skip(text, at + 1)
    number = 0
    while text[at] not in "}]":
        start, name = at, cast(str | int, number)
        if is_object:
            name, at = DECODER.raw_decode(text, start)
            at = _skip(text, _skip(text, at) + 1)
        value, end = DECODER.raw_decode(text, at)
        yield Member(name, value, start, at, end)
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
        number += 1


def _skip(line: str, at: int) -> int:
    """Where the blanks end that begin there."""
    return cast(re.Match, BLANKS.match(line, at)).end()


def dump_json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # Only an escape can keep a lone surrogate.
    return json.dumps(value) if SURROGATE.search(text) else text


def _is_object(line: bytes) -> bool:
    try:
        JsonRecord(0, 1, line).get_values()
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
    if CHAT_BEGINNING.match(text):
        return " If it is a chat log, say so (--in-format chat)."
    delimiter = max(DELIMITERS, key=text.count)
    if delimiter not in text or "\0" in text or text.startswith(("{", "[")):
        return ""
    return " If it is CSV, say so (--in-format csv)."
