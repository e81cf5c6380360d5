"""A hit of a value, and how sure it is."""

from typing import NamedTuple

# How sure a hit is. EXACT: the value itself, capitalised, as several words or where a name is
# expected. WORD: one word in lower case, which may be an ordinary word. TYPO: with typing errors.
EXACT, WORD, TYPO = "exact", "word", "typo"
# COMPOUND: a longer word that begins with the value. INITIALS: letters that stand for a name.
COMPOUND, INITIALS = "compound", "initials"


class Hit(NamedTuple):
    """A stretch of characters that is one of the values."""

    start: int
    end: int
    label: str
    kind: str
