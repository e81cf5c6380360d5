"""What became of a message, cut into pieces to be shown. All of it is PHI."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, NamedTuple

WORDS = re.compile(r"\w+|\s+|[^\w\s]")
# The class of what differs where nobody says what was replaced.
CHANGED = "CHANGED"
# What would do something to the screen instead of being shown: controls but for tab and line feed,
# and those that turn the direction of what follows (CVE-2021-42574).
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
PICTURES = 0x2400  # Unicode's pictures of the ASCII controls
UNKNOWN = "\ufffd"


class Piece(NamedTuple):
    """A piece of a text.

    text (str): The piece, as it can be shown.
    label (str): Its class, "" of what stands between.
    kept (bool): Whether it was found and stayed as it is.
    """

    text: str
    label: str = ""
    kept: bool = False


# Errors and logs quote what things are shown as: this is shown on purpose alone.
@dataclass(frozen=True, repr=False)
class Change:
    """A message before and after.

    replacements (Sequence[Mapping[str, Any]] | None): What was replaced, `doc._.replacements`; None
        where that is not known any more: then the words that differ are shown.
    name (str): What it is called where it is shown, such as its column.
    """

    text: str
    deidentified: str
    replacements: Sequence[Mapping[str, Any]] | None = None
    name: str = ""

    @property
    def before(self) -> list[Piece]:
        """RETURNS (list[Piece]): The original, in pieces."""
        return _cut(self.text, self._entries, "start", "end")

    @property
    def after(self) -> list[Piece]:
        """RETURNS (list[Piece]): What it became, in pieces."""
        return _cut(self.deidentified, self._entries, "out_start", "out_end")

    @property
    def pairs(self) -> list[tuple[Piece, Piece]]:
        """RETURNS (list[tuple[Piece, Piece]]): What was found, before and after, in order."""
        return [
            (
                _make_piece(self.text[entry["start"] : entry["end"]], entry),
                _make_piece(self.deidentified[entry["out_start"] : entry["out_end"]], entry),
            )
            for entry in self._entries
        ]

    @property
    def _entries(self) -> Sequence[Mapping[str, Any]]:
        if self.replacements is None:
            return [*_compare(self.text, self.deidentified)]
        return self.replacements


def _cut(
    text: str, entries: Sequence[Mapping[str, Any]], start_name: str, end_name: str
) -> list[Piece]:
    pieces = []
    position = 0
    for entry in entries:
        start, end = entry[start_name], entry[end_name]
        pieces += [Piece(make_visible(text[position:start])), _make_piece(text[start:end], entry)]
        position = end
    pieces.append(Piece(make_visible(text[position:])))
    return [piece for piece in pieces if piece.text]


def _make_piece(text: str, entry: Mapping[str, Any]) -> Piece:
    return Piece(make_visible(text), entry["label"], bool(entry.get("kept")))


def _compare(text: str, deidentified: str) -> Iterator[dict[str, Any]]:
    old, new = (WORDS.findall(each) for each in (text, deidentified))
    ends = [[*accumulate(map(len, words), initial=0)] for words in (old, new)]
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            place = {"start": ends[0][i], "end": ends[0][j]}
            yield {**place, "out_start": ends[1][k], "out_end": ends[1][m], "label": CHANGED}


def fit_terminal(text: str) -> str:
    """A text as standard output can show it: what its encoding lacks is replaced."""
    encoding = sys.stdout.encoding or "utf8"
    return text.encode(encoding, "replace").decode(encoding)


def make_visible(text: str) -> str:
    """text (str): A piece of a message.
    RETURNS (str): The same as it can be shown: controls are drawn, line ends are of one kind.
    """
    return CONTROLS.sub(_draw_control, text.replace("\r\n", "\n"))


def _draw_control(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(PICTURES + code) if code < 0x20 else UNKNOWN
