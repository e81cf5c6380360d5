"""Where the listed places lie, and how well one stands for another."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

Row = Mapping[str, str]

KM_NORTH, KM_EAST = 111.0, 53.0  # of a degree in the middle of the country
# How much it counts that a place has a trait that the other has not.
TRAITS = {"mountain": 4.0, "border": 2.0, "finnish": 2.0, "sami": 1.0, "coast": 1.0}
RARE = frozenset(("mountain", "border", "finnish"))
REACH = 130.0  # kilometres within which one looks for a place that has a trait
PER_SIZE = 0.7
PER_KIND = 0.8  # only one is a village
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
                north, east = map(float, row["at"].lstrip("~").split())
                self.spots[folded] = Spot(
                    complex(east * KM_EAST, north * KM_NORTH),
                    row.get("municipality") or row["name"],
                    row.get("within", ""),
                    sizes.get(folded, 0),
                    frozenset(row.get("traits", "").split()),
                    row["kind"],
                )
                if folded in sizes and not row.get("ambiguous"):
                    self.towns[self.spots[folded].municipality].append(folded)
        self._centres = [
            (name, min((self.spots[town] for town in towns), key=lambda spot: spot.size))
            for name, towns in self.towns.items()
        ]

    def misfit(self, base: str, other: str, lead: str = "", new: str = "") -> float:
        """Tell how badly a place stands for another.

        lead (str), new (str): A place of the same conversation and what it becomes, from which the
            other is to lie as the one does.
        """
        one, two = self.spots[base], self.spots[other]
        out = sum(TRAITS.get(trait, 0.0) for trait in one.traits ^ two.traits)
        out += PER_SIZE * abs(one.size - two.size)
        out += PER_KIND * ((one.kind == "village") != (two.kind == "village"))
        out += PER_AREA * (one.kind != two.kind == "municipality")
        if not lead:
            return out + ((one.at - two.at).imag / LATITUDE) ** 2
        return out + _get_shift(one, two, self.spots[lead], self.spots[new])

    def get_traits(self, name: str) -> frozenset[str]:
        """Tell what is special about where a place lies: on the coast, in the mountains."""
        return self.spots[name].traits if name in self.spots else frozenset()

    def is_near(self, name: str, trait: str) -> bool:
        """Whether a place with a trait lies near another one."""
        at = self.spots[name].at if name in self.spots else 0
        return any(trait in s.traits and abs(s.at - at) < REACH for s in self.spots.values())

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
    was, is_ = one.at - from_.at, two.at - to.at
    slack = max(NEAR, TOLERANCE * abs(was))
    return max(0.0, abs(abs(is_) - abs(was)) / slack - 1) + abs(is_ - was) / slack / DIRECTION
