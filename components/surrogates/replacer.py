"""What the classes of surrogates have in common."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ..swedish.casing import fold, like_case
from ..swedish.folding import fold_text
from .keyed import Mention, Pool, Scope

# A longer text is none of its class, and not read as one.
LONGEST = 200


class Replacer(ABC):
    """Replaces the mentions of one class. None stays as it is, in whatever casing, digits, hyphens
    and spaces, but those that the class keeps. It reads folded text (`components.surrogates.mentions`) and
    takes any other.
    """

    def surrogates(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        """Replace the mentions.

        mentions (Sequence[Mention]): The mentions of a message or a whole conversation.
        scope (Scope): The conversation or message.
        RETURNS (list[str]): Their surrogates.
        """
        out = self._replace_all(mentions, scope)
        for i, (mention, new) in enumerate(zip(mentions, out)):
            if is_same(mention.text, new) and not self.keeps(mention, scope):
                out[i] = self._replace_unread(mention.text, scope)
        return out

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """Whether a mention is meant to stay as it is, as it points at nobody.

        mention (Mention): The mention.
        scope (Scope): The conversation or message.
        RETURNS (bool): Whether it is.
        """
        return False

    @abstractmethod
    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same.

        mentions (Sequence[Mention]): The mentions.
        conversation (bool): Whether the names are to hold for other messages, too.
        RETURNS (list[str]): A name for each mention, the same for the same.
        """

    @abstractmethod
    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        """Replace the mentions, as far as they can be read."""

    @abstractmethod
    def _get_pool(self) -> Pool:
        """What any text may become that cannot be read."""

    def _replace_unread(self, text: str, scope: Scope) -> str:
        new = scope.pick("unread", text, self._get_pool(), lambda new: not is_same(text, new))
        return like_case(text, new)


def is_same(one: str, other: str) -> bool:
    """Whether two texts are the same but for casing, accents, the kinds of digits and hyphens, and
    spaces.

    one (str): The one.
    other (str): The other.
    RETURNS (bool): Whether they are.
    """
    return one == other or fold(fold_text(one).text) == fold(fold_text(other).text)
