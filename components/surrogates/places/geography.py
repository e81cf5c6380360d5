"""How the places of one conversation hang together."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from ..core.pools import MIN_POOL, Pool
from ..core.scope import Scope
from ..organisations.institutions import Institutions, stand_in
from .place_list import ISLAND, LEAST_INSIDE, VILLAGE, PlaceList, Row, get_size
from .place_map import RARE

MAINLAND = {"Öland": "Kalmar"}  # of which an island that is a county by itself is a part
FOLLOWING = ("lake", "island")  # what lies from its towns as it did
SPARE = 2  # so many districts, cities or islands more than are wanted
LEAST = 2  # so many towns with a hospital, or places that follow another, to draw from
Choose = Callable[[str, Scope], str]


class Geography:
    """Finds what a place may become, given where the other places of the conversation go. They move
    as a whole:

    - The largest town goes to one of like size, traits and latitude, in the same county or a near one. If the
      county or one of its provinces is named, which stays, to a town of that county.
    - The largest town of another municipality goes to one that lies from there as it did: as far,
      and rather in the same direction; of one county, to one county.
    - The other places of a municipality go to places of the municipality that its largest goes to,
      districts of a town to districts of one.
    - The seat of a hospital, a university or a court goes to another one.
    - A lake or an island goes to one that lies from the nearest town as it did.
    - A foreign city or island goes to a city or island of the country that its country becomes, if that is named, or if
      its own has too few cities to hide in; else to one of the same country.
    - What lies on Gotland or Öland stays there, as do their names.

    All but the last wants all messages. One by one they do not know of one another: then each place
    goes to one of its likes, wherever that lies.

    places (PlaceList): The listed places.
    bases (Iterable[str]): The folded names of all places that the conversation mentions.
    homes (Mapping[str, str]): By the folded name of an unlisted place the county that its postal
        code tells.
    heads (Mapping[str, AbstractSet[str]]): By folded name what the postal codes in front of it begin with.
    institutions (Institutions | None): What has its seat where.
    wanted (Mapping[str, AbstractSet[str]]): By the folded name of a town the sorts of what is mentioned
        that has its seat there.
    cues (frozenset[str]): The traits of places that the words around them speak of.
    """

    def __init__(
        self,
        places: PlaceList,
        bases: Iterable[str],
        homes: Mapping[str, str],
        heads: Mapping[str, AbstractSet[str]] = MappingProxyType({}),
        institutions: Institutions | None = None,
        wanted: Mapping[str, AbstractSet[str]] = MappingProxyType({}),
        cues: frozenset[str] = frozenset(),
    ) -> None:
        self.places = places
        self.bases = set(bases)
        self.homes = homes
        self.heads = heads
        self.institutions = institutions
        self.wanted = wanted
        # The counties that are named, and the islands: what lies there stays there.
        self.named: set[str] = set()
        # By town or country how many of its districts, cities or islands are mentioned.
        self._inside: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        towns: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for base in self.bases:
            self.named |= places.counties.get(base, set())
            row = places.rows.get(base)
            if row and row["kind"] in LEAST_INSIDE:
                sort = row["kind"], row.get("prep") or "i"
                self._inside[self.places.fold(row.get("within", ""))][sort] += 1
            if row and row["kind"] == "district":
                row = places.rows.get(self.places.fold(row.get("within", "")))
            if row and places.is_town(folded := self.places.fold(row["name"])):
                towns[places.get_municipality(folded)].append((get_size(row), folded))
        self.named |= {MAINLAND[county] for county in self.named & MAINLAND.keys()}
        self.named |= {county for county, part in places.parts.items() if part == ISLAND}
        # By municipality the place that goes first, how many follow it, and the first of all.
        self.leads = {name: min(own)[1] for name, own in towns.items()}
        self._followers = {min(own)[1]: len({*own}) - 1 for own in towns.values()}
        self.first = min(map(min, towns.values()))[1] if towns else ""
        self._towns = sorted(town for own in towns.values() for _, town in own)
        # By an original code and the town that it goes with its surrogate.
        self.codes: dict[tuple[str, str], str] = {}
        # What has been chosen, by the folded name.
        self.chosen: dict[str, str] = {}
        # The traits of the story are those that the first town must have, and some place around it.
        others = frozenset[str]().union(*map(places.map.get_traits, self.bases - {self.first}))
        story = places.map.get_traits(self.first) & (cues | others)
        around = others & RARE
        near = {*places.map.find_having(story, around)} if story or around else set()
        # The towns that the first one may become, all if there are hardly such.
        home = places.get_within(self.first)
        if self.first in wanted:
            near &= {*self._get_institution_towns(self.first, "")}
        self._fitting = sorted(
            name
            for name in near - {self.first}
            if places.is_like_in_size(self.first, name)
            and (home not in self.named or places.get_within(name) == home)
        )
        if len(self._fitting) < LEAST:
            self._fitting = []
        self._made: list[Pool] = []

    def get_pool(self, base: str, scope: Scope, choose: Choose) -> Pool | None:
        """Find what a listed place may become.

        RETURNS (Pool | None): The places, None if it is not listed.
        """
        flat = self.places.of(base)
        row = self.places.rows.get(base)
        if flat is None or row is None:
            return flat
        within = row.get("within", "")
        if not scope.whole and self.places.parts.get(within) != ISLAND:
            return flat
        if self.places.is_town(base):
            return self._get_towns(base, row, flat, scope, choose)
        if row["kind"] == "district" and self.places.fold(within) in self.places.rows:
            town = choose(self.places.fold(within), scope)
            return self.places.inside("district", town, row.get("prep") or "i") or flat
        if row["kind"] in ("worldcity", "worldisland"):
            return self._get_abroad(row, scope, choose) or flat
        if row["kind"] in FOLLOWING and self.first:
            lead = self.places.map.find_nearest(base, self._towns) or self.first
            new = self.places.fold(choose(lead, scope))
            likes = self.places.get_likes(base)
            next_ = self._move(base, likes, flat, lead, new, MIN_POOL)
            return self._move(base, likes, next_, lead, new)
        return flat

    def _get_towns(self, base: str, row: Row, flat: Pool, scope: Scope, choose: Choose) -> Pool:
        """The towns that a town may become."""
        places, within = self.places, row.get("within", "")
        county = within if within in self.named else ""
        lead = self.leads.get(places.get_municipality(base), "")
        lead = lead if lead != base else self.first
        new = "" if not scope.whole or lead in ("", base) else places.fold(choose(lead, scope))
        if not county and new and within == places.get_within(lead):
            county = places.get_within(new)
        if county:
            flat = places.towns_in(county, get_size(row), row.get("prep") or "i")
        names: Iterable[str] = ()
        if base in self.wanted:
            names = self._get_institution_towns(base, county)
        elif not new and base == self.first and self._fitting:
            names = self._fitting
        elif not new:
            return flat if county else places.get_stand_ins(base) or flat
        elif places.get_municipality(lead) == places.get_municipality(base):
            names = places.map.towns.get(places.get_municipality(new), ())
            flat = Pool([places.rows[name]["name"] for name in names], flat) if names else flat
        elif {base, lead, new} <= places.map.spots.keys():
            names = places.map.find_towns(base, lead, new, county)
        return self._move(base, names, flat, lead if new else "", new)

    def _move(
        self, base: str, names: Iterable[str], wide: Pool, lead: str, new: str, least: int = LEAST
    ) -> Pool:
        """Those that lie from what another place becomes as a place does from that."""
        if {base, *filter(None, (lead, new))} <= self.places.map.spots.keys():
            names = self.places.map.find_best(base, names, least, lead, new)
        listed = [self.places.rows[name]["name"] for name in names if name != base]
        # Kept, as what is remembered of a pool goes by its id.
        self._made.append(Pool(listed, wide) if listed else wide)
        return self._made[-1]

    def _get_abroad(self, row: Row, scope: Scope, choose: Choose) -> Pool | None:
        """The cities or islands of the country that a country goes to, or of the same one."""
        country = self.places.fold(row.get("within", ""))
        own = self.places.inside(row["kind"], row.get("within", ""))
        is_named = country in self.bases
        if own and not is_named and len(own.members) >= MIN_POOL:
            return own
        if country not in self.places.rows or (row["kind"] == "worldisland" and not is_named):
            return None
        return self.places.inside(row["kind"], choose(country, scope))

    def _get_institution_towns(self, base: str, county: str) -> list[str]:
        """The other towns that are the seat of what a town is the seat of; rather of another hospital
        than in another county."""
        if self.institutions is None:
            return []
        sorts = self.wanted[base]
        for within in (county, "") if county else ("",):
            for own in (sorts, stand_in(sorts)):
                names = [
                    town
                    for town in self.institutions.get_towns(own) - {base}
                    if self.places.is_town(town)
                    and (not within or self.places.get_within(town) == within)
                ]
                near_home = not within or within == self.places.get_within(base)
                if len(names) >= (LEAST if near_home else 1):
                    return names
        return []

    def has_room(self, base: str, name: str) -> bool:
        """Whether a town has districts, a municipality places or a country cities, for all those that
        are mentioned, and the first town the traits that the story is about."""
        new = self.places.fold(name)
        if base == self.first and self._fitting and new not in self._fitting:
            return False
        followers = self._followers.get(base, 0)
        around = self.places.map.towns.get(self.places.get_municipality(new), ())
        return (not followers or len(around) > followers) and all(
            self.places.count_inside(name, kind, prep) >= count + SPARE
            for (kind, prep), count in self._inside.get(base, {}).items()
        )

    def get_common(self, base: str, sort: str, scope: Scope, choose: Choose) -> Pool:
        """Find what an unlisted place may become.

        sort (str): What it seems to be, "town" or "abroad" for instance.
        RETURNS (Pool): The places: of the one county or country that others are of.
        """
        home = self.homes.get(base) or self.places.get_within(self.first)
        if scope.whole and sort == "town" and home:
            if home not in self.named and home == self.places.get_within(self.first):
                home = self.places.get_within(self.places.fold(choose(self.first, scope)))
            return self.places.towns_in(home, VILLAGE)
        if scope.whole and sort == "abroad":
            listed = self.bases & self.places.rows.keys() - self.places.kept
            countries = [n for n in listed if self.places.rows[n]["kind"] == "country"]
            if len(countries) == 1:
                inside = self.places.inside("worldcity", choose(countries[0], scope))
                return inside or self.places.like(sort)
        return self.places.like(sort)
