"""What was chosen for whom in a conversation."""

import re
from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...text.casing import fold
from .draws import Draws
from .pools import Pool

MIN_BEGINNING = 3  # letters of an original that a surrogate must not be
ROUNDABOUTS = 4  # after so many walks around a pool it is worth to write its order down
NAMES = ("PERSON", "LOCATION")  # values that tell something word by word
# What stands between the parts of an address.
PART = re.compile(r"[\s,]*\d[\w\s]*[\s,]*|\s*,\s*")
LETTERS = re.compile(r"[^\W\d_]+")


class Ring:
    """Numbers in a cyclic order, which leaves out those that are used up, for ever."""

    def __init__(self, order: Sequence[int]) -> None:
        self._order = order
        # By position, one that is not after the next that is free.
        self._next = array("l", range(len(self._order) + 1))

    def walk(self, start: int, is_free: Callable[[int], bool]) -> Iterator[int]:
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


class Ledger:
    """Remembers what was chosen, so that different entities get different surrogates, and none gets an
    original, or what is known of a participant. The arguments are those of the `Scope` that has it."""

    def __init__(
        self,
        draws: Draws,
        whole: bool,
        originals: Iterable[str] = (),
        known: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.draws = draws
        self.whole = whole
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
        # The surrogates of names, by role and folded name, for what is made of them.
        self.names: dict[tuple[str, str], str] = {}
        # What words of surrogates give way to that showed an original, by their sort and their
        # letters from a to z.
        self.redrawn: dict[tuple[str, str], str] = {}
        # The surrogates that are in use, folded, by their sort.
        self.taken: dict[str, set[str]] = defaultdict(set)
        self._chosen: dict[tuple[str, str], str] = {}
        # How often a pool was asked, and walked along; its order, once that is long.
        self._used: Counter[tuple[str, int]] = Counter()
        self._walked: Counter[tuple[str, int, bool]] = Counter()
        self._rings: dict[tuple[str, int, bool], Ring] = {}

    def forbid(self, values: Iterable[str]) -> None:
        """Let values be no surrogates, in any message."""
        new = {value for value in values if value}
        self._forbidden |= new
        self.originals |= new

    def is_forbidden(self, value: str) -> bool:
        if not self._forbidden or value in self._forbidden:
            return bool(self._forbidden)
        words = LETTERS.findall(value)
        return not self._forbidden.isdisjoint((*words, *(w[:-1] for w in words if w[-1] == "s")))

    def is_original(self, value: str) -> bool:
        """Whether a value is of the message or the conversation."""
        if value in self.originals:
            return True
        following = bisect_right(self._sorted, value)
        begins = following < len(self._sorted) and self._sorted[following].startswith(value)
        return begins and len(value) >= MIN_BEGINNING

    def pick(
        self,
        field: str,
        value: str,
        pool: Pool,
        accept: Callable[[str], bool] = lambda member: True,
        is_kin: Callable[[str], bool] = lambda member: False,
    ) -> str:
        """Choose the surrogate of a value of a sort (the field) from a pool.

        accept (Callable[[str], bool]): Rejects members that are too much like the value, as long as
            there are others.
        is_kin (Callable[[str], bool]): Finds members that are the value under another name, or a part
            of it: they are chosen only if no pool has any other.
        """
        value = fold(value)
        if (field, value) not in self._chosen:
            self._chosen[field, value] = self._choose(field, value, pool, accept, is_kin)
            self.taken[field].add(fold(self._chosen[field, value]))
        return self._chosen[field, value]

    def _choose(
        self,
        field: str,
        value: str,
        pool: Pool,
        accept: Callable[[str], bool],
        is_kin: Callable[[str], bool],
    ) -> str:
        size = len(pool.members)
        listed = value in pool.index
        index = pool.index[value] if listed else self.draws.number(size, field, value)
        self._used[field, id(pool)] += 1
        used_up = self._used[field, id(pool)] > size and not pool.wider
        if (listed and not self.whole) or used_up:
            for i in self.draws.cycle(size, index, field):
                member = pool.members[i]
                if not self.is_forbidden(pool.folded[i]) and accept(member) and not is_kin(member):
                    return member
            if pool.wider:
                return self._choose(field, value, pool.wider, accept, is_kin)
            return self._get_any(pool, index, is_kin)
        second_best = None
        for choice in self._walk(field, pool, index):
            if not is_kin(choice):
                if accept(choice):
                    return choice
                second_best = second_best or choice
        if pool.wider and (second_best is None or pool.wider.wider):
            # Those that share the first feature; what is too much alike is better than others.
            wider = self._choose(field, value, pool.wider, accept, is_kin)
            if second_best is None or accept(wider):
                return wider
        if second_best is not None:
            return second_best
        # More entities than values: some get an original that nobody has, then some have to share.
        rest = self._walk(field, pool, index, originals=True)
        others = (choice for choice in rest if not is_kin(choice))
        return next(others, None) or self._get_any(pool, index, is_kin)

    @staticmethod
    def _get_any(pool: Pool, index: int, is_kin: Callable[[str], bool]) -> str:
        """The next member of a pool that is no kin, as far as there is one."""
        ahead = [*pool.members[index + 1 :], *pool.members[: index + 1]]
        return next((member for member in ahead if not is_kin(member)), ahead[0])

    def _walk(self, field: str, pool: Pool, index: int, originals: bool = False) -> Iterator[str]:
        """Walk once around a pool, past the members that are used up."""
        size, taken = len(pool.members), self.taken[field]

        def is_free(i: int) -> bool:
            folded = pool.folded[i]
            if folded in taken or self.is_forbidden(folded):
                return False
            return originals or not self.is_original(folded)

        key = field, id(pool), originals
        if key not in self._rings and self._walked[key] > ROUNDABOUTS * size:
            self._rings[key] = Ring(self.draws.get_order(field, size))
        if key in self._rings:
            walk = self._rings[key].walk(self.draws.get_position(size, index, (field,)), is_free)
            yield from (pool.members[i] for i in walk)
            return
        for i in self.draws.cycle(size, index, field):
            self._walked[key] += 1
            if is_free(i):
                yield pool.members[i]
