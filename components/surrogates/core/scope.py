"""Keyed choices: the same key, scope and value give the same surrogate on any machine, in any
order, and nothing has to be remembered for it.
"""

import hmac
import re
from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from ...failures import SetupError
from ...swedish.casing import fold

ROUNDS = 6
# A pool of fewer values than this is joined with its likes.
MIN_POOL = 8
TABLE_BITS = 5  # networks of up to this many bits a side draw their rounds at once
MIN_BEGINNING = 3  # letters of an original that a surrogate must not be
CHUNK = 18  # this many digits are permuted at once
ROUNDABOUTS = 4  # after so many walks around a pool it is worth to write its order down
NAMES = ("PERSON", "LOCATION")  # values that tell something word by word
# What stands between the parts of an address.
PART = re.compile(r"[\s,]*\d[\w\s]*[\s,]*|\s*,\s*")
LETTERS = re.compile(r"[^\W\d_]+")


class Mention(NamedTuple):
    """An entity where it stands.

    text (str): The text of the entity.
    before (str): What stands in front of it in the message.
    after (str): What stands behind it in the message.
    message (int): Which message of the scope it stands in. Messages are counted in an order of
        their own, so that the order in which they are given makes no difference.
    start (int): Where it starts in the message.
    """

    text: str
    before: str = ""
    after: str = ""
    message: int = 0
    start: int = 0


class Pool:
    """Values that may stand for one another.

    members (Iterable[str]): The values. The order has no meaning.
    wider (Pool | None): Where to choose once these are used up.
    """

    def __init__(self, members: Iterable[str], wider: "Pool | None" = None) -> None:
        self.wider = wider
        unique = {fold(member): member for member in sorted(members, reverse=True)}
        self.folded = sorted(unique)
        self.members = [unique[folded] for folded in self.folded]
        self.index = {folded: i for i, folded in enumerate(self.folded)}


class Pools:
    """Values in pools of their like. A group too small to hide in joins those that share all
    features but the last.

    keys (Mapping[str, tuple[str, ...]]): The features of each value, the most important first,
        e.g. gender, then origin. The first feature is given up only if a value is its only
        bearer, or all others that bear it are used up.
    minimum (int): The least size of a pool.
    ambiguous (Collection[str]): Values that are ordinary words, too. They only stand for one
        another. Where too few share all features, none of them is a surrogate, and each is looked
        up in the pool of its likes as if it were not listed.
    """

    def __init__(
        self,
        keys: Mapping[str, tuple[str, ...]],
        minimum: int = MIN_POOL,
        ambiguous: Collection[str] = (),
    ) -> None:
        if len(keys) == 1:
            raise ValueError(
                f"A list of surrogates needs at least two values, it has only {[*keys]}."
            )
        clear = {key[:1] for value, key in keys.items() if value not in ambiguous}
        words = {v: key for v, key in keys.items() if v in ambiguous and key[:1] in clear}
        groups: dict[tuple[str, ...], list[str]] = {}
        left = {value: keys[value] for value in sorted(keys.keys() - words)}
        for depth in range(max(map(len, left.values()), default=0), 0, -1):
            joined: dict[tuple[str, ...], list[str]] = defaultdict(list)
            for value, key in left.items():
                joined[key[:depth]].append(value)
            left = {}
            for key, values in joined.items():
                kin = [k for k in groups if k[:depth] == key]
                if len(values) >= minimum:
                    groups[key] = values
                elif kin:
                    groups[max(kin, key=lambda k: (len(groups[k]), k))].extend(values)
                elif depth == 1 and len(values) > 1:
                    groups[key] = values
                else:
                    left.update((value, keys[value]) for value in values)
        for value, key in left.items():
            groups.setdefault(self._nearest(groups, key), []).append(value)
        alike: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
        for key, values in groups.items():
            alike[key[:1]].append(values)
        widest = Pool(chain(*groups.values())) if len(alike) > 1 else None
        wider = {
            key: Pool(chain(*lists), widest) if len(lists) > 1 else widest
            for key, lists in alike.items()
        }
        self.groups = {key: Pool(values, wider[key[:1]]) for key, values in groups.items()}
        self.by_value = {folded: pool for pool in self.groups.values() for folded in pool.index}
        self._likes: dict[tuple[str, ...], Pool] = {}
        self._add_words(words, minimum)

    def _add_words(self, words: Mapping[str, tuple[str, ...]], minimum: int) -> None:
        likes: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for value, key in words.items():
            likes[key].append(value)
        for key, values in likes.items():
            pool = self.like(*key)
            if len(values) >= minimum:
                pool = Pool(values, pool.wider or pool)
            for value in values:
                self.by_value.setdefault(fold(value), pool)

    def __contains__(self, value: str) -> bool:
        return fold(value) in self.by_value

    def of(self, value: str) -> Pool | None:
        """Find the pool of a listed value.

        value (str): The value.
        RETURNS (Pool | None): Its pool, None if it is not listed.
        """
        return self.by_value.get(fold(value))

    def like(self, *key: str) -> Pool:
        """Find the pool for a value that is not listed.

        key (str): Its features, as far as they are known.
        RETURNS (Pool): The pool that shares most of them; the largest of several.
        """
        if not self.groups:
            raise SetupError(
                "The surrogate_generator has no lists to draw surrogates from. Give it some: "
                "initialize(get_examples, nlp=nlp, lists=...), or the block "
                "[initialize.components.surrogate_generator.lists] of the config."
            )
        if key not in self._likes:
            members = {k: pool.members for k, pool in self.groups.items()}
            self._likes[key] = self.groups[self._nearest(members, key)]
        return self._likes[key]

    @staticmethod
    def _nearest(
        groups: Mapping[tuple[str, ...], list[str]], key: tuple[str, ...]
    ) -> tuple[str, ...]:
        def shared(other: tuple[str, ...]) -> int:
            same = [a == b for a, b in zip(key, other)]
            return same.index(False) if False in same else len(same)

        ranked = ((shared(other), len(members), other) for other, members in groups.items())
        return max(ranked, default=(0, 0, key))[2]


