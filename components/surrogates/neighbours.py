"""Looking up misspelled words."""

from collections import defaultdict
from collections.abc import Iterable

from rapidfuzz import process
from rapidfuzz.distance import OSA

FUZZY_MIN = 5  # shorter words are too close to one another
HALF = 2  # letters at either end of a word that one slip leaves alone


class Neighbours:
    """Finds the words of a list that differ from another in one letter, or in the order of two.
    One slip leaves the first two letters of a word or its last two alone.

    words (Iterable[str]): The list. Shorter words than FUZZY_MIN are left out.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._ends: dict[tuple[bool, str, int], list[str]] = defaultdict(list)
        for word in words:
            if len(word) >= FUZZY_MIN:
                self._ends[True, word[:HALF], len(word)].append(word)
                self._ends[False, word[-HALF:], len(word)].append(word)

    def find(self, word: str) -> set[str]:
        """RETURNS (set[str]): The words that differ in one slip, the word itself too."""
        found: set[str] = set()
        if len(word) < FUZZY_MIN:
            return found
        for head, end in ((True, word[:HALF]), (False, word[-HALF:])):
            for length in range(len(word) - 1, len(word) + 2):
                words = self._ends.get((head, end, length), ())
                near = process.extract(word, words, scorer=OSA.distance, score_cutoff=1, limit=None)
                found.update(match[0] for match in near)
        return found
