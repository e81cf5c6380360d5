"""Looking up misspelled words."""

from collections.abc import Iterable

from rapidfuzz.distance import OSA

FUZZY_MIN = 5  # shorter words are too close to one another
HALF = 2  # letters at either end of a word that one slip leaves alone
PREFIX = 20  # of a longer word only the beginning is indexed


class Neighbours:
    """Finds the words of a list that differ from another in `slips` slips at most, 1 or 2: a letter
    too many, too few or wrong, or the order of two. A word is filed under what is left of it
    without one letter, or two, so that the time of a search does not depend on the length of the
    list.
    """

    def __init__(
        self, words: Iterable[str] = (), *, shortest: int = FUZZY_MIN, slips: int = 1
    ) -> None:
        self.shortest = shortest
        self.slips = slips
        # Tuples, which the garbage collector leaves alone.
        self._filed: dict[str, tuple[str, ...]] = {}
        # The order in which the words came.
        self._numbers: dict[str, int] = {}
        for word in words:
            self.add(word)

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, word: str) -> None:
        """Add a word to the list."""
        if len(word) < self.shortest or word in self._numbers:
            return
        self._numbers[word] = len(self._numbers)
        for place in self._get_places(word):
            self._filed[place] = (*self._filed.get(place, ()), word)

    def find(self, word: str) -> list[str]:
        """The words that differ in at most `slips` slips, or none, in the order of the list."""
        if len(word) < self.shortest:
            return []
        filed = self._filed
        near = {other for place in self._get_places(word) for other in filed.get(place, ())}
        limit = self.slips
        found = [other for other in near if OSA.distance(word, other, score_cutoff=limit) <= limit]
        return sorted(found, key=self._numbers.__getitem__)

    def _get_places(self, word: str) -> set[str]:
        places = {word[:PREFIX]}
        new = places
        for _ in range(self.slips):
            new = {place[:i] + place[i + 1 :] for place in new for i in range(len(place))}
            places = places | new
        return places
