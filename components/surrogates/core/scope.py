"""A conversation whose entities are replaced, or a message that belongs to none."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from .draws import Draws
from .ledger import Ledger

Shared = TypeVar("Shared")


class Mention(NamedTuple):
    """An entity where it stands: its text, what is in front of it and behind it in the message, which message
    of the scope it is, and where it starts there. Messages are counted in an order of their own, so that
    the order in which they are given makes no difference."""

    text: str
    before: str = ""
    after: str = ""
    message: int = 0
    start: int = 0


class Scope(Draws):
    """The choices within one conversation, or within one message that belongs to none.

    The key of the scope is HMAC-SHA256(key, scope), every choice in it an HMAC-SHA256 under that
    key of the class and the normalised entity. What it guarantees:

    - The same entity gets the same surrogate wherever the scope is the same.
    - A listed value goes to its successor in a keyed cyclic order of its pool (`cycle`). That is
      a permutation without fixed points: within a whole conversation, across messages and
      processes, two listed values of a pool never share a surrogate and none stays itself.
    - Within one message different values always get different surrogates, unlisted ones too
      (as long as there are enough members in the pool). Across the messages of a conversation two
      values that the pool lacks, which are spread over it by hash, may meet by chance.
    - The surrogates of a message are no other original of that message, if it stands alone. In a
      conversation this gives way to consistency for listed values: other messages, which are not
      at hand, would not know which value was avoided.

    key (bytes): The secret key.
    name (str): Tells this scope from all others: the conversation's id, or the message itself.
    conversation (bool): Whether the scope is a conversation.
    originals (Iterable[str]): The texts of the entities of this message, or of all messages.
    mentions (Mapping[str, Sequence[Mention]]): All mentions that are at hand, by label. Those of
        one label are replaced at once, whichever messages they stand in: `Mention.message` tells.
    whole (bool): Whether all messages of the conversation are at hand. Then what is said above of
        the values of one message holds for the whole conversation.
    known (Iterable[tuple[str, str]]): What is known of the participants, as pairs of label and
        value. No surrogate is one of these values, nor has it a word of a name or an address,
        whatever the message.
    texts (Sequence[str]): All messages that are at hand.
    """

    def __init__(
        self,
        key: bytes,
        name: str,
        conversation: bool = False,
        originals: Iterable[str] = (),
        mentions: Mapping[str, Sequence[Mention]] = MappingProxyType({}),
        whole: bool = False,
        known: Iterable[tuple[str, str]] = (),
        texts: Sequence[str] = (),
    ) -> None:
        super().__init__(key, f"{'conversation' if conversation else 'message'}:{name}")
        self.whole = whole or not conversation
        self.mentions = mentions
        self.texts = texts
        self.ledger = Ledger(self, self.whole, originals, known)
        self._shared: dict[Hashable, Any] = {}

    def share(self, key: Hashable, make: Callable[[], Shared]) -> Shared:
        """Get what several classes share, such as the `Timeline`: made once, and the same object each time."""
        if key not in self._shared:
            self._shared[key] = make()
        return self._shared[key]
