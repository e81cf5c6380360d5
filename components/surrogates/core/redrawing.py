"""The last look at a surrogate: whether it shows its original after all."""

import re

from ...text.casing import fold, to_ascii
from ...text.compounds import cut_ending
from .resemblance import shows

WORD = re.compile(r"[^\W\d_]+")
MOST_TRIES = 64  # pools in which so many show an original, or are taken, have nothing better


def shows_words(original: str, new: str) -> bool:
    """Whether a surrogate shows a word of its original (`resemblance.shows`), beyond what names are put
    together with. Numbers do not count: each class changes them by a permutation, in which none
    stays, and a year or a postal code must go with what is around it."""
    return shows(_get_stems(original), _get_stems(new))


def _get_stems(text: str) -> str:
    return " ".join(map(cut_ending, WORD.findall(fold(text))))


def cut_lower(text: str) -> str:
    """Take the words in lower case out of a name that has others: they tell what it is (`Tre Källors
    väg`, `Sahara-värmen`), not which one."""
    words = WORD.findall(text)
    return " ".join([word for word in words if not word.islower()] or words)


def get_key(word: str) -> str:
    """A word, also as it stands in an e-mail address."""
    return to_ascii(word) or fold(word)
