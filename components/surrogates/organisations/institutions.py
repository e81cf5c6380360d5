"""Which towns are the seat of a hospital, a university, a court or a municipality."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ...shared.words import read_words
from ...text.casing import fold
from .organisation_reader import fold_name
from .organisation_types import SEPARATORS
from .organisation_words import OrganisationWords

Row = Mapping[str, str]
FindTown = Callable[[str], str]

# By sort of institution the sorts that stand in.
STAND_INS = read_words(__file__, "seats.txt")
# `Sjukhuset i Mora` is the hospital that Mora has, whatever its sort.
ANY_HOSPITAL, ANY_COLLEGE = "hospital", "higher_education"
GROUPS = {
    ANY_HOSPITAL: ("university_hospital", "regional_hospital", "local_hospital"),
    ANY_COLLEGE: ("university", "college"),
}
GROUP_OF = {sort: group for group, sorts in GROUPS.items() for sort in sorts}
SHORT = " by its abbreviation"
COTTAGE, UNIVERSITY = "sjukstug", "universitet"
GAP = re.compile(r"\s+i\s+|\s+")


class Institution(NamedTuple):
    """A hospital, a university or a court: the folded name of its town, and its sort, which is
    `ANY_HOSPITAL` where the words do not tell which of them it is."""

    town: str
    sort: str


class Institutions:
    """Knows what has its seat where, by the column `place` of the list `organisations`."""

    def __init__(self, rows: Sequence[Row], words: OrganisationWords) -> None:
        self._words = words
        # The rows by folded name and abbreviation, `i` left out.
        self._listed: dict[str, Row] = {}
        for row in rows:
            if row.get("place") and get_sort(row) and not row.get("of"):
                for name in filter(None, (row["name"], row.get("abbreviation"))):
                    self._listed.setdefault(_normalise(name), row)
        # By sort and folded town the names of what is there, in the order of the list.
        names: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for row in {id(row): row for row in self._listed.values()}.values():
            if not row.get("ambiguous"):
                for sort in _get_sorts(row, bool(row.get("abbreviation"))):
                    names[sort][fold(row["place"])].append(row["name"])
        # What is called a hospital beside a larger one is mostly a part of it.
        for town in (*names["university_hospital"], *names["regional_hospital"]):
            for sort in ("local_hospital", f"local_hospital{SHORT}"):
                names[sort].pop(town, None)
        self._names = {sort: dict(towns) for sort, towns in names.items()}

    def find(self, text: str) -> Row | None:
        """Find a listed hospital, university or court by its name, with or without `i`, perhaps in the genitive."""
        name = _normalise(text)
        return self._listed.get(name) or self._listed.get(name.removesuffix("s"))

    def read(self, text: str, find_town: FindTown) -> list[Institution]:
        """Read the name of an organisation as that of a hospital, a university or a court, or of a
        part of one: `Onkologen Lunds lasarett`.

        find_town (FindTown): Gives the town that a word is, "" if it is none.
        RETURNS (list[Institution]): What it is; nothing if it is none, or nothing tells in which town.
        """
        words = SEPARATORS.split(text)
        if not self._listed:
            return []
        for start in range(len(words)):
            name = " ".join(words[start:])
            row = self.find(name)
            if row:
                is_short = fold_name(name) == fold_name(row.get("abbreviation", ""))
                return [Institution(fold(row["place"]), sort) for sort in _get_sorts(row, is_short)]
        if len(words) == 1 and (town := find_town(text)) in self.get_towns([ANY_HOSPITAL]):
            # `är inlagd på Kalix`
            return [Institution(town, ANY_HOSPITAL)]
        types = [head.type for word in words if (head := self._words.find_head(fold_name(word)))]
        sorts = [type_ for type_ in types if type_ in STAND_INS]
        town = next(filter(None, map(find_town, words)), "") if sorts else ""
        if not town:
            return []
        return [Institution(town, ANY_HOSPITAL if sorts[-1] == "local_hospital" else sorts[-1])]

    def get_towns(self, sorts: Iterable[str]) -> set[str]:
        """Find the towns that are the seat of all that is asked for."""
        found = [
            {town for sort in GROUPS.get(one, (one,)) for town in self._names.get(sort, ())}
            for one in sorts
        ]
        return set.intersection(*found) if found else set()

    def get_names(self, town: str, row: Row) -> list[str]:
        own = get_sort(row)
        for sort in (own, *STAND_INS.get(own, ())):
            names = self._names.get(sort, {}).get(town)
            if names:
                return names
        return []


def get_sort(row: Row) -> str:
    """Get the sort of a listed organisation; "" if it is no hospital, university or court."""
    type_, name = row.get("type", ""), fold(row["name"])
    if type_ == "local_hospital" and COTTAGE in name:
        return "cottage_hospital"
    if type_ == "university" and UNIVERSITY not in name:
        return "college"
    return type_ if type_ in STAND_INS else ""


def _get_sorts(row: Row, is_short: bool) -> list[str]:
    """The sort, and that it goes by an abbreviation."""
    sort = get_sort(row)
    return [sort, f"{sort}{SHORT}"] if is_short else [sort]


def stand_in(sorts: Iterable[str]) -> set[str]:
    """Widen what a town is to be the seat of."""
    return {GROUP_OF.get(sort, sort) for sort in sorts if not sort.endswith(SHORT)}


def _normalise(name: str) -> str:
    return " ".join(GAP.split(fold_name(name)))
