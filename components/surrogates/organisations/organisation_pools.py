"""Which listed organisations stand for one another."""

from collections.abc import Iterable

from ..core.pools import Pool, Pools
from ..places.location import LocationSurrogates
from .generic_names import GenericNames
from .organisation_reader import CHAIN, OrganisationReader, Row, fold_name, get_last
from .organisation_types import SEPARATORS, get_family

DEFAULT = "industry"  # the type of a company of which nothing tells the type
# By type what the list of names has for those that are not listed themselves.
KNOWN = {
    DEFAULT: "employer",
    "medicine": "medicine",
    "prison": "inmate",
    "school": "school",
    "hospital_abroad": "hospital abroad",
}
MIN_LIKES = 5  # a type of fewer that name no place takes those that do
MAX_SHORT = 5  # letters of an abbreviation


class OrganisationPools:
    """The listed organisations in pools of their type. A surrogate is one that is known all over the
    country, as far as the list of names tells; none that names a place, as far as there are others: it
    would contradict the places around it; nor one with a slip."""

    def __init__(
        self, reader: OrganisationReader, locations: LocationSurrogates, names: GenericNames
    ) -> None:
        self.reader = reader
        self.locations = locations
        self.names = names
        self._pools: dict[str, Pools] = {}
        self._known: dict[str, Pool | None] = {}
        self._gathered: dict[tuple[str, ...], Pool] = {}
        self._families: dict[str, list[Row]] = {}
        for row in {id(row): row for row in reader.rows.values()}.values():
            self._families.setdefault(get_family(reader.get_type(row)), []).append(row)

    def _get_pools(self, family: str) -> Pools:
        if family not in self._pools:
            rows = self._choose_rows(self._families.get(family, ()))
            if len(rows) < 2:
                rows = [row for rows in self._families.values() for row in rows]
            self._pools[family] = Pools({row["name"]: self.get_key(row) for row in rows})
        return self._pools[family]

    def _choose_rows(self, rows: Iterable[Row]) -> list[Row]:
        of_type: dict[str, list[Row]] = {}
        for row in rows:
            of_type.setdefault(self.reader.get_type(row), []).append(row)
        chosen = []
        for type_, own in of_type.items():
            known = {*map(fold_name, self.names.get_names(type_))}
            common = [row for row in own if fold_name(row["name"]) in known]
            bare = [row for row in own if row.get("abbreviation") or not self._has_place(row)]
            chosen += common or (bare if len(bare) >= MIN_LIKES else own)
        return chosen

    def _has_place(self, row: Row) -> bool:
        return any(map(self.locations.find, SEPARATORS.split(row["name"])))

    def get_key(self, row: Row) -> tuple[str, str, str]:
        """Get what the likes of an organisation share."""
        name = row["name"]
        form = "capitals" if is_short(name) else ""
        if row.get("kind") == CHAIN:
            form = "chain"
        elif row.get("abbreviation"):
            form = "short"
        last = get_last(SEPARATORS.split(fold_name(name)))
        return self.reader.get_type(row), form, last

    def of(self, row: Row) -> Pool:
        key = self.get_key(row)
        pools = self._get_pools(get_family(key[0]))
        return pools.of(row["name"]) or pools.like(*key)

    def like(self, type_: str, form: str = "", last: str = "") -> Pool:
        """Find organisations of a type, by how they are written (`get_key`) and their last word."""
        return self._get_pools(get_family(type_)).like(type_, form, last)

    def get_known(self, type_: str) -> Pool | None:
        """Find what stands for those of a type that are not listed; None if nothing special does."""
        if type_ not in KNOWN:
            return None
        if type_ not in self._known:
            names = self.names.get_names(KNOWN[type_])
            if type_ == "school":
                names = [f"{self.names.get_form(name)}skolan" for name in names]
            self._known[type_] = Pool(names) if names else None
        return self._known[type_]

    def gather(self, names: Iterable[str], row: Row) -> Pool:
        """Make a pool of some likes of an organisation, the same for the same ones; its other likes come then."""
        # It is a member, and so what a walk around the pool begins with and leaves out.
        key = row["name"], *sorted(names)
        if key not in self._gathered:
            self._gathered[key] = Pool(key, self.of(row))
        return self._gathered[key]

    def has_abbreviations(self, pool: Pool) -> bool:
        return sum(map(bool, map(self.reader.get_short, pool.members))) >= MIN_LIKES


def is_short(name: str) -> bool:
    return name.isupper() and name.isalpha() and len(name) <= MAX_SHORT
