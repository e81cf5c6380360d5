"""Where the listed places lie, and how well one stands for another."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import hypot
from typing import NamedTuple

Row = Mapping[str, str]

KM_NORTH, KM_EAST = 111.0, 53.0  # of a degree in the middle of the country
# How much it counts that a place has a trait that the other has not.
TRAITS = {"mountain": 4.0, "border": 2.0, "finnish": 2.0, "sami": 1.0, "coast": 1.0}
PER_SIZE = 0.7
# By kind of a place what it counts that it becomes one of another kind: nobody lives in the middle of a
# municipality that no place is called by.
PER_KIND = {
    ("city", "municipality"): 2.0,
    ("village", "municipality"): 2.0,
    ("village", "city"): 0.5,
    ("city", "village"): 1.0,
    ("municipality", "village"): 1.5,
    ("municipality", "city"): 0.5,
}
TOLERANCE, NEAR = 0.2, 10.0  # by how much a distance may change, and how many kilometres at least
DIRECTION = 8.0  # how much less it counts where a place lies than how far
LATITUDE = 350.0  # kilometres to the north or the south that count as one, twice as many as four
FITS = 0.8  # what counts less stands for a place well, or is by so little worse than the best
FAR = 10  # so many municipalities are looked at


class Spot(NamedTuple):
    """Where a place lies and what it is like."""

    east: float
    north: float
    municipality: str
    county: str
    size: int
    traits: frozenset[str]
    kind: str


class PlaceMap:
    """Tells where the places lie that have coordinates in the list.

    rows (Mapping[str, Row]): Their rows, by folded name.
    drawn (Iterable[tuple[str, int]]): The folded names of towns that may be surrogates, and their sizes.
    """

    def __init__(self, rows: Mapping[str, Row], sizes: Mapping[str, int]) -> None:
        self.spots: dict[str, Spot] = {}
        # By municipality its towns.
        self.towns: dict[str, list[str]] = defaultdict(list)
        for folded, row in rows.items():
            if row.get("at"):
                north, east = map(float, row["at"].lstrip("~").split())
                self.spots[folded] = Spot(
                    east * KM_EAST,
                    north * KM_NORTH,
                    row.get("municipality") or row["name"],
                    row.get("within", ""),
                    sizes.get(folded, 0),
                    frozenset(row.get("traits", "").split()),
                    row["kind"],
                )
                if folded in sizes and not row.get("ambiguous"):
                    self.towns[self.spots[folded].municipality].append(folded)
        self._centres = [
            (name, max((self.spots[town] for town in towns), key=lambda spot: (-spot.size, spot)))
            for name, towns in sorted(self.towns.items())
        ]

    def misfit(self, base: str, other: str, lead: str = "", new: str = "") -> float:
        """Tell how badly a place stands for another.

        lead (str), new (str): A place of the same conversation and what it becomes, from which the
            other is to lie as the one does.
        """
        one, two = self.spots[base], self.spots[other]
        out = sum(TRAITS.get(trait, 0.0) for trait in one.traits ^ two.traits)
        out += PER_SIZE * abs(one.size - two.size) + PER_KIND.get((one.kind, two.kind), 0.0)
        if not lead:
            return out + ((one.north - two.north) / LATITUDE) ** 2
        return out + _get_shift(one, two, self.spots[lead], self.spots[new])

    def find_best(
        self, base: str, names: Iterable[str], least: int, lead: str = "", new: str = ""
    ) -> list[str]:
        """Find those that stand for a place well, at least so many."""
        ranked = sorted(
            (self.misfit(base, name, lead, new), name)
            for name in names
            if name in self.spots and name != base
        )
        most = max(FITS, ranked[0][0] + FITS) if ranked else 0.0
        return [name for i, (misfit, name) in enumerate(ranked) if misfit <= most or i < least]

    def find_towns(self, base: str, lead: str, new: str, county: str) -> list[str]:
        """Find the towns of the municipalities that lie from a place as one does from another.

        county (str): The county that they are to lie in, "" for any.
        """
        one, from_, to = self.spots[base], self.spots[lead], self.spots[new]
        ranked = sorted(
            (_get_shift(one, spot, from_, to), name)
            for name, spot in self._centres
            if name not in (one.municipality, to.municipality) and county in ("", spot.county)
        )
        return [town for _, name in ranked[:FAR] for town in self.towns[name]]


def _get_shift(one: Spot, two: Spot, from_: Spot, to: Spot) -> float:
    """How far a place is from where it would lie, had all moved as a whole: its distance from another
    place counts more than its direction."""
    distance = hypot(one.east - from_.east, one.north - from_.north)
    slack = max(NEAR, TOLERANCE * distance)
    change = abs(hypot(two.east - to.east, two.north - to.north) - distance)
    shift = hypot(
        two.east - to.east - one.east + from_.east, two.north - to.north - one.north + from_.north
    )
    return max(0.0, change / slack - 1) + shift / slack / DIRECTION
