"""The last look at a surrogate: whether it shows its original after all."""

from collections.abc import Sequence

from ...text.casing import fold, to_ascii
from ...text.compounds import cut_ending
from .resemblance import RUN, WORD, get_runs, shows

MOST_TRIES = 64  # pools in which so many show an original, or are taken, have nothing better


def shows_words(original: str, new: str) -> bool:
    """Whether a surrogate shows a word of its original (`resemblance.shows`), beyond what names are put
    together with. Numbers do not count: each class changes them by a permutation, in which none
    stays, and a year or a postal code must go with what is around it."""
    old, words = WORD.findall(fold(original)), WORD.findall(fold(new))
    # A quick look first: most have nothing in common.
    return _may_share(old, words) and shows(
        *(" ".join(map(cut_ending, own)) for own in (old, words))
    )


def _may_share(old: Sequence[str], words: Sequence[str]) -> bool:
    """Whether two words begin alike, or have four letters in a row in common: `shows` finds nothing else."""
    joined, beginnings = " ".join(old), {word[:2] for word in old}
    return any(
        word[:2] in beginnings or any(run in joined for run in get_runs(word, RUN))
        for word in words
    )


def cut_lower(text: str) -> str:
    """Take the words in lower case out of a name that has others: they tell what it is (`Tre Källors
    väg`, `Sahara-värmen`), not which one."""
    words = WORD.findall(text)
    return " ".join([word for word in words if not word.islower()] or words)


def get_key(word: str) -> str:
    """A word, also as it stands in an e-mail address."""
    return to_ascii(word) or fold(word)
