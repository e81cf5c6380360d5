"""Letters and the accents behind them, as one character (Unicode, NFC)."""

import unicodedata

from ..folding import LAST
from .edits import Edit

# What may be something else in NFC, or make one character with what stands before it: marks, parts
# of Korean syllables, signs for letters.
DECOMPOSED = tuple(
    char
    for char in map(chr, range(0x300, LAST))
    if unicodedata.category(char)[0] == "M"
    or "\u1161" <= char <= "\u11c2"
    or not unicodedata.is_normalized("NFC", char)
)


def find_decomposed(text: str) -> list[Edit]:
    """Find what is one character in the normal form NFC. What would be several characters there,
    other than before, stays as it is; so do compatibility forms: `m²` is no `m2`.
    """
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
