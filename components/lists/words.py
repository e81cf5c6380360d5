"""How common a word is."""

import math
from collections.abc import Iterable, Mapping

from ..text.folding import fold_text

# Parts of compounds: seen twice in a million words, at least three letters.
PART_PER_MILLION = 2.0
PART_LENGTH = 3
# The value of a common word of another language, or one that is spoken more than written: rare in
# Swedish text, and no part of a compound.
UNCOUNTED_PER_MILLION = 1.5
# Letters that may come between two parts, and letters that the first may have lost: skolsköterska,
# kyrkogård.
LINKS = ("s",)
LOST = ("a", "e")
# The logarithm of the times in a million words; `och` and `att` have 4.5.
LEAST, MOST = -1.0, 4.5
UNKNOWN = (0.0, False)


class CommonWords:
    """Common words in lower case, by how common they are, 0 to 1, and compounds of them."""

    def __init__(self, words: Mapping[str, float] | None = None) -> None:
        self.words = dict(words or {})
        solid = get_commonness(PART_PER_MILLION)
        self._parts = {
            word for word, n in self.words.items() if n >= solid and len(word) >= PART_LENGTH
        }
        self._longest = max(map(len, self._parts), default=0)

    @classmethod
    def from_rows(
        cls, rows: Iterable[Mapping[str, str]], uncounted: Iterable[Mapping[str, str]] = ()
    ) -> "CommonWords":
        """Read rows of the list `words`, and of others that have no counts."""
        words = {row["word"]: get_commonness(UNCOUNTED_PER_MILLION) for row in uncounted}
        words |= {row["word"]: get_commonness(float(row["per_million"])) for row in rows}
        return cls({fold_text(word).text: value for word, value in words.items()})

    def __getitem__(self, word: str) -> tuple[float, bool]:
        """How ordinary a word is, 0 to 1, and whether it is an unknown compound of others."""
        known = self.words.get(word)
        return (known, False) if known else (0.0, self._is_compound(word))

    def look_up(self, words: Iterable[str]) -> list[tuple[float, bool]]:
        """RETURNS (list): The value of each folded word; UNKNOWN if it has other than letters."""
        return [self[word] if word.isalpha() else UNKNOWN for word in words]

    def _is_compound(self, word: str) -> bool:
        # No part is longer than the longest one; the first may be followed by a link.
        first_end = max(PART_LENGTH, len(word) - self._longest)
        last_end = min(len(word) - PART_LENGTH, self._longest + max(map(len, LINKS)))
        for i in range(first_end, last_end + 1):
            if word[i:] in self._parts:
                first = word[:i]
                forms = [first, *(first + lost for lost in LOST)]
                forms += [first.removesuffix(link) for link in LINKS]
                if not self._parts.isdisjoint(forms):
                    return True
        return False


def get_commonness(per_million: float) -> float:
    """The logarithm of the times in a million words, on a scale from 0 to 1, with two decimals."""
    value = (math.log10(per_million) - LEAST) / (MOST - LEAST)
    return round(min(1.0, max(0.01, value)), 2)
