"""What the classes of surrogates have in common."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ...text.casing import fold, like_case
from ...text.folding import fold_text
from .pools import Pool
from .redrawing import Redrawing, shows_words, write_redrawn
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
            redrawing = Redrawing(self.words, scope, self._get_pool_of, self.is_kin, out)
            for identifying, new, in_genitive in shown:
                redrawing.draw(identifying, new, in_genitive)
        if self.words and scope.ledger.redrawn:
            for i, (mention, new) in enumerate(zip(mentions, out)):
                if not is_same(mention.text, new):
                    out[i] = write_redrawn(self.words, new, scope, self._fit)
        return out

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