class Ring:
    """Numbers in a cyclic order, which leaves out those that are used up, for ever.

    order (Sequence[int]): The numbers in their order.
    """

    def __init__(self, order: Sequence[int]) -> None:
        self._order = order
        # By position, one that is not after the next that is free.
        self._next = array("l", range(len(self._order) + 1))

    def walk(self, start: int, is_free: Callable[[int], bool]) -> Iterator[int]:
        """Walk once around.

        start (int): The position where to start. What is there is left out.
        is_free (Callable[[int], bool]): Tells of a number whether it is not used up.
        YIELDS (int): The numbers behind it that are free.
        """
        for first, last in ((start + 1, len(self._order)), (0, start)):
            position = self._find(first)
            while position < last:
                if is_free(self._order[position]):
                    yield self._order[position]
                else:
                    self._next[position] = position + 1
                position = self._find(position + 1)

    def _find(self, position: int) -> int:
        end = position
        while self._next[end] != end:
            end = self._next[end]
        while self._next[position] != end:
            self._next[position], position = end, self._next[position]
        return end


class Scope:
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
    ) -> None:
        kind = b"conversation:" if conversation else b"message:"
        self._key = hmac.digest(key, kind + name.encode("utf8", "surrogatepass"), "sha256")
        self.conversation = conversation
        self.whole = whole or not conversation
        self.mentions = mentions
        self.originals: set[str] = set()
        for original in map(fold, originals):
            words = (original, *original.replace("-", " ").split())
            # A genitive is of an original, too.
            self.originals.update(words, (word[:-1] for word in words if word.endswith("s")))
        self._sorted = sorted(self.originals)
        self.known: dict[str, list[str]] = {}
        self._forbidden: set[str] = set()
        for label, value in known:
            self.known.setdefault(label, []).append(value)
            parts = [folded := fold(value)]
            if label in NAMES:
                parts += (*PART.split(folded), *LETTERS.findall(folded))
            self.forbid(part for part in parts if len(part) > 1)
        self._taken: dict[str, set[str]] = defaultdict(set)
        self._chosen: dict[tuple[str, str], str] = {}
        self._used: Counter[tuple[str, int]] = Counter()
        self._walked: Counter[tuple[str, int, bool]] = Counter()
        self._rings: dict[tuple[str, int, bool], Ring] = {}
        self._orders: dict[tuple[str, int], Sequence[int]] = {}
        # The surrogates of names, by role and folded name, for what is made of them.
        self.names: dict[tuple[str, str], str] = {}
        # What words of surrogates give way to that showed an original, by their sort and their
        # letters from a to z.
        self.redrawn: dict[tuple[str, str], str] = {}
        self._drawn: dict[tuple[int, tuple[str, ...]], bytes] = {}

    def forbid(self, values: Iterable[str]) -> None:
        """Let values be no surrogates, in any message.

        values (Iterable[str]): Folded values. A surrogate has none of them as a word either.
        """
        new = {value for value in values if value}
        self._forbidden |= new
        self.originals |= new

    def is_forbidden(self, value: str) -> bool:
        """Whether a value must not be a surrogate.

        value (str): A folded value.
        RETURNS (bool): Whether it is forbidden, or has a forbidden word, perhaps in the genitive.
        """
        if not self._forbidden or value in self._forbidden:
            return bool(self._forbidden)
        words = LETTERS.findall(value)
        return not self._forbidden.isdisjoint((*words, *(w[:-1] for w in words if w[-1] == "s")))

    def is_original(self, value: str) -> bool:
        """Whether a value is of the message or the conversation.

        value (str): A folded value.
        RETURNS (bool): Whether it is an original or begins one: `Ubah` is one where `Ubahsonen` is.
        """
        if value in self.originals:
            return True
        following = bisect_right(self._sorted, value)
        begins = following < len(self._sorted) and self._sorted[following].startswith(value)
        return begins and len(value) >= MIN_BEGINNING

    def number(self, below: int, *parts: str) -> int:
        """Draw a number by key.

        below (int): One more than the largest number.
        parts (str): What the number is for.
        RETURNS (int): A number from 0 to below - 1.
        """
        message = "\0".join(parts).encode("utf8", "surrogatepass")
        return int.from_bytes(hmac.digest(self._key, message, "sha256")[:16], "big") % below

    def cycle(self, size: int, index: int, *parts: str) -> Iterator[int]:
        """Walk once around the numbers below a size in a keyed cyclic order. The first step is a
        permutation of them without fixed points.

        size (int): How many numbers there are.
        index (int): Where to start.
        parts (str): What the order is for.
        YIELDS (int): The numbers after the start, which itself is left out.
        """
        position = self._get_position(size, index, parts)
        for step in range(1, size):
            yield self._permute(size, (position + step) % size, parts, range(ROUNDS))

    def _get_position(self, size: int, index: int, parts: tuple[str, ...]) -> int:
        return self._permute(size, index, parts, range(ROUNDS - 1, -1, -1))

    def _permute(self, size: int, index: int, parts: tuple[str, ...], rounds: range) -> int:
        """Cycle-walking Feistel network; the rounds backwards are its inverse."""
        bits = max(1, ((size - 1).bit_length() + 1) // 2)
        mask = (1 << bits) - 1
        forward = rounds.step > 0
        tables = self._tables(bits, parts) if bits <= TABLE_BITS else None
        while True:
            left, right = index >> bits, index & mask
            for number in rounds:
                seed = right if forward else left
                if tables:
                    mix = tables[number << bits | seed] & mask
                else:
                    mix = self.number(mask + 1, *parts, str(number), str(seed))
                left, right = (right, left ^ mix) if forward else (right ^ mix, left)
            index = left << bits | right
            if index < size:
                return index

    def _tables(self, bits: int, parts: tuple[str, ...]) -> bytes:
        """The round functions of a small network, drawn at once: a byte for each value."""
        key = bits, parts
        if key not in self._drawn:
            message = "\0".join((*parts, str(bits), "")).encode("utf8", "surrogatepass")
            self._drawn[key] = b"".join(
                hmac.digest(self._key, message + b"%d" % block, "sha256")
                for block in range(-(-(ROUNDS << bits) // 32))
            )
        return self._drawn[key]

    def pick(
        self,
        field: str,
        value: str,
        pool: Pool,
        accept: Callable[[str], bool] | None = None,
        is_kin: Callable[[str], bool] | None = None,
    ) -> str:
        """Choose the surrogate of a value.

        field (str): What sort of value it is.
        value (str): The value, normalised.
        pool (Pool): What to choose from.
        accept (Callable[[str], bool] | None): Rejects members that are too much like the value,
            as long as there are others.
        is_kin (Callable[[str], bool] | None): Tells which members are the value under another name,
            or a part of it: they are chosen only if no pool has any other.
        RETURNS (str): A member of the pool.
        """
        value = fold(value)
        if (field, value) not in self._chosen:
            taken = self._taken[field]
            choice = self._choose(
                field, value, pool, taken, accept or _take_any, is_kin or _take_none
            )
            taken.add(fold(choice))
            self._chosen[field, value] = choice
        return self._chosen[field, value]

    def _choose(
        self,
        field: str,
        value: str,
        pool: Pool,
        taken: set[str],
        accept: Callable[[str], bool],
        is_kin: Callable[[str], bool],
    ) -> str:
        size = len(pool.members)
        index = pool.index.get(value)
        listed = index is not None
        if index is None:
            index = self.number(size, field, value)
        self._used[field, id(pool)] += 1
        used_up = self._used[field, id(pool)] > size and not pool.wider
        if (listed and not self.whole) or used_up:
            for i in self.cycle(size, index, field):
                member = pool.members[i]
                if not self.is_forbidden(pool.folded[i]) and accept(member) and not is_kin(member):
                    return member
            if pool.wider:
                return self._choose(field, value, pool.wider, taken, accept, is_kin)
            return self._get_any(pool, index, is_kin)
        second_best = None
        for choice in self._walk(field, pool, index, taken):
            if not is_kin(choice):
                if accept(choice):
                    return choice
                second_best = second_best or choice
        if pool.wider and (second_best is None or pool.wider.wider):
            # Those that share the first feature; what is too much alike is better than others.
            wider = self._choose(field, value, pool.wider, taken, accept, is_kin)
            if second_best is None or accept(wider):
                return wider
        if second_best is not None:
            return second_best
        # More entities than values: some get an original that nobody has, then some have to share.
        rest = self._walk(field, pool, index, taken, originals=True)
        others = (choice for choice in rest if not is_kin(choice))
        return next(others, None) or self._get_any(pool, index, is_kin)

    @staticmethod
    def _get_any(pool: Pool, index: int, is_kin: Callable[[str], bool]) -> str:
        """The next member of a pool that is no kin, as far as there is one."""
        ahead = [*pool.members[index + 1 :], *pool.members[: index + 1]]
        return next((member for member in ahead if not is_kin(member)), ahead[0])

    def _walk(
        self, field: str, pool: Pool, index: int, taken: set[str], originals: bool = False
    ) -> Iterator[str]:
        """Walk once around a pool, past the members that are used up."""
        size = len(pool.members)

        def is_free(i: int) -> bool:
            folded = pool.folded[i]
            if folded in taken or self.is_forbidden(folded):
                return False
            return originals or not self.is_original(folded)

        key = field, id(pool), originals
        if key not in self._rings and self._walked[key] > ROUNDABOUTS * size:
            self._rings[key] = Ring(self._get_order(field, size))
        if key in self._rings:
            walk = self._rings[key].walk(self._get_position(size, index, (field,)), is_free)
            yield from (pool.members[i] for i in walk)
            return
        for i in self.cycle(size, index, field):
            self._walked[key] += 1
            if is_free(i):
                yield pool.members[i]

    def _get_order(self, field: str, size: int) -> Sequence[int]:
        if (field, size) not in self._orders:
            order = (self._permute(size, i, (field,), range(ROUNDS)) for i in range(size))
            self._orders[field, size] = array("l", order)
        return self._orders[field, size]

    def taken(self, field: str) -> set[str]:
        """The surrogates of a sort that are in use, folded.

        field (str): The sort of value.
        RETURNS (set[str]): The surrogates. Add to them what must not be used again.
        """
        return self._taken[field]

    def digits(self, text: str, *parts: str) -> str:
        """Replace a digit string by another one of the same length: a permutation of all digit
        strings of that length, without fixed points.

        text (str): Digits.
        parts (str): What they are.
        RETURNS (str): Other digits.
        """
        out = []
        for start in range(0, len(text), CHUNK):
            chunk = text[start : start + CHUNK]
            other = next(self.cycle(10 ** len(chunk), int(chunk), "digits", str(start), *parts))
            out.append(str(other).zfill(len(chunk)))
        return "".join(out)


def _take_any(member: str) -> bool:
    return True


def _take_none(member: str) -> bool:
    return False
