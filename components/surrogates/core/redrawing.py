"""The last look at a surrogate: whether it shows its original after all."""

import re
from collections.abc import Callable, Iterable
from itertools import islice

from ...text.casing import fold, genitive, to_ascii
from ...text.compounds import cut_ending
from .pools import Pool
from .resemblance import shows
from .scope import Scope

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


class Redrawing:
    """Draws words of surrogates again, by key, that show their original. `Scope.ledger.redrawn` has them:
    the other word then stands wherever such a word would stand.

    words (str): What sort of words they are (`Replacer.words`).
    get_pool (Callable[[str], Pool | None]): Gives the likes of a word, None for one that has none: it
        stays.
    is_kin (Callable[[str, str], bool]): Whether a name is another one of the same.
    surrogates (Iterable[str]): All surrogates of the sort. Nobody gets a word of another.
    """

    def __init__(
        self,
        words: str,
        scope: Scope,
        get_pool: Callable[[str], Pool | None],
        is_kin: Callable[[str, str], bool],
        surrogates: Iterable[str],
    ) -> None:
        self.words = words
        self.scope = scope
        self.get_pool = get_pool
        self.is_kin = is_kin
        self._used = {_get_key(word) for new in surrogates for word in WORD.findall(new)}

    def draw(self, original: str, new: str, in_genitive: bool) -> None:
        """Draw the words of a surrogate again that show its original, if there are others."""
        for word in WORD.findall(new):
            # The same for all forms of the word: `Lund`, `Lunds`.
            base = word[:-1] if in_genitive and word.endswith(("s", "S")) else word
            key = _get_key(base)
            pool = self.get_pool(base)
            if pool is None or (self.words, key) in self.scope.ledger.redrawn:
                continue
            if shows_words(original, word) and (other := self._draw(original, key, pool)):
                self.scope.ledger.redrawn[self.words, key] = other
                self._used.add(_get_key(other))

    def _draw(self, original: str, key: str, pool: Pool) -> str | None:
        """The first word of a pool that shows nothing and is nobody's, if it comes soon."""
        size = len(pool.members)
        start = self.scope.number(size, "again", self.words, key)
        ledger = self.scope.ledger
        for i in islice(self.scope.cycle(size, start, "again", self.words), MOST_TRIES):
            name, folded = pool.members[i], pool.folded[i]
            if not WORD.fullmatch(name) or _get_key(name) in self._used:
                continue
            if ledger.is_original(folded) or ledger.is_forbidden(folded):
                continue
            if not (shows_words(original, name) or self.is_kin(original, name)):
                return name
        return None


def write_redrawn(words: str, new: str, scope: Scope, fit: Callable[[str, str], str]) -> str:
    """Write the words that were drawn again."""

    def write(match: "re.Match[str]") -> str:
        word = match[0]
        for base, ending in ((word, ""), (word[:-1], word[-1])):
            other = scope.ledger.redrawn.get((words, _get_key(base)))
            if other is not None and ending in ("", "s", "S"):
                return genitive(word, ending, fit(base, other))
        return word

    return WORD.sub(write, new)


def _get_key(word: str) -> str:
    """A word, also as it stands in an e-mail address."""
    return to_ascii(word) or fold(word)
