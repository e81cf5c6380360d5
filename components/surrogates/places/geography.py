"""How the places of one conversation hang together."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from ..core.pools import MIN_POOL, Pool
from ..core.scope import Scope
from .institutions import Institutions, stand_in
from .place_list import ISLAND, LEAST_INSIDE, VILLAGE, PlaceList, Row, get_size

MAINLAND = {"Öland": "Kalmar"}  # of which an island that is a county by itself is a part
FOLLOWING = ("lake", "island")  # what lies in the county that its towns go to
SPARE = 2  # so many districts, cities or islands more than are wanted
MIN_SEATS = 2  # so many towns with a hospital, for one of them to be drawn
Choose = Callable[[str, Scope], str]


class Geography:
    """Finds what a place may become, given where the other places of the conversation go:

    - A town goes to a town of like size, in the same county or a near one. If the county or one of
      its provinces is named, which stays, it goes to a town of that county. Of several towns of a
      county the largest goes first, and the others to its new county.
    - A district goes to a district of the town that its town becomes.
    - The seat of a hospital, a university or a court goes to another one.
    - A foreign city or island goes to a city or island of the country that its country becomes, if that is named, or if
      its own has too few cities to hide in; else to one of the same country.

    - A lake or an island goes to the county that the towns of its county go to.
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
    """

    def __init__(
        self,
        places: PlaceList,
        bases: Iterable[str],
        homes: Mapping[str, str],
        heads: Mapping[str, AbstractSet[str]] = MappingProxyType({}),
        institutions: Institutions | None = None,
        wanted: Mapping[str, AbstractSet[str]] = MappingProxyType({}),
    ) -> None:
        self.places = places
        self.bases = set(bases)
        self.homes = homes
        self.heads = heads
        self.institutions = institutions
        self.wanted = wanted
        self.named: set[str] = set()
        # By town or country how many of its districts, cities or islands are mentioned.
        self._inside: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
        self._following: Counter[str] = Counter()
        towns: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for base in self.bases:
            self.named |= places.counties.get(base, set())
            row = places.rows.get(base)
            if row and row["kind"] in LEAST_INSIDE:
                sort = row["kind"], row.get("prep") or "i"
                self._inside[self.places.fold(row.get("within", ""))][sort] += 1
            if row and row["kind"] in FOLLOWING:
                self._following[row["kind"]] += 1
            if row and row["kind"] == "district":
                row = places.rows.get(self.places.fold(row.get("within", "")))
            if row and places.is_town(folded := self.places.fold(row["name"])):
                towns[row.get("within", "")].append((get_size(row), folded))
        self.named |= {MAINLAND[county] for county in self.named & MAINLAND.keys()}
        # By county the town that goes first.
        self.first = {county: min(own)[1] for county, own in towns.items()}
        # By an original code and the town that it goes with its surrogate.
        self.codes: dict[tuple[str, str], str] = {}
        # What has been chosen, by the folded name.
        self.chosen: dict[str, str] = {}

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
            county = self._get_county(within, base, scope, choose)
            if base in self.wanted:
                towns = self._get_institution_towns(base, county)
                if towns:
                    return towns
            return (
                self.places.towns_in(county, get_size(row), row.get("prep") or "i")
                if county
                else flat
            )
        if row["kind"] == "district" and self.places.fold(within) in self.places.rows:
            prep = row.get("prep") or "i"
            return (
                self.places.inside("district", choose(self.places.fold(within), scope), prep)
                or flat
            )
        if row["kind"] in ("worldcity", "worldisland"):
            return self._get_abroad(row, scope, choose) or flat
        if row["kind"] in FOLLOWING:
            # A large lake lies in other counties, too.
            is_far = within not in self.named and within not in self.first and len(self.first) == 1
            county = self._get_county(min(self.first) if is_far else within, "", scope, choose)
            wanted = self._following[row["kind"]]
            return (county and self.places.get_likes_in(base, county, wanted)) or flat
        return flat

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

    def _get_institution_towns(self, base: str, county: str) -> Pool | None:
        """The other towns that are the seat of what a town is the seat of; rather of another hospital
        than in another county."""
        if self.institutions is None:
            return None
        sorts = self.wanted[base]
        for within in (county, "") if county else ("",):
            for own in (sorts, stand_in(sorts)):
                names = [
                    self.places.rows[town]["name"]
                    for town in self.institutions.get_towns(own) - {base}
                    if self.places.is_town(town)
                    and (not within or self.places.get_within(town) == within)
                ]
                near_home = not within or within == self.places.get_within(base)
                if len(names) >= (MIN_SEATS if near_home else 1):
                    return self.places.gather(names)
        return None

    def has_room(self, base: str, name: str) -> bool:
        """Whether a town has districts, or a country cities, for all those that are mentioned."""
        return all(
            self.places.count_inside(name, kind, prep) >= count + SPARE
            for (kind, prep), count in self._inside.get(base, {}).items()
        )

    def get_common(self, base: str, sort: str, scope: Scope, choose: Choose) -> Pool:
        """Find what an unlisted place may become.

        sort (str): What it seems to be, "town" or "abroad" for instance.
        RETURNS (Pool): The places: of the one county or country that others are of.
        """
        county = self.homes.get(base) or (min(self.first) if len(self.first) == 1 else "")
        if scope.whole and sort == "town" and county:
            target = self._get_county(county, "", scope, choose)
            return self.places.towns_in(target or county, VILLAGE)
        if scope.whole and sort == "abroad":
            rows = (self.places.rows.get(base) for base in self.bases)
            countries = sorted(
                self.places.fold(row["name"])
                for row in rows
                if row
                and row["kind"] == "country"
                and self.places.fold(row["name"]) not in self.places.kept
            )
            if len(countries) == 1:
                inside = self.places.inside("worldcity", choose(countries[0], scope))
                return inside or self.places.like(sort)
        return self.places.like(sort)

    def _get_county(self, county: str, base: str, scope: Scope, choose: Choose) -> str:
        """The county that the towns of a county go to; "" if any will do."""
        if county in self.named or self.places.parts.get(county) == ISLAND:
            return county
        first = self.first.get(county, base)
        return (
            "" if first == base else self.places.get_within(self.places.fold(choose(first, scope)))
        )
