"""Cleaning of single characters. The tables are those of the folding, which every text goes
through.
"""

import unicodedata
from collections.abc import Callable, Mapping

from ..folding import LAST, LOOK_ALIKES, TABLE, fold_look_alikes
from .edits import Edit

# Ends of lines and paragraphs are control characters, too.
CONTROLS = ("Cc", "Zl", "Zp")


def _is_control(char: str) -> bool:
    return unicodedata.category(char) in CONTROLS


def _choose(wanted: Callable[[str, str], bool]) -> dict[str, str]:
    return {
        char: new for code, new in TABLE.items() if wanted(char := chr(code), new) and char != "\t"
    }


CONTROL = _choose(lambda char, new: _is_control(char))
INVISIBLE = _choose(lambda char, new: not _is_control(char) and not new.strip())
# Dashes stay what they are: a date is written with the dash that it had.
ALIKE = _choose(lambda char, new: not _is_control(char) and bool(new.strip()) and new != "-")


ALIKES = ALIKE.keys() | set(map(chr, LOOK_ALIKES))

# What may be something else in NFC, or make one character with what stands before it: marks, parts
# of Korean syllables, signs for letters.
DECOMPOSED = tuple(
    char
    for char in map(chr, range(0x300, LAST))
    if unicodedata.category(char)[0] == "M"
    or "\u1161" <= char <= "\u11c2"
    or not unicodedata.is_normalized("NFC", char)
)


def find_controls(text: str) -> list[Edit]:
    """Control characters but tabs: they go, ends of lines become `\\n`."""
    return _find(text, CONTROL)


def _find(text: str, table: Mapping[str, str]) -> list[Edit]:
    if table.keys().isdisjoint(text):
        return []
    return [Edit(i, i + 1, table[char]) for i, char in enumerate(text) if char in table]


def find_invisible(text: str) -> list[Edit]:
    """What cannot be seen, which goes, and odd blanks, which become blanks."""
    return _find(text, INVISIBLE)


def find_look_alikes(text: str) -> list[Edit]:
    """Odd digits and letters as plain ones; other scripts only in words with Latin letters."""
    if ALIKES.isdisjoint(text):
        return []
    plain = fold_look_alikes("".join(ALIKE.get(char, char) for char in text))
    return [Edit(i, i + 1, new) for i, (old, new) in enumerate(zip(text, plain)) if old != new]


def find_decomposed(text: str) -> list[Edit]:
    """Find what is one character in NFC. Compatibility forms stay: `m²` is no `m2`."""
    if unicodedata.is_normalized("NFC", text):
        return []
    edits: list[Edit] = []
    before, start = "", 0
    for i, char in enumerate(text):
        composed = unicodedata.normalize("NFC", before + char) if before else ""
        if len(composed) == 1:
            if edits and edits[-1].start == start:
                edits.pop()
            edits.append(Edit(start, i + 1, composed))
            before = composed
            continue
        before, start = unicodedata.normalize("NFC", char), i
        if before != char and len(before) == 1:
            edits.append(Edit(i, i + 1, before))
    return edits
