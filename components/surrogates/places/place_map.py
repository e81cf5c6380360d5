"""Where the listed places lie, and how well one stands for another."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..core.pools import MIN_POOL

Row = Mapping[str, str]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]

KM_NORTH, KM_EAST = 111.0, 53.0  # of a degree in the middle of the country
# How much it counts that a place has a trait that the other has not.
TRAITS = {"mountain": 4.0, "border": 2.0, "finnish": 2.0, "sami": 1.0, "coast": 1.0}
PER_SIZE = 2.0
PER_KIND = 0.8  # only one is a village
METROPOLIS, PER_METROPOLIS = "Stockholm", 1.0  # only one lies in that county
PER_AREA = 2.0  # it becomes a municipality that no place is called by
PER_PREPOSITION = 30.0  # nobody lives `på` a town on land
PER_COUNTY = 2.0  # those of one county go to two
NEVER = 12.0  # what is hardly ever right
TOLERANCE, NEAR = 0.15, 20.0  # by how much a distance may change, and how many kilometres at least
BEYOND = 5.0  # how much more it counts when it changes by more
DIRECTION = 12.0  # how much less it counts where a place lies than how far
LATITUDE = 350.0  # kilometres to the north or the south that count as one, twice as many as four
AWAY = 0.4  # another county, where nothing else tells where a place should lie
FITS = 0.8  # what counts less stands for a place well, or is by so little worse than the best
ALMOST = 1.8  # the same where those are few
LIKE = 1.5  # those that are less like a place are not looked at
MANY = 150  # but so many are
LOOK = 24  # so many are looked at closely
DIGITS = 6  # that are the same on every machine


class Spot:
    """Where a place lies, in kilometres to the east and the north, and what it is like. The size is
    that of a town, 0 of others."""

    def __init__(self, row: Row, size: int) -> None:
        self.at = read_at(row)
        self.municipality = get_municipality(row)
        self.county = row.get("within", "")
        self.traits = frozenset(row.get("traits", "").split())
        on = row.get("prep") == "på"
        # Those with the same are as like or unlike any other.
        self.key = size, self.traits, row["kind"], on, self.county == METROPOLIS


def read_at(row: Row) -> complex:
    """Read where a place with coordinates lies, in kilometres to the east and the north."""
    north, east = map(float, row["at"].lstrip("~").split())
    return complex(east * KM_EAST, north * KM_NORTH)


def get_municipality(row: Row) -> str:
    """Get the municipality that a place lies in: its own name if the list names none."""
    return row.get("municipality") or row["name"]


class PlaceMap:
    """Tells where the places lie that have coordinates. Places are numbers here. Those drawn may be
    surrogates; the towns of the counties apart are surrogates of one another only."""

    def __init__(
        self,
        rows: Mapping[str, Row],
        sizes: Mapping[str, int],
        drawn: Collection[str],
        apart: Collection[str],
    ) -> None:
        self.spots = {f: Spot(row, sizes.get(f, 0)) for f, row in rows.items() if row.get("at")}
        self.names = [*self.spots]
        self.number = {folded: i for i, folded in enumerate(self.names)}
        spots = [*self.spots.values()]
        self._at = np.array([spot.at for spot in spots])
        self._sizes = np.array([spot.key[0] for spot in spots], dtype=int)
        self._traits = np.array([[t in spot.traits for t in TRAITS] for spot in spots], dtype=bool)
        self._villages = np.array([spot.key[2] == "village" for spot in spots], dtype=bool)
        self._areas = np.array([spot.key[2] == "municipality" for spot in spots], dtype=bool)
        self._on = np.array([spot.key[3] for spot in spots], dtype=bool)
        self._suburbs = np.array([spot.key[4] for spot in spots], dtype=bool)
        self._counties = _number([spot.county for spot in spots])
        self._municipalities = _number([spot.municipality for spot in spots])
        self._drawn = [folded for folded in self.names if folded in drawn]
        self._main = self.select(f for f in self._drawn if self.spots[f].county not in apart)
        self._unlike: dict[tuple[object, ...], Floats] = {}
        self._likes: dict[tuple[object, ...], Ints] = {}

    def select(self, names: Iterable[str]) -> Ints:
        """Get the places of some folded names, but those that have no coordinates."""
        return np.array(sorted(self.number[n] for n in names if n in self.number), dtype=np.intp)

    @cached_property
    def towns(self) -> Mapping[str, Sequence[str]]:
        """The towns by municipality."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self._drawn:
            found[self.spots[name].municipality].append(name)
        return found

    @cached_property
    def _crowds(self) -> Ints:
        """By municipality and size how many towns there are."""
        drawn = self.select(self._drawn)
        crowds = np.zeros((self._municipalities.max() + 1, self._sizes.max() + 2), dtype=np.intp)
        np.add.at(crowds, (self._municipalities[drawn], self._sizes[drawn]), 1)
        return crowds

    def find_having(self, some: Ints, traits: Iterable[str], around: Sequence[int]) -> Ints:
        """Find which of some towns have traits, and around them, in their municipality, others for
        all of some sizes."""
        fits = self._traits[some][:, [[*TRAITS].index(trait) for trait in traits]].all(axis=1)
        for size in {*around}:
            others = self._crowds[self._municipalities[some], size - 1 : size + 2].sum(axis=1)
            fits &= others - (abs(self._sizes[some] - size) <= 1) >= len(around)
        return some[fits]

    def get_traits(self, name: str) -> frozenset[str]:
        """Tell what is special about where a place lies: on the coast, in the mountains."""
        return self.spots[name].traits if name in self.spots else frozenset()

    def get_unlikeness(self, base: str) -> Floats:
        """Tell how unlike a place all are, wherever they lie."""
        key, one = self.spots[base].key, self.number[base]
        if key not in self._unlike:
            apart = abs(self._sizes - self._sizes[one])
            out: Floats = (self._traits ^ self._traits[one]) @ [*TRAITS.values()]
            out += PER_SIZE * apart + NEVER * (apart > 1)
            out += PER_KIND * (self._villages ^ self._villages[one])
            out += PER_METROPOLIS * (self._suburbs ^ self._suburbs[one])
            out += PER_PREPOSITION * (self._on ^ self._on[one])
            out += PER_AREA * (self._areas & ~self._areas[one])
            self._unlike[key] = out
        return self._unlike[key]

    def find_likes(self, base: str) -> Ints:
        """Find the towns that are most like one."""
        key = self.spots[base].key
        if key not in self._likes:
            unlike = self.get_unlikeness(base)[self._main]
            nth = np.sort(unlike)[:MANY][-1]
            self._likes[key] = self._main[unlike <= max(nth, LIKE)]
        return self._likes[key]

    def of_size(self, base: str, some: Ints) -> Ints:
        """Get those of some towns that are as large as one, and have its preposition."""
        one = self.number[base]
        return some[(self._sizes[some] == self._sizes[one]) & (self._on[some] == self._on[one])]

    def find_best(
        self,
        base: str,
        some: Ints,
        least: int,
        moved: Mapping[str, str],
        others: Sequence[tuple[str, Ints]] = (),
    ) -> Iterator[list[str]]:
        """Find which of some places stand for one well, at least so many; then the next few, and so on.

        moved (Mapping[str, str]): Places of the conversation and what they become, from which it is to lie as
            it did.
        others (Sequence[tuple[str, Ints]]): Further ones with what they may become, likewise.
        YIELDS (list[str]): Folded names.
        """
        news = {other: np.array(self.number[new]) for other, new in moved.items()}
        misfit = self._get_misfit(base, some, news)
        if others:
            order = np.argsort(misfit, kind="stable")[:LOOK]
            some, misfit = some[order], misfit[order]
            # Each goes where it fits best, for every choice of the first.
            news[base] = some[:, None]
            for other, its in others:
                costs = np.round(self._get_misfit(other, its, news), DIGITS)
                misfit = misfit + costs.min(axis=1)
                news[other] = its[costs.argmin(axis=1)][:, None]
        misfit = np.round(misfit, DIGITS)
        order = np.argsort(misfit, kind="stable")
        best = misfit[order[0]]
        fitting, near, some_how = (
            int(np.count_nonzero(misfit <= max(most, best + most)))
            for most in (FITS, ALMOST, NEVER)
        )
        count = max(fitting, min(least, near), 1 if moved else min(least, MIN_POOL, some_how))
        ranked = [self.names[number] for number in some[order].tolist()]
        start = 0
        for end in (count, count + 2, count + 6, count + LOOK):
            if ranked[start:end]:
                yield ranked[start:end]
            start = end

    def _get_misfit(self, base: str, some: Ints, moved: Mapping[str, Ints]) -> Floats:
        """Tell how badly places stand for another."""
        out: Floats = self.get_unlikeness(base)[some]
        for other, new in moved.items():
            out = out + self._get_shifts(base, some, other, new)
        if not moved:
            one = self.number[base]
            north = ((self._at[some] - self._at[one]).imag / LATITUDE) ** 2
            away = AWAY * (self._counties[some] != self._counties[one])
            out = out + north + away
        return out

    def _get_shifts(self, base: str, some: Ints, other: str, new: Ints) -> Floats:
        """How far places are from where one would lie, had all moved as a whole: its distance from
        another place counts more than its direction."""
        one, two = self.number[base], self.number[other]
        was, are = self._at[one] - self._at[two], self._at[some] - self._at[new]
        distance = abs(was)
        slack = max(NEAR, TOLERANCE * distance)
        out: Floats = BEYOND * np.maximum(0, abs(abs(are) - distance) / slack - 1)
        out += abs(are - was) / (slack * DIRECTION) + NEVER * (some == new)
        are_towns = self._sizes[one] and self._sizes[two]
        if are_towns:
            together = self._municipalities[one] == self._municipalities[two]
            out += NEVER * ((self._municipalities[some] == self._municipalities[new]) != together)
        if not are_towns or self._counties[one] == self._counties[two]:
            out += PER_COUNTY * (self._counties[some] != self._counties[new])
        return out


def _number(names: Sequence[str]) -> Ints:
    """A number for each name, the same for the same."""
    numbers = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.intp)
