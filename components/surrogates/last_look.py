"""The last look at a surrogate: whether it shows its original after all."""

import re
from collections.abc import Callable, Container

from ..swedish.casing import fold, genitive, to_ascii
from ..swedish.compounds import cut_ending
from .keyed import Pool, Scope
from .likeness import RUN, shows

WORD = re.compile(r"[^\W\d_]+")


def may_show(original: str, new: str, ignored: Container[str] = ()) -> bool:
    """Whether words of two texts begin alike, or have four letters in a row in common. It is fast,
    and true wherever `shows_words` is.

    original (str): A folded text.
    new (str): Another one.
    ignored (Container[str]): Words that tell nothing.
    RETURNS (bool): Whether they have.
    """
    old = [word for word in WORD.findall(original) if word not in ignored]
    words = [word for word in WORD.findall(new) if word not in ignored]
    beginnings = {word[:2] for word in old}
    if any(word[:2] in beginnings for word in words):
        return True
    joined = " ".join(old)
    return any(word[i : i + RUN] in joined for word in words for i in range(len(word) - RUN + 1))


def shows_words(original: str, new: str) -> bool:
    """Whether a surrogate shows a word of its original (`likeness.shows`), beyond what names are put
    together with. Numbers do not count: each class changes them by a permutation, in which none
    stays, and a year or a postal code must go with what is around it.

    original (str): What tells who or what is meant.
    new (str): What tells it in the surrogate.
    RETURNS (bool): Whether it does.
    """
    return shows(_get_stems(original), _get_stems(new))


def _get_stems(text: str) -> str:
    return " ".join(map(cut_ending, WORD.findall(fold(text))))


def cut_lower(text: str) -> str:
    """Take the words in lower case out of a name that has others: they tell what it is (`Tre Källors
    väg`, `Sahara-värmen`), not which one.

    text (str): A place or an organisation.
    RETURNS (str): Its other words.
    """
    words = WORD.findall(text)
    return " ".join([word for word in words if not word.islower()] or words)


def look_again(
    words: str,
    original: str,
    new: str,
    in_genitive: bool,
    get_pool: Callable[[str], Pool],
    scope: Scope,
) -> None:
    """Draw the words of a surrogate again, by key, that show its original. `Scope.again` has them:
    whoever has such a word has the other one in its place.

    words (str): What sort of words they are (`Replacer.words`).
    original (str): What tells who or what is meant.
    new (str): The surrogate.
    in_genitive (bool): Whether it may be in the genitive.
    get_pool (Callable[[str], Pool]): Gives what a word may become.
    scope (Scope): The conversation or message.
    """
    for word in WORD.findall(new):
        # The same for all forms of the word: `Lund`, `Lunds`.
        base = word[:-1] if in_genitive and word.endswith(("s", "S")) else word
        key = _get_key(base)
        if (words, key) in scope.again or not shows_words(original, word):
            continue
        other = scope.pick(
            f"{words} again",
            key,
            get_pool(base),
            lambda name: WORD.fullmatch(name) is not None and not shows_words(original, name),
        )
        if not shows_words(original, other):
            scope.again[words, key] = other


def write_again(words: str, new: str, scope: Scope, fit: Callable[[str, str], str]) -> str:
    """Write the words that were drawn again.

    words (str): What sort of words they are.
    new (str): A surrogate.
    scope (Scope): The conversation or message.
    fit (Callable[[str, str], str]): Writes a word as another one is written.
    RETURNS (str): The surrogate, with other words in the place of those that showed an original.
    """

    def write(match: "re.Match[str]") -> str:
        word = match[0]
        for base, ending in ((word, ""), (word[:-1], word[-1])):
            other = scope.again.get((words, _get_key(base)))
            if other is not None and ending in ("", "s", "S"):
                return genitive(word, ending, fit(base, other))
        return word

    return WORD.sub(write, new)


def _get_key(word: str) -> str:
    """A word, also as it stands in an e-mail address."""
    return to_ascii(word) or fold(word)
