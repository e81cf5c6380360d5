"""Compares many words with many values, with typing errors."""

from collections.abc import Iterable, Mapping

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from ..lists.neighbours import FUZZY_MIN, Neighbours

# Least length of a word with one typing error, with two.
ONE_ERROR, TWO_ERRORS = FUZZY_MIN, 8
# Up to FEW values are compared one by one, with BLOCK words at a time; more values are indexed.
# Values with two errors are never indexed: they are only looked for in what is known of the
# participants.
FEW, BLOCK = 200, 256


class TypoFinder:
    """Finds the keys that words are, but for so many typing errors as each key may have."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        one = [key for key, n in limits.items() if n == 1]
        self._one = Neighbours(one if len(one) > FEW else (), shortest=1)
        self._others = [key for key, n in limits.items() if n > 1 or (n and len(one) <= FEW)]
        self._limits = np.array([limits[key] for key in self._others], dtype=np.uint8)
        lengths = [len(key) for key, n in limits.items() if n] or [0]
        most = max(limits.values(), default=0)
        self._lengths = range(min(lengths) - most, max(lengths) + most + 1)

    def __bool__(self) -> bool:
        return bool(len(self._one) or self._others)

    def find(self, words: Iterable[str]) -> dict[str, list[str]]:
        """The keys of the words that have any, in their order."""
        if not self:
            return {}
        near: dict[str, list[str]] = {}
        some = [word for word in words if len(word) in self._lengths]
        for word in some:
            if found := self._one.find(word):
                near[word] = found
        for i in range(0, len(some) if self._others else 0, BLOCK):
            block = some[i : i + BLOCK]
            distances = cdist(
                block,
                self._others,
                scorer=OSA.distance,
                score_cutoff=int(self._limits.max()),
                dtype=np.uint8,
            )
            for row, column in np.argwhere(distances <= self._limits).tolist():
                near.setdefault(block[row], []).append(self._others[column])
        return near
