"""Where the listed places lie, and how well one stands for another."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Row = Mapping[str, str]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Complexes = npt.NDArray[np.complex128]

KM_NORTH, KM_EAST = 111.0, 53.0  # of a degree in the middle of the country
# How much it counts that a place has a trait that the other has not.
TRAITS = {"mountain": 4.0, "border": 2.0, "finnish": 2.0, "sami": 1.0, "coast": 1.0}
RARE = frozenset(("mountain", "border", "finnish"))
REACH = 130.0  # kilometres within which one looks for a place that has a trait
PER_SIZE = 0.7
PER_KIND = 0.8  # only one is a village
PER_PREPOSITION = 4.0  # nobody lives `på` a town on land
PER_AREA = 2.0  # it becomes a municipality that no place is called by
TOLERANCE, NEAR = 0.2, 10.0  # by how much a distance may change, and how many kilometres at least
DIRECTION = 8.0  # how much less it counts where a place lies than how far
LATITUDE = 350.0  # kilometres to the north or the south that count as one, twice as many as four
FITS = 0.8  # what counts less stands for a place well, or is by so little worse than the best
FAR = 10  # so many municipalities are looked at


class Spot(NamedTuple):
    """Where a place lies, in kilometres to the east and the north, and what it is like."""

    at: complex
    municipality: str
    county: str
    size: int
    traits: frozenset[str]
    kind: str
    preposition: str


def read_at(row: Row) -> complex:
    """Read where a place with coordinates lies, in kilometres to the east and the north."""
    north, east = map(float, row["at"].lstrip("~").split())
    return complex(east * KM_EAST, north * KM_NORTH)


def get_municipality(row: Row) -> str:
    """Get the municipality that a place lies in: its own name if none is told."""
    return row.get("municipality") or row["name"]


class PlaceMap:
    """Tells where the places lie that have coordinates in the list.

    rows (Mapping[str, Row]): The rows of all places, by folded name.
    sizes (Mapping[str, int]): By folded name the sizes of the towns that may be surrogates.
    """

    def __init__(self, rows: Mapping[str, Row], sizes: Mapping[str, int]) -> None:
        self.spots: dict[str, Spot] = {}
        # By municipality its towns.
        self.towns: dict[str, list[str]] = defaultdict(list)
        for folded, row in rows.items():
            if row.get("at"):
                self.spots[folded] = Spot(
                    read_at(row),
                    get_municipality(row),
                    row.get("within", ""),
                    sizes.get(folded, 0),
                    frozenset(row.get("traits", "").split()),
                    row["kind"],
                    row.get("prep") or "i",
                )
                if folded in sizes and not row.get("ambiguous"):
                    self.towns[self.spots[folded].municipality].append(folded)
        spots = [*self.spots.values()]
        self._index = {folded: i for i, folded in enumerate(self.spots)}
        self._at = np.array([spot.at for spot in spots])
        self._sizes = np.array([spot.size for spot in spots])
        self._traits = np.array([[t in spot.traits for t in TRAITS] for spot in spots])
        self._villages = np.array([spot.kind == "village" for spot in spots])
        self._on = np.array([spot.preposition == "på" for spot in spots])
        self._areas = np.array([spot.kind == "municipality" for spot in spots])
        self.all_towns = [*chain.from_iterable(self.towns.values())]
        self._all_towns = np.array([self._index[town] for town in self.all_towns], dtype=int)
        # By municipality its largest town.
        centres = {
            name: min(towns, key=lambda town: self.spots[town].size)
            for name, towns in sorted(self.towns.items())
        }
        self._centres = [self.spots[town] for town in centres.values()]
        self._centres_at = np.array([spot.at for spot in self._centres])

    def misfit(self, base: str, names: Sequence[str], lead: str = "", new: str = "") -> Floats:
        """Tell how badly some places stand for another.

        lead (str), new (str): A place of the same conversation and what it becomes, from which the
            others are to lie as the one does.
        RETURNS (Floats): One for each of the names.
        """
        one, some = self._index[base], [self._index[name] for name in names]
        out: Floats = (self._traits[some] ^ self._traits[one]) @ [*TRAITS.values()]
        out += PER_SIZE * abs(self._sizes[some] - self._sizes[one])
        out += PER_KIND * (self._villages[some] ^ self._villages[one])
        out += PER_PREPOSITION * (self._on[some] ^ self._on[one])
        out += PER_AREA * (self._areas[some] & ~self._areas[one])
        if not lead:
            return out + ((self._at[some] - self._at[one]).imag / LATITUDE) ** 2
        was = self.spots[base].at - self.spots[lead].at
        return out + _get_shifts(was, self._at[some] - self.spots[new].at)

    def get_traits(self, name: str) -> frozenset[str]:
        """Tell what is special about where a place lies: on the coast, in the mountains."""
        return self.spots[name].traits if name in self.spots else frozenset()

    def find_nearest(self, base: str, names: Iterable[str]) -> str:
        """Find the place that lies nearest to another, "" if nothing tells where they lie."""
        if base not in self.spots:
            return ""
        at = self.spots[base].at
        listed = (name for name in names if name in self.spots)
        return min(listed, key=lambda name: abs(self.spots[name].at - at), default="")

    def find_having(self, traits: Iterable[str], near: Iterable[str]) -> list[str]:
        """Find the towns that have some traits, and places with others near them."""
        all_, some = [*TRAITS], self._all_towns
        having = self._traits[some][:, [all_.index(trait) for trait in traits]]
        fitting: Bools = np.logical_and.reduce(having, axis=1)
        for trait in near:
            fitting &= self._near[some, all_.index(trait)]
        return [town for town, fits in zip(self.all_towns, fitting) if fits]

    @cached_property
    def _near(self) -> Bools:
        """By place and trait whether a place that has it lies near."""
        near = [abs(self._at[:, None] - self._at[has]) < REACH for has in self._traits.T]
        return np.stack([own.any(axis=1) for own in near], axis=1)

    def find_best(
        self, base: str, names: Iterable[str], least: int, lead: str = "", new: str = ""
    ) -> list[str]:
        """Find those that stand for a place well, at least so many."""
        listed = [name for name in names if name in self.spots and name != base]
        if not listed:
            return []
        ranked = sorted(zip(self.misfit(base, listed, lead, new).tolist(), listed))
        most = max(FITS, ranked[0][0] + FITS)
        return [name for i, (misfit, name) in enumerate(ranked) if misfit <= most or i < least]

    def find_towns(self, base: str, lead: str, new: str, county: str) -> list[str]:
        """Find the towns of the municipalities that lie from a place as one does from another.

        county (str): The county that they are to lie in, "" for any.
        """
        one, to = self.spots[base], self.spots[new]
        shifts = _get_shifts(one.at - self.spots[lead].at, self._centres_at - to.at)
        ranked = (self._centres[i] for i in shifts.argsort(kind="stable"))
        others = (
            spot.municipality
            for spot in ranked
            if spot.municipality not in (one.municipality, to.municipality)
            and county in ("", spot.county)
        )
        return [town for name in islice(others, FAR) for town in self.towns[name]]


def _get_shifts(was: complex, are: Complexes) -> Floats:
    """How far places are from where one would lie, had all moved as a whole: its distance from another
    place counts more than its direction."""
    slack = max(NEAR, TOLERANCE * abs(was))
    shifts: Floats = np.maximum(0, abs(abs(are) - abs(was)) / slack - 1)
    return shifts + abs(are - was) / slack / DIRECTION
