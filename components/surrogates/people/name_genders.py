"""Telling the gender of first names that are not listed."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import product

from ...lists.neighbours import Neighbours

Row = Mapping[str, str]

ENDINGS = (4, 3, 2, 1)  # letters at the end of a name that tell a gender
LEAST, MOST = 4, 0.7  # of so many names so great a share
SURE = 0.85  # of all names with the same last letter


class Genders:
    """What the listed names tell of the gender of others: those that differ in a letter, or most of
    those with the same ending, of one origin if there are enough."""

    def __init__(self, first: Mapping[str, Row], near: Neighbours) -> None:
        self._first = first
        self._near = near
        # How many names of a gender end so: of one origin, and of all.
        self._endings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for form, row in first.items():
            for length in ENDINGS:
                for origin in {row["origin"], ""}:
                    self._endings[origin, form[-length:]][row["gender"]] += 1

    def guess(self, form: str, origin: str = "") -> str:
        """Guess a gender, by the origin if that is known."""
        found = next(self._ask(form, origin), ("", False))[0]
        return found or ("f" if form.endswith("a") else "m")

    def tell(self, form: str, origin: str = "") -> str:
        """Tell a gender where there is little doubt, else "": a last letter alone must tell more."""
        return next((gender for gender, is_sure in self._ask(form, origin) if is_sure), "")

    def _ask(self, form: str, origin: str) -> Iterator[tuple[str, bool]]:
        """The genders that names near by tell, and endings, the longest first; and whether that is sure."""
        found = (name for name in self._near.find(form) if name[-1] == form[-1])
        near = {row["gender"] for row in map(self._first.get, found) if row}
        if near in ({"f"}, {"m"}):
            yield near.pop(), True
        for length, where in product(ENDINGS, (origin, "")):
            counts = self._endings.get((where, form[-length:]))
            if counts and counts.total() >= LEAST:
                count, gender = max((counts[gender], gender) for gender in "fm")
                if count > MOST * counts.total():
                    yield gender, length > 1 or count > SURE * counts.total()
