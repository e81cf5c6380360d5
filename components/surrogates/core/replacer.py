"""What the classes of surrogates have in common."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice

from ...text.casing import fold, genitive, like_case
from ...text.folding import fold_text
from .pools import Pool
from .redrawing import MOST_TRIES, WORD, get_key, shows_words
from .scope import Mention, Scope

# A longer text is none of its class, and not read as one.
LONGEST = 200


class Replacer(ABC):
    """Replaces the mentions of one class. None stays as it is, in whatever casing, digits, hyphens
    and spaces, but those that the class keeps, and no surrogate of a name shows it as long as there
    are others (`redrawing`). It reads folded text (`components.surrogates.core.mentions`) and
    takes any other.
    """

    def surrogates(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        """Replace the mentions of a message or a whole conversation."""
        out = self._replace_all(mentions, scope)
        shown = []
        for i, (mention, new) in enumerate(zip(mentions, out)):
            old, other = _fold(mention.text), _fold(new)
            if old == other:
                if not self.keeps(mention, scope):
                    out[i] = self._replace_unread(mention.text, scope)
            elif self.words and len(old) <= LONGEST and shows_words(old, other):
                identifying = self.get_identifying(mention.text)
                if shows_words(identifying, self.get_identifying(new)):
                    shown.append((identifying, new, old.endswith("s")))
        if shown:
            # Nobody gets a word of another.
            used = {get_key(word) for new in out for word in WORD.findall(new)}
            for identifying, new, in_genitive in shown:
                self._redraw(identifying, new, in_genitive, used, scope)
        if self.words and scope.ledger.redrawn:
            write = partial(self._write_redrawn, redrawn=scope.ledger.redrawn)
            for i, (mention, new) in enumerate(zip(mentions, out)):
                if not is_same(mention.text, new):
                    out[i] = WORD.sub(write, new)
        return out

    def _redraw(
        self, original: str, new: str, in_genitive: bool, used: set[str], scope: Scope
    ) -> None:
        """Draw the words of a surrogate again, by key, that show its original, if there are others. The
        ledger has them: the other word then stands wherever such a word would stand."""
        for word in WORD.findall(new):
            # The same for all forms of the word: `Lund`, `Lunds`.
            base = word[:-1] if in_genitive and word.endswith(("s", "S")) else word
            key, pool = (self.words, get_key(base)), self._get_pool_of(base)
            if pool is None or key in scope.ledger.redrawn or not shows_words(original, word):
                continue
            start = scope.number(len(pool.members), "again", *key)
            walk = scope.cycle(len(pool.members), start, "again", self.words)
            for i in islice(walk, MOST_TRIES):
                other, folded = pool.members[i], pool.folded[i]
                if (
                    not WORD.fullmatch(other)
                    or get_key(other) in used
                    or scope.ledger.is_original(folded)
                    or scope.ledger.is_forbidden(folded)
                    or shows_words(original, other)
                    or self.is_kin(original, other)
                ):
                    continue
                scope.ledger.redrawn[key] = other
                used.add(get_key(other))
                break

    def _write_redrawn(self, match: "re.Match[str]", redrawn: Mapping[tuple[str, str], str]) -> str:
        word = match[0]
        for base, ending in ((word, ""), (word[:-1], word[-1])):
            other = redrawn.get((self.words, get_key(base)))
            if other is not None and ending in ("", "s", "S"):
                return genitive(word, ending, self._fit(base, other))
        return word

    # How the class is replaced, where it can be chosen (`surrogates.settings.OPTIONS`).
    mode = ""
    # What sort of words tell who or what is meant, which a surrogate must not show; "" for none.
    words = ""

    def get_identifying(self, text: str) -> str:
        """Get the words of a mention or a surrogate that say who or what is meant, beyond titles and kinds."""
        return text

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """Whether a mention is meant to stay as it is, as it points at nobody."""
        return False

    def is_kin(self, text: str, new: str) -> bool:
        """Whether a new name is another one of the same, or of a part of it."""
        return False

    @abstractmethod
    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        """Name each mention by the person, place, date or number that it is of: the same name for the same, in
        other messages, too. Those that may be of several are of none of them."""

    @abstractmethod
    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        """Replace the mentions, as far as they can be read."""

    @abstractmethod
    def _get_pool(self) -> Pool:
        """What any text may become that cannot be read."""

    def _fit(self, word: str, other: str) -> str:
        """Write a word as another one is written."""
        return like_case(word, other)

    def _get_pool_of(self, word: str) -> Pool | None:
        """What a word of a surrogate may become that shows its original: its likes, if it has any."""
        return None

    def _replace_unread(self, text: str, scope: Scope) -> str:
        new = scope.ledger.pick(
            "unread", text, self._get_pool(), lambda new: not is_same(text, new)
        )
        return like_case(text, new)


def is_same(one: str, other: str) -> bool:
    """Whether two texts are the same but for casing, accents, the kinds of digits and hyphens, and spaces."""
    return one == other or _fold(one) == _fold(other)


def _fold(text: str) -> str:
    return fold(fold_text(text).text)
