"""Chat logs as plain text, a message a line: `2024-05-03 10:12 Anna: Hej`. Lines that do not begin so belong to
the message before them.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Any, BinaryIO

from .errors import RowError
from .lines import LineSource, read_lines
from .source import Edits, Record, Target

TIME, AUTHOR, TEXT = COLUMNS = ("time", "author", "text")
# As messengers write it: [2024-05-03, 10:12:30] Anna: …, 2024-05-03 10:12 - Anna: …
BEGINNING = re.compile(
    r"\ufeff?\[?(?P<time>(?:\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{2,4})?(?:, |[T ])?\d\d?[:.]\d\d(?:[:.]\d\d)?)\]?"
    r"(?: -)? (?P<author>[^:\n]{1,80}): ?"
)
MESSAGE = re.compile(rf"(?:{BEGINNING.pattern})?(?P<text>.*?)(?:\r?\n)?", re.DOTALL)
# So many bytes of a file tell one conversation from others.
BEGIN = 1 << 16


class ChatRecord(Record):
    """A message, with the lines that belong to it."""

    __slots__ = ("conversation", "data")

    def __init__(self, position: int, line: int, data: bytes, conversation: str) -> None:
        super().__init__(position, line, len(data))
        self.data = data
        self.conversation = conversation

    def _match(self) -> re.Match[str]:
        try:
            match = MESSAGE.fullmatch(self.data.decode("utf8"))
        except UnicodeDecodeError:
            raise RowError("not UTF-8: convert the file (iconv -f cp1252 -t utf-8)") from None
        assert match is not None
        return match

    def get_values(self) -> dict[str, Any]:
        return self._match().groupdict()

    def edit(self, values: Mapping[str, Any]) -> bytes:
        match = self._match()
        out: list[str] = []
        end = 0
        for name in COLUMNS:
            if name in values and match[name] is not None:
                out += match.string[end : match.start(name)], values[name] or ""
                end = match.end(name)
        return "".join([*out, match.string[end:]]).encode("utf8")


class ChatSource(LineSource):
    """A chat log: one conversation."""

    columns = COLUMNS

    @cached_property
    def conversation(self) -> str:
        """RETURNS (str): An id for it."""
        with self._open() as file:
            return blake2b(file.read(BEGIN), digest_size=16).hexdigest()

    def _iter_records(self, file: BinaryIO, position: int) -> Iterator[Record]:
        held: list[bytes] = []
        first = 1
        for line, data in enumerate(read_lines(file, self.name), 1):
            if held and BEGINNING.match(data.decode("utf8", "replace")):
                record = ChatRecord(position, first, b"".join(held), self.conversation)
                yield record
                position, first, held = position + record.size, line, []
            held.append(data)
        if held:
            yield ChatRecord(position, first, b"".join(held), self.conversation)


class ChatTarget(Target):
    """A chat log to write to."""

    def __init__(self, file: BinaryIO, source: ChatSource, edits: Edits) -> None:
        self._file = file
        self._dropped = dict.fromkeys(edits.dropped)

    def write(self, record: Record, changes: Mapping[str, Any]) -> None:
        assert isinstance(record, ChatRecord)
        self._file.write(record.edit({**self._dropped, **changes}))
        self.n_rows += 1

    def finish(self) -> None:
        self._file.flush()
