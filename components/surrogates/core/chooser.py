"""Choosing what to write in the place of the entities of a message or a conversation."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from ...shared.failures import MASK
from ...text.folding import fold_text
from ..time.date_offset import get_offset
from .mentions import TextSpan, class_of, in_own_order, make_mention
from .replacer import Replacer
from .scope import Mention, Scope

CHOSEN = frozenset(("surrogate", "numbered"))  # strategies for which something is to be chosen
# A placeholder as authors type it, too: `[PERSON_1]`, `[ person 1 ]`.
TYPED = re.compile(r"\[\s*[^\W\d]+[\s-]*(\d{1,9})\s*\]")


class Chooser:
    """Chooses what to write in the place of entities, each by its strategy.

    classes (Mapping[str, Replacer]): The surrogates of each class, by label, in an order in which
        each finds what it builds upon.
    get_strategy (Callable[[str], str]): Gives the strategy of a label.
    """

    def __init__(
        self,
        classes: Mapping[str, Replacer],
        get_strategy: Callable[[str], str],
    ) -> None:
        self.classes = classes
        self.get_strategy = get_strategy

    def choose(
        self,
        key: bytes,
        texts: Sequence[str],
        entities: Sequence[Sequence[TextSpan]],
        conversation: Any,
        whole: bool,
        known: Iterable[tuple[str, str]],
    ) -> list[list[str]]:
        """Choose what to write for each entity of each message.

        conversation (Any): The id of their conversation, None for a message of none.
        whole (bool): Whether all messages of the conversation are at hand.
        known (Iterable[tuple[str, str]]): What is known of the participants, label and value.
        """
        strategy_of = {e.label_: self.get_strategy(e.label_) for own in entities for e in own}
        new = [[_write_plainly(strategy_of[e.label_], e) for e in own] for own in entities]
        if CHOSEN.isdisjoint(strategy_of.values()):
            return new
        places: dict[str, list[tuple[int, int]]] = {}
        order = in_own_order(texts, entities)
        for i in order:
            for j, entity in enumerate(entities[i]):
                places.setdefault(class_of(entity), []).append((i, j))
        number = {i: n for n, i in enumerate(order)}
        mentions = {
            label: [make_mention(entities[i][j], texts[i], number[i]) for i, j in where]
            for label, where in places.items()
        }
        typed = {int(match[1]) for text in texts for match in TYPED.finditer(fold_text(text).text)}
        taken: dict[str, set[int]] = defaultdict(lambda: set(typed))
        scope = self._get_scope(key, texts, mentions, conversation, whole, known)
        for label in self.classes:
            if label not in places:
                continue
            where, own = places[label], mentions[label]
            written = [entities[i][j].label_ for i, j in where]
            strategies = [strategy_of[one] for one in written]
            chosen = {}
            if "surrogate" in strategies:
                chosen["surrogate"] = self.classes[label].surrogates(own, scope)
            if "numbered" in strategies:
                numbers = self._number(label, where, own, scope, written, taken)
                chosen["numbered"] = [f"[{one}_{n}]" for one, n in zip(written, numbers)]
            for k, (i, j) in enumerate(where):
                if strategies[k] in chosen:
                    new[i][j] = chosen[strategies[k]][k]
        return new

    def _number(
        self,
        label: str,
        where: Sequence[tuple[int, int]],
        own: Sequence[Mention],
        scope: Scope,
        written: Sequence[str],
        taken: Mapping[str, set[int]],
    ) -> list[int]:
        """Number the mentions of a class: as they come, or by key if other messages of the
        conversation are not at hand. No two have one number under one written label, nor one that an
        author typed (`taken`)."""
        names = self.classes[label].identities(own)
        order = [name for _, name in sorted(zip(where, names))] if scope.whole else sorted(names)
        labels = dict(zip(names, written))
        numbers: dict[str, int] = {}
        counters: dict[str, Iterator[int]] = defaultdict(lambda: count(1))
        for name in dict.fromkeys(order):
            used, counter = taken[labels[name]], counters[labels[name]]
            tries = counter if scope.whole else _draw_numbers(scope, label, name)
            numbers[name] = next(number for number in tries if number not in used)
            used.add(numbers[name])
        return [numbers[name] for name in names]

    def get_days(self, key: bytes, texts: Sequence[str], conversation: Any) -> int:
        return get_offset(self._get_scope(key, texts, {}, conversation, True, ())).days

    def _get_scope(
        self,
        key: bytes,
        texts: Sequence[str],
        mentions: Mapping[str, Sequence[Mention]],
        conversation: Any,
        whole: bool,
        known: Iterable[tuple[str, str]],
    ) -> Scope:
        originals = [mention.text for own in mentions.values() for mention in own]
        if conversation is None:
            content = "\0".join(sorted(texts)).encode("utf8", "surrogatepass")
            name = sha256(content).hexdigest()
            return Scope(key, name, False, originals, mentions, known=known, texts=texts)
        return Scope(key, str(conversation), True, originals, mentions, whole, known, texts)


def _draw_numbers(scope: Scope, label: str, name: str) -> Iterator[int]:
    """The numbers of an entity by key: of four digits, of more once many of these are taken."""
    yield 1000 + scope.number(9000, "number", label, name)
    for again in count(1):
        yield 1000 + scope.number(9000 * again, "number", label, name, str(again))


def _write_plainly(strategy: str, entity: TextSpan) -> str:
    """What takes the place of an entity; nothing where that is a surrogate or a number."""
    plain = {"label": f"[{entity.label_}]", "mask": MASK, "keep": entity.text}
    return plain.get(strategy, "")
