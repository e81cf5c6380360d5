"""Surrogates of places and addresses."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property

from rapidfuzz.distance import OSA

from ...text.casing import fold, genitive, like_case
from ...text.numbers import POSTAL_CODE
from ..core.number_words import spell_like
from ..core.pools import Pool, Pools
from ..core.redrawing import cut_lower
from ..core.replacer import Replacer
from ..core.resemblance import shows
from ..core.scope import Mention, Scope
from ..organisations.institutions import Institutions
from ..organisations.organisation_words import OrganisationWords
from .addresses import CARE_OF, EUROPE_ROADS, NUMBER, other_details, other_number
from .geography import Geography
from .place_cues import read_seat, read_traits
from .place_linker import link_places
from .place_list import TOWN, PlaceList, get_ambiguous
from .place_reader import WORDS, PlaceMention, PlaceReader
from .postal_codes import HEAD, PostalCodes

Row = Mapping[str, str]


class LocationSurrogates(Replacer):
    """Replaces places like for like: a village by a village, a country by one of the continent, an
    island by an island that one reaches in the same way, a river by a river, a street by a street of
    the same sort with a new number. `Geography` tells how those of a conversation hang together.

    Continents, counties and provinces stay: nobody is found by them, and what surrounds them
    stays true. A postal code becomes one of the town that its town becomes. A place with and
    without its number, with a genitive or a compound ending (`-bo`, `-området`), shortened (`gbg`),
    keeps one surrogate, as does a misspelled one and, where all messages are at hand, a part of its
    name. Countries in English stay in English. Unlisted places become what their endings and the
    words in front of them tell, else towns or villages.

    lists (Mapping[str, Sequence[Row]]): `places`, `counties`, `postal`, `streets`, `street_parts`,
        `surnames`; where it was imported, `postal_codes`; `organisations` and
        `organisation_words`, for the towns that are the seat of one.
    """

    def __init__(self, lists: Mapping[str, Sequence[Row]]) -> None:
        self.places = PlaceList(lists)
        self.rows = self.places.rows
        self.kept = self.places.kept
        self.postal = PostalCodes(lists.get("postal", ()), lists.get("postal_codes", ()))
        words = OrganisationWords(lists.get("organisation_words", ()))
        self.institutions = Institutions(lists.get("organisations", ()), words)
        self._surnames = lists.get("surnames", ())
        parts = lists.get("street_parts", ())
        suffixes = {fold(row["part"]) for row in parts if row.get("position") == "suffix"}
        self.suffixes = tuple(sorted(suffixes, key=lambda suffix: (-len(suffix), suffix)))
        streets = lists.get("streets", ())
        self.streets = Pools(
            {row["name"]: self._get_street_key(fold(row["name"])) for row in streets},
            ambiguous=get_ambiguous(streets),
        )
        self.reader = PlaceReader(self.places, self.streets.by_value, self._find_suffix)

    def _find_suffix(self, street: str) -> str:
        return next((suffix for suffix in self.suffixes if street.endswith(suffix)), "")

    def _get_street_key(self, street: str) -> tuple[str, str, str]:
        """The sort of a street, and whether it is called by a town: `Ystadsvägen`."""
        suffix, town = self._split_street(street)
        return "", suffix, "town" if town else ""

    def _split_street(self, street: str) -> tuple[str, str]:
        """What a street ends with, and the town that it is called by."""
        suffix = self._find_suffix(street)
        stem = street.removesuffix(suffix)
        return suffix, next(filter(self.places.is_town, (stem, stem.removesuffix("s"))), "")

    @cached_property
    def _bearers(self) -> Pool:
        """Surnames, for an address in care of somebody whose name is no mention."""
        clear = [row for row in self._surnames if not row.get("ambiguous")]
        own = [row["name"] for row in clear if row.get("origin") == "sv"]
        return Pool(own or [row["name"] for row in clear])

    # Reading

    def find(self, text: str) -> str | None:
        """Find the folded name of a listed place, perhaps in the genitive; None if it is none."""
        folded = fold(text)
        if folded in self.rows:
            return folded
        return folded[:-1] if folded.endswith("s") and folded[:-1] in self.rows else None

    def is_listed(self, text: str) -> bool:
        """Whether a word is a listed place."""
        return self.find(text) is not None

    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        read = [self.reader.read_all(mention.text, mention.before) for mention in mentions]
        places = [place for own in read for place in own]
        link_places(places, self.streets.by_value, self.rows)
        addresses: dict[str, set[str]] = defaultdict(set)
        for place in places:
            addresses[place.base].update(filter(None, [_get_house(place)]))
        # A street or a town alone is the one address in it.
        alone = {base: min(houses) for base, houses in addresses.items() if len(houses) == 1}
        return [
            ", ".join(
                f"{place.base} {_get_house(place) or alone.get(place.base, '')}".strip()
                for place in own
            )
            for own in read
        ]

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """A place that is too large to point at anybody stays."""
        return all(
            place.kind == "place" and self.places.swedish.get(place.base, place.base) in self.kept
            for place in self.reader.read_all(mention.text, mention.before)
        )

    # Choosing

    def choose(self, base: str, scope: Scope, sort: str = "") -> str:
        """Choose a name, cased as in running text; the place's own if it stays. The sort is that of
        `guess_sort`."""
        base = self.places.resolve(base)
        if base in self.kept:
            return self.rows[base]["name"]
        if base in self.places.swedish and base not in self.rows:
            name = self.choose(self.places.swedish[base], scope)
            return self.places.english.get(self.places.fold(name), name)
        geography = self._get_geography(scope)
        if base not in geography.chosen:
            geography.chosen[base] = self._choose_place(base, scope, sort, geography)
        return geography.chosen[base]

    def _choose_place(self, base: str, scope: Scope, sort: str, geography: Geography) -> str:
        pool = geography.get_pool(base, scope, self.choose)
        if pool and sort and scope.whole and not self.places.fits(base, sort):
            pool = self.places.like(sort)
        if pool is None:
            if near := self.places.find_near(base):
                return self.choose(near, scope)
            abroad = base not in geography.homes and self.places.is_foreign(base)
            sort = sort or ("abroad" if abroad else "town")
            pool = geography.get_common(base, sort, scope, self.choose)
        unlike = self._unlike(base)
        heads = geography.heads.get(base, {""})

        def accept(name: str) -> bool:
            """Reject what is like the original, has its codes, or is of another size or too small
            for its districts."""
            if scope.whole and not (
                geography.has_room(base, name) and self.places.is_like_in_size(base, name)
            ):
                return False
            new = self.places.fold(name)
            if not self.postal.is_apart(new, base) or {*self.postal.heads.get(new, ())} == heads:
                return False
            return unlike(name)

        return scope.ledger.pick(
            "place", base, pool, accept, lambda name: self.places.is_kin(base, name)
        )

    def _unlike(self, base: str) -> Callable[[str], bool]:
        names = [base, *self.places.names.get(base, ())]

        def accept(name: str) -> bool:
            """Reject what shows a part of the original, and other spellings of it."""
            return not any(
                OSA.distance(self.places.fold(name), own, score_cutoff=1) <= 1 or shows(own, name)
                for own in names
            )

        return accept

    def _get_geography(self, scope: Scope, places: Iterable[PlaceMention] = ()) -> Geography:
        """Find out what hangs together, once for each scope."""
        return scope.share((self, Geography), lambda: self._make_geography(scope, places))

    def _make_geography(self, scope: Scope, places: Iterable[PlaceMention]) -> Geography:
        read = [*places] or [
            place
            for mention in scope.mentions.get("LOCATION", ())
            for place in self.reader.read_all(mention.text, mention.before)
        ]
        bases = {place.base for place in read if place.kind in ("place", "postal")}
        bases |= {self.places.swedish[base] for base in bases & self.places.swedish.keys()}
        wanted: dict[str, set[str]] = defaultdict(set)
        cues: frozenset[str] = frozenset()
        if bases and scope.whole:
            located = scope.mentions.get("LOCATION", ())
            cues = read_traits(located)
            for mention in located:
                seat = read_seat(mention.before)
                town = self.places.resolve(self.find(mention.text) or "") if seat else ""
                if self.places.is_town(town):
                    wanted[town].add(seat)
        for mention in scope.mentions.get("ORGANISATION", ()):
            bases |= {town for word in mention.text.split() if (town := self._find_town(word))}
            found = self.institutions.read(mention.text, self._find_town) if scope.whole else ()
            for institution in found:
                if self.places.is_town(institution.town):
                    bases.add(institution.town)
                    wanted[institution.town].add(institution.sort)
        homes: dict[str, str] = {}
        heads: dict[str, set[str]] = defaultdict(set)
        for place in read:
            if place.kind == "postal":
                heads[place.base].add(_get_digits(place.number)[:HEAD])
            if place.kind == "postal" and not self.places.is_town(place.base):
                town = self._get_town(_get_digits(place.number), bases)
                if place.base:
                    homes[place.base] = self.places.get_within(town)
                bases = bases | {town}
        return Geography(self.places, bases, homes, heads, self.institutions, wanted, cues)

    def _find_town(self, word: str) -> str:
        """The listed town of a word in the name of an organisation, if it is no other word."""
        found = self.find(word)
        if not found or not self.places.is_town(found) or self.rows[found].get("ambiguous"):
            return ""
        return self.places.resolve(found)

    def _get_town(self, code: str, bases: Container[str]) -> str:
        """The town that a code is of, if need be one of those that are mentioned."""
        towns = self.postal.get_towns(code)
        return self.places.find_largest([t for t in towns if t in bases] or towns)

    def _choose(self, place: PlaceMention, scope: Scope) -> str:
        if place.kind == "street":
            if named := self._choose_street_of_town(place.base, scope):
                return named
            pool = self.streets.by_value.get(place.base)
            if pool is None:
                pool = self.streets.like(*self._get_street_key(place.base))
            return scope.ledger.pick("street", place.base, pool, self._unlike(place.base))
        if place.kind == "road":
            if fold(place.word).split()[-1] == "e":
                return scope.ledger.pick("road", f"e{place.number}", EUROPE_ROADS)[1:]
            return other_number(place.number, scope, "road")
        if place.kind == "person":
            return self._choose_bearer(place.base, scope)
        return self.choose(place.base, scope, place.sort) if place.base else ""

    def _choose_street_of_town(self, street: str, scope: Scope) -> str:
        """The street of a town leads to the town that it becomes: `Ystadsvägen`."""
        suffix, town = self._split_street(street)
        if not suffix or not town or self.rows[town].get("ambiguous"):
            return ""
        new = self.choose(town, scope)
        if " " in new:
            return ""
        other = new + ("" if new[-1] in "aeiouyåäösxz" else "s") + suffix
        return "" if shows(street, other) else other

    def _choose_bearer(self, name: str, scope: Scope) -> str:
        words = name.split()
        known = [
            scope.ledger.names.get(("first", word)) or scope.ledger.names.get(("surname", word))
            for word in words
        ]
        if all(known):
            return " ".join(name for name in known if name)
        return scope.ledger.pick("bearer", words[-1], self._bearers, self._unlike(words[-1]))

    def _choose_code(self, place: PlaceMention, scope: Scope, taken: set[str]) -> str:
        """A code of the town that the town next to it becomes, or that its own town becomes."""
        digits = _get_digits(place.number)
        geography = self._get_geography(scope)
        town = self._get_town(digits, geography.bases if scope.whole else ())
        base = place.base or town
        new = self.places.fold(self.choose(base, scope)) if base else ""
        if new in self.rows and self.rows[new]["kind"] == "district":
            new = self.places.fold(self.places.get_within(new))
        if (digits, new) not in geography.codes:
            near = [
                fold(name)
                for name in self.places.towns_in(self.places.get_within(new), TOWN).members
            ] if new not in self.postal.heads or self.postal.heads[new] == [digits[:HEAD]] else []  # fmt: skip
            used = {*geography.codes.values()} if scope.whole else set()
            code = self.postal.choose(digits, new, near, scope, taken | used)
            geography.codes[digits, new] = code
        return geography.codes[digits, new]

    # Replacing

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        read = [self.reader.read_all(mention.text, mention.before) for mention in mentions]
        places = [place for own in read for place in own]
        if scope.whole:
            link_places(places, self.streets.by_value, self.rows)
        sorts = {place.base: place.sort for place in places if place.sort}
        for place in places:
            place.sort = sorts.get(place.base, "")
        self._get_geography(scope, places)
        # Listed places first: their surrogates are fixed, the others give way. Then in an order
        # of their own, whichever message they stand in.
        for place in sorted(places, key=lambda place: (place.base not in self.rows, place.base)):
            self._choose(place, scope)
        known = " ".join(scope.ledger.known.get("LOCATION", ()))
        codes = {_get_digits(match[0]) for match in POSTAL_CODE.finditer(known)}
        return [
            "".join(
                self._write(place, scope, codes)
                + self._write_inside(place.inside, scope, place.base, place.number)
                for place in own
            )
            for own in read
        ]

    def _get_pool(self) -> Pool:
        return self.places.like("town")

    words = "place"

    def get_identifying(self, text: str) -> str:
        """Get what tells which place is meant."""
        return cut_lower(text)

    def is_kin(self, text: str, new: str) -> bool:
        """Whether a name is another one of the same place, or of a part of it."""
        return self.places.is_kin(fold(text), new)

    def _get_pool_of(self, word: str) -> Pool | None:
        return self.places.of(self.places.fold(word)) or self.streets.of(word)

    def _write(self, place: PlaceMention, scope: Scope, known_codes: set[str]) -> str:
        chosen = self._choose(place, scope)
        if place.kind == "road":
            return f"{place.before}{place.word}{chosen}{place.rest}"
        if place.kind == "house":
            number = other_number(place.number, scope, "street", place.base)
            return f"{place.before}{number}{self._write_inside(place.rest, scope, place.base, place.number)}"
        name = self._end(place, like_case(place.word, self._shorten(place, chosen)))
        if place.kind == "postal":
            before, gap = place.before.split("\0", 1)
            code = self._choose_code(place, scope, known_codes)
            written = place.number[:-2] if not place.number[HEAD].isdecimal() else ""
            return f"{before}{code[:HEAD]}{written[HEAD:]}{code[HEAD:]}{gap}{name}{place.behind}"
        if place.kind == "street" and place.number:
            numbers = NUMBER.findall(place.number + place.rest)
            number = other_number(place.number, scope, "street", place.base, but=numbers)
            if place.spelled:
                number = spell_like(place.spelled, int(number))
            rest = self._write_inside(place.rest, scope, place.base, place.number)
            return f"{place.before}{name}{place.behind}{number}{rest}"
        return f"{place.before}{name}{place.behind}"

    def _write_inside(self, text: str, scope: Scope, base: str, number: str) -> str:
        """Change what tells where in a house somebody lives, and with whom."""
        pieces = CARE_OF.split(text)
        out = [other_details(pieces[0], scope, base, number)]
        for care, name, rest in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
            out += care, like_case(name, self._choose_bearer(fold(name), scope))
            out.append(other_details(rest, scope, base, number))
        return "".join(out)

    def _shorten(self, place: PlaceMention, chosen: str) -> str:
        """Shorten a surrogate as its original is: `gbg`, `Storg.`."""
        if place.kind == "street" and place.short:
            suffix = self._find_suffix(fold(chosen))
            short = len(suffix) > 1 and suffix[0] == place.short[0].lower()
            return chosen[: -len(suffix)] + place.short if short else chosen
        return self.places.short.get(self.places.fold(chosen), chosen) if place.short else chosen

    @staticmethod
    def _end(place: PlaceMention, name: str) -> str:
        if place.behind.strip() and fold(place.behind).split()[0] in WORDS["possessed"]:
            # `Hjo kommun`, but `Kungälvs kommun`.
            return genitive(place.word, "s" if name[-1].lower() not in "aeiouyåäö" else "", name)
        if place.ending in ("s", "S"):
            return genitive(place.word, "s", name)
        if " " in name and place.ending and place.ending[0] != "-":
            return f"{name}-{place.ending.removeprefix('s') if len(place.ending) > 3 else place.ending}"
        if place.ending[:1] == "s" and name.casefold().endswith(("s", "x", "z")):
            return name + place.ending[1:]
        return name + place.ending


def _get_house(place: PlaceMention) -> str:
    """The number of a house, with its entrance and flat, or a postal code."""
    rest = "" if place.kind == "road" else f"{place.rest}{place.inside}"
    return "".join(filter(str.isalnum, fold(f"{place.number}{rest}")))


def _get_digits(code: str) -> str:
    return "".join(char for char in code if char.isdecimal())
