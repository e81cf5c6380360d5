"""Choosing the surrogates of people's names."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, cached_property
from itertools import chain
from typing import NamedTuple

from rapidfuzz.distance import OSA

from ...text.casing import fold
from ..core.pools import MIN_POOL, Pool, Pools
from ..core.resemblance import Shown
from ..core.scope import Scope
from ..time.date_patterns import MONTHS
from .name_forms import get_foreign_ending
from .name_origins import HOME, REGIONS, Origins
from .name_reader import RARE, NameReader, Row
from .spellings import get_sound, misspell

SLIP = 4  # in so short a name a slip makes another name
MOST_LETTERS = 2  # by which spellings of one name differ
COMMONEST = "1"
PATIENCE, ENDLESS = 24, 10**9  # so many names are left for a better one
# The decades of double names, by those of single ones.
DOUBLE_ERAS = {"": "1955-1980", "1890-1930": "1920-1945"} | dict.fromkeys(
    ("1890-1930 1995-", "1980-2000", "1995-"), "1980-"
)


SPAN = re.compile(r"(\d{4})-(\d{4})?")
LATEST = 2029


class Bearer(NamedTuple):
    """Who bears a name, as far as the messages at hand tell."""

    gender: str = ""  # "f", "m", "n" for a neutral name
    # Where a particle or the person's other names tell that the names come from, else the family's.
    near: tuple[str, ...] = ()
    names: tuple[str, ...] = ()  # all of the person, folded
    has_pet_name: bool = False  # goes by a pet name, too
    pet_era: str = ""  # the years in which that was given, where nothing else tells the age
    has_spellings: bool = False  # of the surname
    letters: str = ""  # that the messages say a name has


ANYBODY = Bearer()


class NameChooser:
    """Chooses names that people really bear: of the same gender and origin, given in the same
    decades, and about as common. Rare names are no surrogates, and become common ones."""

    def __init__(self, reader: NameReader, doubles: Iterable[Row]) -> None:
        self.reader = reader
        # Nobody is to be called by a month: `Juni`.
        first = (row for form, row in reader.first.items() if form not in MONTHS)
        self.first_pools = _make_pools((row["gender"], row) for row in first)
        self.surname_pools = _make_pools(
            ("bows" if form in reader.feminine else row["gender"], row)
            for form, row in reader.surnames.items()
            if form not in reader.masculine
        )
        own = (reader.doubles[fold(row["name"])] for row in doubles)
        self.double_pools = _make_pools((row["gender"], row) for row in own)
        # The origins that have so many double names, and neutral ones.
        self.with_doubles = _get_origins(self.double_pools)
        self.with_neutral = _get_origins(self.first_pools, "n")
        # Those that have so many surnames of women only, and of men.
        self.with_bowing = {g: _get_origins(self.surname_pools, g) for g in ("", "f", "m")}
        # By gender, origin and years.
        self._pet_pools: dict[tuple[str, str, str], Pool] = {}

    # Pools

    @cached_property
    def _origins(self) -> dict[str, Origins]:
        doubles = {form.replace("-", ""): row for form, row in self.reader.doubles.items()}
        first = Origins({**doubles, **self.reader.first})
        return {"first": first, "surname": Origins(self.reader.surnames)}

    def get_origin(self, role: str, form: str, near: Collection[str] = ()) -> str:
        """Get the origin of a name, which its letters tell if it is not listed; "" where it may well be Swedish.

        near (Collection[str]): The origins of the names around it.
        """
        row = (self.reader.surnames if role == "surname" else self.reader.first).get(form)
        return row["origin"] if row else self._origins[role].guess(form.replace("-", ""), near)

    def _get_first_pool(self, form: str, bearer: Bearer) -> Pool:
        row = self.reader.first.get(form)
        if row is None:
            origin = self.get_origin("first", form, bearer.near)
            gender = self._tell_gender(form, origin, bearer.gender)
            return self.first_pools.like(gender, *_trace(origin or HOME), "", COMMONEST)
        origin = self._fit_origin(form, row, bearer)
        pool = self.first_pools.of(form) if origin == row["origin"] else None
        if pool is None:
            row = {**row, "origin": origin, "era": "" if origin != row["origin"] else row["era"]}
        if bearer.gender not in ("", row["gender"]):
            return self._like(bearer.gender, row)
        if row["gender"] == "n" and origin not in self.with_neutral:
            return self._like(self.reader.genders.guess(form, origin), row)
        return pool or self._like(row["gender"], row)

    def _fit_origin(self, form: str, row: Row, bearer: Bearer) -> str:
        """The origin of a listed name: of one that several have, that of the names around it."""
        own, shared = row["origin"], self.reader.shared.get(form, ())
        return next((origin for origin in bearer.near if origin == own or origin in shared), own)

    def _get_pet_pool(self, form: str, pool: Pool, bearer: Bearer) -> Pool:
        """The names of the gender, the origin and the years of another one that have pet names; all
        that are like it where these are too few."""
        row = self.reader.first.get(form)
        if row is None:
            return pool
        gender = bearer.gender or row["gender"]
        key = gender, row["origin"], bearer.pet_era or row["era"]
        if key not in self._pet_pools:
            years = read_years(key[2])
            self._pet_pools[key] = Pool(
                other["name"]
                for name, other in self.reader.first.items()
                if (other["gender"], other["origin"]) == key[:2] and name in self.reader.nicks_of
                if other["common"] != RARE and not other["ambiguous"]
                if not years or not years.isdisjoint(read_years(other["era"]))
            )
        pets = self._pet_pools[key]
        return pets if len(pets.members) >= MIN_POOL else pool

    def _like(self, gender: str, row: Row) -> Pool:
        return self.first_pools.like(gender, *_trace(row["origin"]), row["era"], COMMONEST)

    def _tell_gender(self, form: str, origin: str, told: str) -> str:
        """The gender of an unlisted name; neutral in doubt, where there are neutral names."""
        gender = told or self.reader.genders.tell(form, origin) or "n"
        if gender == "n" and (origin or HOME) not in self.with_neutral:
            return self.reader.genders.guess(form, origin)
        return gender

    def _get_surname_pool(self, form: str, bearer: Bearer) -> Pool:
        row = self.reader.surnames.get(form)
        found = self.surname_pools.of(form)
        origin = self._fit_origin(form, row, bearer) if row else ""
        if found and row and origin == row["origin"]:
            return found
        origin = origin or get_foreign_ending(form)
        origin = origin or self.get_origin("surname", form, bearer.near) or HOME
        gender = row["gender"] if row and origin in self.with_bowing[row["gender"]] else ""
        bows = "bows" if form in self.reader.feminine else gender
        return self.surname_pools.like(bows, *_trace(origin), "", COMMONEST)

    # Choices

    def choose_first(
        self, form: str, scope: Scope, bearer: Bearer = ANYBODY, value: str = ""
    ) -> str:
        """Choose the surrogate of a first name. The value tells the bearer from others of the same name."""
        pool = self._get_first_pool(form, bearer)
        accept = self._wish_letters(form, pool, self.reader.first, bearer, scope)
        if bearer.has_pet_name:
            pool = self._get_pet_pool(form, pool, bearer)
            is_fit_pet = self._make_accept(form, scope, bearer, soft=False)
            accept = _wish(accept, lambda name: bool(self._get_pet(name, scope, is_fit_pet)))
        return scope.ledger.pick("first", value or form, pool, accept)

    def choose_surname(self, form: str, scope: Scope, bearer: Bearer = ANYBODY) -> str:
        pool = self._get_surname_pool(form, bearer)
        accept = self._wish_letters(form, pool, self.reader.surnames, bearer, scope)
        if bearer.has_spellings:
            accept = _wish(accept, lambda name: bool(self.reader.get_spellings(fold(name))))
        return scope.ledger.pick("surname", form, pool, accept)

    def choose_double(self, form: str, scope: Scope, bearer: Bearer = ANYBODY) -> str:
        """Choose the surrogate of a double name: a single one where the origin has no double names."""
        first, _, last = form.partition("-")
        found = (self.reader.doubles.get(form), *map(self.reader.first.get, (first, last)))
        rows = [row for row in found if row]
        row = min(rows, key=lambda row: row["origin"] not in self.with_doubles, default=None)
        origin = row["origin"] if row else self.get_origin("first", form, bearer.near) or HOME
        if origin not in self.with_doubles:
            return self.choose_first(first if row else form, scope, bearer)
        gender = bearer.gender if bearer.gender in ("f", "m") else row["gender"] if row else ""
        if gender not in ("f", "m"):
            gender = self.reader.genders.guess(first, origin)
        pool = self.double_pools.of(form)
        if not pool or (row and row["gender"] != gender):
            era = row["era"] if row else ""
            era = DOUBLE_ERAS.get(era, era) if origin == "sv" else era
            pool = self.double_pools.like(gender, *_trace(origin), era)
        shown = Shown(" ".join((form, first, last, *bearer.names)))
        ledger, taken = scope.ledger, scope.ledger.taken["first"]

        def accept(name: str) -> bool:
            parts = zip(fold(name).split("-"), (first, last)) if scope.whole else ()
            return not shown.is_in(name) and not any(
                part[0] == old[0] or part in taken or ledger.is_original(part)
                for part, old in parts
            )

        chosen = ledger.pick("double", form, pool, accept)
        if scope.whole:
            taken.update(fold(chosen).split("-"))
        return chosen

    def choose_pet(self, form: str, surrogate: str, scope: Scope, bearer: Bearer) -> str:
        is_fit = self._make_accept(form, scope, bearer, soft=False)
        pet = self._get_pet(surrogate, scope, is_fit)
        if pet:
            scope.ledger.taken["first"].add(fold(pet))
        return pet or surrogate

    def _get_pet(self, name: str, scope: Scope, is_fit: Callable[[str], bool]) -> str:
        """A pet name of a name that may be used ("" if there is none)."""
        taken = scope.ledger.taken["first"] if scope.whole else ()
        for pet in self.reader.nicks_of.get(fold(name), ()):
            folded = fold(pet)
            is_used = folded in scope.ledger.originals or folded in taken
            if not (is_used or scope.ledger.is_forbidden(folded)) and is_fit(pet):
                return pet
        return ""

    def respell(self, surname: str, scope: Scope) -> str:
        for other in (*self.reader.get_spellings(fold(surname)), *misspell(surname)):
            folded = fold(other)
            if not (scope.ledger.is_original(folded) or scope.ledger.is_forbidden(folded)):
                return other
        return surname

    # What fits

    def _make_accept(
        self, form: str, scope: Scope, bearer: Bearer, soft: bool = True
    ) -> Callable[[str], bool]:
        """Reject names that show something of the original, or are its pet form. Where all messages
        are at hand, also (`soft`) those with its initial, which would stay where only that is
        written, or that are in another role already."""
        names = dict.fromkeys((form, *bearer.names))
        kin = dict.fromkeys(chain.from_iterable(map(self.reader.get_kin, names)))
        get_shown = cache(lambda: Shown(" ".join(kin)))
        letter = form[:1] if bearer.letters != form[:1] else ""
        firsts, surnames = scope.ledger.taken["first"], scope.ledger.taken["surname"]

        def is_apart(name: str) -> bool:
            folded = fold(name)
            return not (folded[:1] == letter or folded in firsts or folded in surnames)

        def accept(name: str) -> bool:
            folded = fold(name)
            if folded in kin or get_shown().is_in(name):
                return False
            if abs(len(folded) - len(form)) > MOST_LETTERS:
                return True
            is_short = min(len(folded), len(form)) < SLIP
            is_near = not is_short and OSA.distance(folded, form, score_cutoff=1) <= 1
            return not is_near and get_sound(folded) != get_sound(form)

        return _wish(accept, is_apart) if soft and scope.whole else accept

    def _wish_letters(
        self, form: str, pool: Pool, rows: Mapping[str, Row], bearer: Bearer, scope: Scope
    ) -> Callable[[str], bool]:
        """Accept names that have the letters that the messages spell out, and the initial if they give it."""
        accept = self._make_accept(form, scope, bearer)
        letters, origin = bearer.letters, rows[pool.folded[0]]["origin"]

        def has_letters(name: str) -> bool:
            folded = fold(name)
            place = folded.find(letters)
            fits = place == 0 if letters == form[:1] else place >= 0
            return fits and rows[folded]["origin"] == origin

        return _wish(accept, has_letters, ENDLESS) if letters else accept


def _wish(
    accept: Callable[[str], bool], wish: Callable[[str], bool], patience: int = PATIENCE
) -> Callable[[str], bool]:
    """Accept what also fulfils a wish; after so many that do not, whatever is accepted."""
    left = patience

    def accept_wish(name: str) -> bool:
        nonlocal left
        if left and not wish(name):
            left -= 1
            return False
        return accept(name)

    return accept_wish


def read_years(era: str) -> set[int]:
    """Read the decades in which a name was given from spans of years: "1890-1930 1995-"."""
    return {
        year // 10
        for low, high in SPAN.findall(era)
        for year in range(int(low), int(high or LATEST) + 1)
    }


def _make_pools(rows: Iterable[tuple[str, Row]]) -> Pools:
    """Make pools of the names that are not rare, by their first feature, origin, years and number."""
    common = {row["name"]: (first, row) for first, row in rows if row["common"] != RARE}
    keys = {
        name: (first, *_trace(row["origin"]), row["era"], row["common"])
        for name, (first, row) in common.items()
    }
    return Pools(keys, ambiguous={name for name, (_, row) in common.items() if row["ambiguous"]})


def _trace(origin: str) -> tuple[str, str]:
    return REGIONS.get(origin, origin), origin


def _get_origins(pools: Pools, gender: str = "") -> set[str]:
    """The origins that have a pool of their own."""
    return {key[2] for key in pools.groups if len(key) > 2 and (not gender or key[0] == gender)}
