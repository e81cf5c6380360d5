"""Values that may stand for one another."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import chain

from ...shared.failures import SetupError
from ...text.casing import fold

# A pool of fewer values than this is joined with its likes.
MIN_POOL = 8


class Pool:
    """Values that may stand for one another, in no order; once these are used up, those of a wider pool."""

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

    def of(self, value: str) -> Pool | None:
        """Find the pool of a value, None if it is not listed."""
        return self.by_value.get(fold(value))

    def like(self, *key: str) -> Pool:
        """Find the pool for a value that is not listed: that which shares most features, the largest of several."""
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
