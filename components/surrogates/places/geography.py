"""How the places of one conversation hang together."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet

import numpy as np

from ..core.pools import MIN_POOL, Pool
from ..core.scope import Scope
from ..organisations.institutions import Institutions, stand_in
from .place_list import ISLAND, LEAST_INSIDE, VILLAGE, PlaceList, Row, get_size
from .place_map import Ints

MAINLAND = {"Öland": "Kalmar"}  # of which an island that is a county by itself is a part
FOLLOWING = ("lake", "island")  # what lies from its towns as it did
SPARE = 2  # so many districts, cities or islands more than are wanted
LEAST = 2  # so many towns with a hospital in a county, or places that the story is true of
FEW = 3  # so many places to draw from
AT_LEAST = 40  # so many towns for the first one
MOST = 6  # so many places are looked at together
Choose = Callable[[str, Scope], str]


class Geography:
    """Finds what a place may become, given where the other places of the conversation go. They move
    as a whole. Each is chosen so that those after it still find a place, and keep their distances:

    - The largest town goes to one of like size, traits and latitude, in the same county or a near one. If the
      county or one of its provinces is named, which stays, to a town of that county.
    - The largest town of another municipality goes to one that lies from there as it did: as far,
      and rather in the same direction; of one county, to one county.
    - The other places of a municipality go to places of the municipality that its largest goes to,
      districts of a town to districts of one.
    - The seat of a hospital, a university or a court goes to another one.
    - A lake or an island goes to one that lies from the towns as it did.
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
    institutions (Institutions): What has its seat where.
    wanted (Mapping[str, AbstractSet[str]]): By the folded name of a town the sorts of what is mentioned
        that has its seat there.
    cues (frozenset[str]): The traits of places that the words around them speak of.
    """

    def __init__(
        self,
        places: PlaceList,
        bases: Iterable[str],
        homes: Mapping[str, str],
        heads: Mapping[str, AbstractSet[str]],
        institutions: Institutions,
        wanted: Mapping[str, AbstractSet[str]],
        cues: frozenset[str],
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
        # By municipality the place that goes first, the sizes of those that follow, and the first of all.
        leads = {name: min(own)[1] for name, own in towns.items()}
        self._followers = {
            min(own)[1]: [size for size, _ in sorted({*own})[1:]] for own in towns.values()
        }
        first = min(map(min, towns.values()))[1] if towns else ""
        # The towns of the conversation, then what lies by them, in the order in which they go.
        ranked = [
            (town not in leads.values(), size, town) for own in towns.values() for size, town in own
        ]
        order = [*dict.fromkeys([first, *(town for *_, town in sorted(ranked))])] if towns else []
        order += sorted(
            b for b in self.bases if b in places.rows and places.rows[b]["kind"] in FOLLOWING
        )
        self.first = first
        self._order = [base for base in order if base in places.map.spots] if towns else []
        # By an original code and the town that it goes with its surrogate.
        self.codes: dict[tuple[str, str], str] = {}
        # What has been chosen, by the folded name.
        self.chosen: dict[str, str] = {}
        # The traits of places that the story is about.
        self._cues = cues
        self._story = cues & frozenset[str]().union(*map(places.map.get_traits, self._order))
        # Nothing but the one place tells what it may become.
        own = {places.get_within(self.first)} & self.named
        self._is_plain = len(self._order) == 1 and not (
            wanted or own or self._inside or self._story
        )
        self._made: list[Pool] = []

    def get_pool(self, base: str, scope: Scope, choose: Choose) -> Pool | None:
        """Find what a listed place may become; None if it is not listed."""
        flat = self.places.of(base)
        row = self.places.rows.get(base)
        if flat is None or row is None:
            return flat
        within = row.get("within", "")
        if not scope.whole and self.places.parts.get(within) != ISLAND:
            return flat
        if scope.whole and base in self._order:
            return self._get_near(base, flat, scope, choose)
        if self.places.is_town(base):
            if scope.whole and base != self.first and within == self.places.get_within(self.first):
                within = self.places.get_within(self.places.fold(choose(self.first, scope)))
            elif within not in self.named:
                return flat
            return self.places.towns_in(within, get_size(row), row.get("prep") or "i")
        if row["kind"] == "district" and self.places.fold(within) in self.places.rows:
            town = choose(self.places.fold(within), scope)
            return self.places.inside("district", town, row.get("prep") or "i") or flat
        if row["kind"] in ("worldcity", "worldisland"):
            return self._get_abroad(row, scope, choose) or flat
        return flat

    def _get_near(self, base: str, flat: Pool, scope: Scope, choose: Choose) -> Pool:
        """What is like a place and lies as it did from what those before it become."""
        if self._is_plain and base in self.places.alone:
            return self.places.alone[base]
        at = self._order.index(base)
        others = {
            other: self.places.fold(choose(other, scope)) for other in self._order[:at][:MOST]
        }
        moved = {other: new for other, new in others.items() if new in self.places.map.spots}
        some = self._get_candidates(base, moved)
        if not len(some):
            return flat
        following = self._order[at + 1 :][: MOST - len(moved)]
        rest = [(other, self._get_candidates(other, moved)) for other in following]
        rest = [(other, its) for other, its in rest if len(its)]
        least = FEW if moved or rest or base in self.wanted else AT_LEAST
        wide = flat
        for names in [*self.places.map.find_best(base, some, least, moved, rest)][::-1]:
            # With its own name, from which one goes on to the others.
            wide = Pool([self.places.rows[name]["name"] for name in (base, *names)], wide)
            self._made.append(wide)  # kept, as what is remembered of a pool goes by its id
        if self._is_plain:
            self.places.alone[base] = wide
        return wide

    def _get_candidates(self, base: str, moved: Mapping[str, str]) -> Ints:
        """The places that one may become, wherever they lie."""
        places, row = self.places, self.places.rows[base]
        if not places.is_town(base):
            return places.find_likes(base)
        county = row["within"] if row["within"] in self.named else ""
        municipality = places.get_municipality(base)
        lead = next(
            (other for other in moved if places.get_municipality(other) == municipality), ""
        )
        seats = self._get_institution_towns(base, county) if base in self.wanted else ()
        some = places.map.select(seats)
        if not len(some):
            some = places.find_likes(base)
            if county:
                towns = places.towns_in(county, get_size(row), row.get("prep") or "i")
                some = places.map.select(towns.folded)
            if lead and places.is_town(lead):
                around = places.map.towns.get(places.get_municipality(moved[lead]), ())
                some = np.union1d(places.map.select(around), some)
        used = [places.map.number[name] for name in (base, *moved.values())]
        some = some[~np.isin(some, used)]
        if len(self._order) == 1 and len(same := places.map.of_size(base, some)) >= MIN_POOL:
            some = same
        story = self._story & places.map.get_traits(base)
        fitting = places.map.find_having(some, story, self._followers.get(base, ()))
        if base in self._inside:
            names = (places.map.names[number] for number in fitting.tolist())
            fitting = places.map.select(n for n in names if self.has_room(base, n))
        return fitting if len(fitting) >= LEAST else some

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
        """Whether a town has districts, or a country cities, for all those that are mentioned."""
        name = self.places.rows[name]["name"] if name in self.places.rows else name
        return all(
            self.places.count_inside(name, kind, prep) >= count + SPARE
            for (kind, prep), count in self._inside.get(base, {}).items()
        )

    def get_common(self, base: str, sort: str, scope: Scope, choose: Choose) -> Pool:
        """Find what an unlisted place of a sort may become, in the one county or country that
        others are of."""
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
        if scope.whole and sort == "town":
            return self.places.common_with(self._cues)
        return self.places.like(sort)
