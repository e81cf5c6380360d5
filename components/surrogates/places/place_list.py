"""The places that are listed: what is like what, and what lies where."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import chain

from babel import Locale

from ...lists.neighbours import FUZZY_MIN, Neighbours
from ...text.casing import fold
from ..core.pools import MIN_POOL, Pool, Pools
from ..people.name_origins import HOME as OWN
from ..people.name_origins import Origins
from .place_cues import PLAIN
from .place_map import Ints, PlaceMap, get_municipality

Row = Mapping[str, str]

# Too large to point at anybody: they stay as they are, as do the provinces of this country.
KEPT = frozenset(("continent", "county"))
HOME = "Sverige"
SURE = 1.0  # by how much, as a logarithm, the name of a place must be likelier abroad
TOWNS = frozenset(("city", "municipality", "village"))
# A name that several kinds of place bear counts as the first of these.
KINDS = ("continent", "county", "province", "country", "island", "city", "municipality", "village")
VILLAGE, TOWN = 4, 3  # the size of a place that the list gives none
COMMON = (TOWN, VILLAGE)  # the sizes that an unlisted place may have
MIN_DISTRICTS = 5  # a town that has so many stands for another one with districts
MIN_CITIES = 3  # as does a country
MIN_LIKES = 3  # of one preposition, for it to be kept
# Of what sort a listed place is for which the words in front have another.
KINDS_OF = {
    "lake": ("lake",),
    "river": ("lake",),
    "island": ("island", "worldisland", "province", "county", "country"),
    "farm": ("farm",),
}
ISLAND = "ö"  # a part of the country by itself
NOWHERE = "old"  # of the sorts: nobody is sent there
# How the features of a pool begin for what an unlisted place seems to be.
FIRSTS = {
    "island": "på island",
    "square": "på square",
    "farm": "på farm",
    "river": "i lake river",
    "airport": "på airport ",
}
# What lies in a town or a country, and how many there must be for one of them to be drawn.
LEAST_INSIDE = {"district": MIN_DISTRICTS, "worldcity": MIN_CITIES, "worldisland": MIN_CITIES}
LARGE = "big "  # of the sorts: a large lake
SHORT = "short"  # of the sorts: an abbreviation


class PlaceList:
    """Reads the lists `places` and `counties`, and makes pools of likes."""

    def __init__(self, lists: Mapping[str, Sequence[Row]]) -> None:
        self.rows: dict[str, Row] = {}
        self.folded: dict[str, str] = {}
        for row in lists.get("places", ()):
            folded = self.folded[row["name"]] = fold(row["name"])
            if folded not in self.rows or _rank(row) < _rank(self.rows[folded]):
                self.rows[folded] = row
        self.kept = {folded for folded, row in self.rows.items() if _stays(row)}
        # By another name of a place the name that it is listed by, by that its other names, and its
        # abbreviation.
        self.same = {f: fold(row["same"]) for f, row in self.rows.items() if row.get("same")}
        self.names: dict[str, list[str]] = defaultdict(list)
        for folded, main in self.same.items():
            self.names[main].append(folded)
        # By a place that lies in another one of its kind, or has such in it, what they share.
        self.groups = {f: fold(row["group"]) for f, row in self.rows.items() if row.get("group")}
        self.short = {
            main: self.rows[f]["name"]
            for f, main in self.same.items()
            if self.rows[f].get("sort") == SHORT
        }
        self.parts = {row["county"]: row["part"] for row in lists.get("counties", ())}
        # By a county or province the counties that it is, or is a part of.
        self.counties: dict[str, set[str]] = defaultdict(set)
        for row in lists.get("counties", ()):
            for name in row["names"].split(", "):
                self.counties[fold(name)].add(row["county"])
        self._within: dict[tuple[str, str], list[str]] = defaultdict(list)
        for row in self.rows.values():
            if row["kind"] in LEAST_INSIDE and is_drawn(row):
                self._within[row["kind"], row.get("within", "")].append(row["name"])
        keys = {
            folded: self._get_key(row)
            for folded, row in self.rows.items()
            if folded not in self.kept and row["kind"] != "road"
        }
        drawn = {self.rows[f]["name"]: key for f, key in keys.items() if is_drawn(self.rows[f])}
        self.pools = Pools(drawn, ambiguous=get_ambiguous(self.rows.values()))
        self._others = {f: key for f, key in keys.items() if not is_drawn(self.rows[f])}
        self.english = _get_english(self.rows)
        self.swedish = {fold(name): folded for folded, name in self.english.items()}
        self.longest = max(map(len, self.rows), default=0)
        self._made: dict[tuple[str, ...], Pool] = {}
        self._likes: dict[str, Ints] = {}
        # By place what it becomes where no other is mentioned.
        self.alone: dict[str, Pool] = {}

    # What is like what

    def _get_key(self, row: Row) -> tuple[str, ...]:
        """What a place shares with its likes, the most important first."""
        kind, within, sort = row["kind"], row.get("within", ""), row.get("sort", "")
        if sort == NOWHERE:
            sort = kind if kind == "park" else ""
        prep = row.get("prep") or "i"
        if kind in TOWNS:
            return f"{prep} town", self._get_band(row), self.parts.get(within, ""), within
        if kind == "district":
            town = self.rows.get(self.fold(within))
            return f"{prep} {kind}", self._get_band(town) if town else ""
        if kind == "country":
            cities = self._within.get(("worldcity", row["name"]), ())
            return f"{prep} {kind}", within, sort, "cities" if len(cities) >= MIN_CITIES else ""
        if kind.startswith("world"):
            continent = self.rows.get(self.fold(within), {}).get("within") or within
            return f"{prep} {kind} {sort}", continent, within
        if kind == "island":
            return f"{prep} {kind}", sort, self.parts.get(within, ""), within
        if kind in ("lake", "park", "airport"):
            home = HOME if within in self.parts else within
            return f"{prep} {kind} {sort}", home if kind == "lake" else ""
        return f"{prep} {kind}", within

    def _get_band(self, row: Row) -> str:
        """The size of a town, whether it has districts, and a town hall and courts."""
        size = get_size(row)
        if len(self._within.get(("district", row["name"]), ())) >= MIN_DISTRICTS:
            return f"{size} with districts"
        return f"{size} seat" if row["kind"] != "village" else str(size)

    def fold(self, name: str) -> str:
        """Fold a name, one that is listed in no time."""
        return self.folded.get(name) or fold(name)

    def resolve(self, base: str) -> str:
        """Find the name that a place is listed by."""
        return self.same.get(base, base)

    def is_kin(self, base: str, name: str) -> bool:
        """Whether two names are of one place, or of a place and one that lies in it."""
        one, other = self.resolve(base), self.resolve(self.fold(name))
        return one == other or self.groups.get(one, one) == self.groups.get(other, other)

    def is_town(self, base: str) -> bool:
        """Whether a place is a listed town or village."""
        return base in self.rows and self.rows[base]["kind"] in TOWNS

    def is_like_in_size(self, base: str, name: str) -> bool:
        """Whether two towns are hardly of different sizes."""
        other = self.fold(name)
        if not (self.is_town(base) and self.is_town(other)):
            return True
        return abs(get_size(self.rows[base]) - get_size(self.rows[other])) <= 1

    def fits(self, base: str, sort: str) -> bool:
        """Whether a listed place may be of the sort that the words in front of it tell, "" if
        none."""
        kinds = KINDS_OF.get(sort)
        if sort == "airport" and self.rows[base]["kind"] in ("village", "district"):
            return not {f"{base} flygplats", f"{base}s flygplats"} & self.rows.keys()
        return kinds is None or self.rows[base]["kind"] in kinds

    def get_municipality(self, base: str) -> str:
        """Tell the municipality of a listed town."""
        return get_municipality(self.rows[base])

    def get_within(self, base: str) -> str:
        """Get the county, town, country or continent that a place lies in; "" if it is not
        listed."""
        return self.rows[base].get("within", "") if base in self.rows else ""

    def find_near(self, base: str) -> str:
        """Find the one listed place that an unlisted one misspells; "" if there is none or
        several."""
        near = self._near.find(base) if len(base) >= FUZZY_MIN else []
        return near[0] if len(near) == 1 else ""

    def find_largest(self, towns: Sequence[str]) -> str:
        """Find the largest of those towns that are listed, of several the first; "" if none is."""
        listed = (town for town in towns if self.is_town(town))
        return min(listed, key=lambda town: get_size(self.rows[town]), default="")

    # Pools

    def of(self, base: str) -> Pool | None:
        """Find the likes of a place, wherever they lie; None if it is not listed."""
        if base in self._others:
            return self.pools.like(*self._others[base])
        return self.pools.by_value.get(base)

    def towns_in(self, county: str, size: int, prep: str = "i") -> Pool:
        """Find towns of a county and a size; of the next sizes, else of any county, if they are too
        few."""
        key = "town", county, str(size), prep
        if key not in self._made:
            rows = self._towns.get((county, prep), ())
            steps = sorted(abs(get_size(row) - size) for row in rows)
            most = steps[MIN_POOL - 1] if len(steps) >= MIN_POOL else 0
            names = [row["name"] for row in rows if abs(get_size(row) - size) <= most]
            wide = self.pools.like(f"{prep} town", str(size), self.parts.get(county, ""), county)
            self._made[key] = Pool(names, wide) if len(names) >= MIN_POOL else wide
        return self._made[key]

    def inside(self, kind: str, within: str, prep: str = "i") -> Pool | None:
        """Find the districts of a town, or the cities or islands of a country, if there are enough
        with this preposition; None if there are too few."""
        names: Sequence[str] = self._within.get((kind, within), ())
        if len(names) < LEAST_INSIDE[kind]:
            return None
        if (kind, within, prep) not in self._made:
            rows = [self.rows[self.fold(name)] for name in names]
            clear = [row for row in rows if not row.get("ambiguous")]
            fitting = [row for row in clear if (row.get("prep") or "i") == prep]
            chosen = next((some for some in (fitting, clear) if len(some) >= MIN_LIKES), rows)
            wide = self.of(self.fold(names[0]))
            self._made[kind, within, prep] = Pool((row["name"] for row in chosen), wide)
        return self._made[kind, within, prep]

    def count_inside(self, name: str, kind: str, prep: str) -> int:
        """Count the districts of a town, or the cities or islands of a country."""
        return self._rooms[name, kind, prep]

    @cached_property
    def _rooms(self) -> Counter[tuple[str, str, str]]:
        rows = (self.rows[self.fold(inner)] for own in self._within.values() for inner in own)
        return Counter(
            (row.get("within", ""), row["kind"], row.get("prep") or "i")
            for row in rows
            if not row.get("ambiguous")
        )

    def find_likes(self, base: str) -> Ints:
        """Find the towns that are most like one, or what is of one kind with another place,
        wherever it lies."""
        if self.is_town(base):
            return self.map.find_likes(base)
        own = self._get_key(self.rows[base])[0].replace(LARGE, "")
        if own not in self._likes:
            pools = self.pools.groups.items()
            alike = (pool.folded for key, pool in pools if key[0].replace(LARGE, "") == own)
            self._likes[own] = self.map.select(chain.from_iterable(alike))
        return self._likes[own]

    def like(self, sort: str) -> Pool:
        """Find the pool for an unlisted place of a sort: "town", or what `guess_sort` gives."""
        if sort == "town":
            return self._common
        if sort == "abroad":
            return self._foreign
        first = FIRSTS.get(sort, f"i {sort} {sort}")
        return self.pools.like(first) if first in self._firsts else self._common

    def common_with(self, traits: AbstractSet[str]) -> Pool:
        """Find towns and villages that nobody wonders at where people speak of something."""
        key = "common", *sorted(traits)
        if key not in self._made:
            fits = (n for n in self._common.folded if traits <= self.map.get_traits(n))
            names = [self.rows[name]["name"] for name in fits]
            self._made[key] = Pool(names, self._common) if len(names) >= MIN_POOL else self._common
        return self._made[key]

    @cached_property
    def map(self) -> PlaceMap:
        """Where the places lie. Nobody is sent to an island whose towns stay on it."""
        sizes = {f: get_size(row) for f, row in self.rows.items() if row["kind"] in TOWNS}
        drawn = {self.fold(row["name"]) for own in self._towns.values() for row in own}
        apart = {county for county, part in self.parts.items() if part == ISLAND}
        return PlaceMap(self.rows, sizes, drawn, apart)

    @cached_property
    def _near(self) -> Neighbours:
        return Neighbours(f for f, row in self.rows.items() if row["kind"] != "road")

    @cached_property
    def _firsts(self) -> set[str]:
        return {key[0] for key in self.pools.groups}

    @cached_property
    def _towns(self) -> dict[tuple[str, str], list[Row]]:
        """The towns that are no words, by county and preposition."""
        towns: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in self.rows.values():
            if row["kind"] in TOWNS and is_drawn(row) and not row.get("ambiguous"):
                towns[row.get("within", ""), row.get("prep") or "i"].append(row)
        return towns

    @cached_property
    def _common(self) -> Pool:
        """Towns and villages that nobody wonders at."""
        towns = chain.from_iterable(own for (_, prep), own in self._towns.items() if prep == "i")
        names = [row["name"] for row in towns if get_size(row) in COMMON]
        return Pool(names) if len(names) >= MIN_POOL else self.pools.like("i town")

    @cached_property
    def _foreign(self) -> Pool:
        names = [n for (kind, _), own in self._within.items() if kind == "worldcity" for n in own]
        clear = [name for name in names if not self.rows[self.fold(name)].get("ambiguous")]
        return Pool(clear) if len(clear) >= MIN_POOL else self._common

    def is_foreign(self, name: str) -> bool:
        """Whether the letters of a name that is not listed are those of a foreign one: `Qvarnby` is but
        an old spelling."""
        return bool(self._origins.guess(name.replace("qv", "kv")))

    @cached_property
    def _origins(self) -> Origins:
        rows: dict[str, Row] = {}
        for folded, row in self.rows.items():
            if row["kind"] in TOWNS or row["kind"] == "worldcity":
                rows[folded] = {"origin": OWN if row["kind"] in TOWNS else "abroad"}
        return Origins(rows, sure=SURE)


def get_size(row: Row) -> int:
    """Tell how large a town is."""
    return int(row.get("size") or (VILLAGE if row["kind"] == "village" else TOWN))


def is_drawn(row: Row) -> bool:
    """Whether a listed place may be a surrogate."""
    return not row.get("same") and row.get("sort") != NOWHERE and " i " not in row["name"]


def get_ambiguous(rows: Iterable[Row]) -> set[str]:
    """Find the names that are ordinary words, too."""
    return {row["name"] for row in rows if row.get("ambiguous")}


def _stays(row: Row) -> bool:
    if row["kind"] == "province":
        return row.get("within") in (HOME, "")
    return row["kind"] in KEPT or row["name"] == HOME


def _rank(row: Row) -> int:
    return KINDS.index(row["kind"]) if row["kind"] in KINDS else len(KINDS)


def _get_english(rows: Mapping[str, Row]) -> dict[str, str]:
    """The English names of the listed countries where they differ, by their folded name."""
    english = Locale("en").territories
    return {
        fold(name): english[code]
        for code, name in Locale("sv").territories.items()
        if fold(name) in rows and fold(english[code]) not in rows and PLAIN.fullmatch(english[code])
    }
