"""Which towns are the seat of a hospital, a university or a court."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ..swedish.casing import fold
from .organisation_heads import find_head
from .organisation_reader import fold_name
from .organisation_types import FAMILY_OF, SEPARATORS

Row = Mapping[str, str]
FindTown = Callable[[str], str]

# By type the types that stand in where no other town that might be has one of it.
STAND_INS = {
    "university_hospital": ("regional_hospital",),
    "regional_hospital": ("university_hospital", "local_hospital"),
    "local_hospital": ("regional_hospital",),
    "university": (),
    "court": (),
    "higher_court": (),
    "administrative_court": (),
}
# `Sjukhuset i Mora` is the hospital that Mora has, whatever its type.
ANY_HOSPITAL = "hospital"
GAP = re.compile(r"\s+i\s+|\s+")


class Seat(NamedTuple):
    """A hospital, a university or a court.

    town (str): The folded name of its town.
    type (str): Its type; `ANY_HOSPITAL` where the words do not tell which of them it is.
    row (Row | None): Its row of the list, None if it is not listed.
    """

    town: str
    type: str
    row: Row | None = None


class Seats:
    """Tells what has its seat where, by the column `place` of the list.

    rows (Sequence[Row]): The list `organisations`.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    @cached_property
    def _listed(self) -> dict[str, Row]:
        """The rows by folded name and abbreviation, `i` left out."""
        listed: dict[str, Row] = {}
        for row in self._rows:
            if row.get("place") and row.get("type") in STAND_INS:
                for name in (row["name"], row.get("abbreviation", "")):
                    if name and not row.get("of"):
                        listed.setdefault(_normalise(name), row)
        return listed

    @cached_property
    def _names(self) -> dict[str, dict[str, list[str]]]:
        """By type and folded town the names of what is there, in the order of the list."""
        names: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for row in {id(row): row for row in self._listed.values()}.values():
            if not row.get("ambiguous"):
                names[row["type"]][fold(row["place"])].append(row["name"])
        return {type_: dict(towns) for type_, towns in names.items()}

    def find(self, text: str) -> Row | None:
        """Find a listed hospital, university or court.

        text (str): Its name, with or without `i`, perhaps in the genitive.
        RETURNS (Row | None): Its row.
        """
        name = _normalise(text)
        return self._listed.get(name) or self._listed.get(name.removesuffix("s"))

    def read(self, text: str, find_town: FindTown) -> Seat | None:
        """Read the name of an organisation as that of a hospital, a university or a court, or of a
        part of one: `Onkologen Lunds lasarett`.

        text (str): The name.
        find_town (FindTown): Tells which town a word is, "" if it is none.
        RETURNS (Seat | None): What it is, None if it is none, or nothing tells in which town.
        """
        words = SEPARATORS.split(text)
        if not self._listed:
            return None
        for start in range(len(words)):
            row = self.find(" ".join(words[start:]))
            if row:
                return Seat(fold(row["place"]), row["type"], row)
        types = [head.type for word in words if (head := find_head(fold_name(word)))]
        types = [type_ for type_ in types if type_ in STAND_INS]
        town = next(filter(None, map(find_town, words)), "") if types else ""
        if not town:
            return None
        local = types[-1] == "local_hospital"
        return Seat(town, ANY_HOSPITAL if local else types[-1])

    def get_towns(self, types: Collection[str]) -> set[str]:
        """Find the towns that are the seat of all of some types.

        types (Collection[str]): The types.
        RETURNS (set[str]): The folded names of the towns.
        """
        found = [
            {town for one in _widen(type_) for town in self._names.get(one, ())} for type_ in types
        ]
        return set.intersection(*found) if found else set()

    def get_names(self, town: str, type_: str) -> list[str]:
        """Get what has its seat in a town.

        town (str): The folded name of the town.
        type_ (str): The type.
        RETURNS (list[str]): The names of that type, else of one that stands in for it.
        """
        for one in (type_, *STAND_INS.get(type_, ())):
            names = self._names.get(one, {}).get(town)
            if names:
                return names
        return []


def stand_in(types: Iterable[str]) -> set[str]:
    """Widen what a town is to be the seat of.

    types (Iterable[str]): The types.
    RETURNS (set[str]): The types, those of hospitals as any hospital.
    """
    return {ANY_HOSPITAL if FAMILY_OF.get(type_) == "hospital" else type_ for type_ in types}


def _widen(type_: str) -> Iterable[str]:
    if type_ == ANY_HOSPITAL:
        return (one for one in STAND_INS if FAMILY_OF[one] == "hospital")
    return (type_,)


def _normalise(name: str) -> str:
    return " ".join(GAP.split(fold_name(name)))
