"""Names that care units, homes, schools and small companies might have, and none is known by."""

from collections.abc import Iterable, Mapping, Sequence

from ..core.pools import MIN_POOL, Pool
from .organisation_types import WORDS, get_family

COMPOUNDS = {
    first + second: first + form
    for first in WORDS["first"]
    for second, form in (one.split(":") for one in WORDS["second"])
    # `Tallunden` would be written with two of the three.
    if first[-2:] != 2 * second[0]
}
BUSINESS, CARE = "business", "care"
# Types with names of their own.
MADE_UP = ("pharmacy", "preschool", "care_home", "sameby", "school")


class GenericNames:
    """The names to choose from by type of organisation, and their forms within a compound.

    rows (Sequence[Mapping[str, str]]): The list `organisation_names`.
    names (Mapping[str, str] | None): Names with their forms, to take instead for all types.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, str]] = (), names: Mapping[str, str] | None = None
    ) -> None:
        self._rows = rows
        self._given = names
        listed = {row["name"]: row["form"] for row in rows if row.get("form")}
        self._forms = names or COMPOUNDS | listed
        self.estates = Pool(names or COMPOUNDS)  # names that go with anything
        self._pools: dict[str, Pool] = {}

    def get_names(self, type_: str) -> Iterable[str]:
        return [row["name"] for row in self._rows if row["type"] == type_]

    def get_pool(self, type_: str, business: bool = False) -> Pool:
        """Get the names for a type of organisation, or for a company that is called after somebody."""
        own = next((t for t in (type_, get_family(type_)) if t in MADE_UP), "")
        kind = own or (BUSINESS if business else CARE)
        if kind not in self._pools:
            names = () if self._given else self.get_names(kind)
            self._pools[kind] = Pool(names, self.estates) if names else self.estates
        return self._pools[kind]

    def get_ending(self, end: str) -> Pool | None:
        """Get the names of homes that end with a word; None if there are few."""
        if end not in self._pools:
            self._pools[end] = Pool(
                name for name in self.get_names("care_home") if name.endswith(end)
            )
        return self._pools[end] if len(self._pools[end].members) >= MIN_POOL else None

    def get_form(self, name: str) -> str:
        """Get the form of a name within a compound: `Björkbacks` of `Björkbacken`."""
        return self._forms.get(name) or name + ("" if name[-1] in "aeiouyåäösn" else "s")
