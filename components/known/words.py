"""The words of a text, folded, and the hits among them."""

import re
from typing import NamedTuple

from ..shared.words import read_words
from ..text.casing import fold

# Words that tell of names, initials and values.
WORDS = read_words(__file__, "known.txt")
TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|['’´`](?=[^\W\d_]))*|[0-9]+")

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


class Word(NamedTuple):
    """A word of the text, folded, and what it is without a genitive."""

    start: int
    end: int
    key: str
    base: str
    upper: bool


def get_words(text: str) -> list[Word]:
    """Split a text into words and numbers."""
    words = []
    for match in TOKEN.finditer(text):
        key = fold(match[0])
        base = re.sub(r"'?s$", "", key) if len(key) > 2 else key
        words.append(Word(*match.span(), key, base, match[0][0].isupper()))
    return words
