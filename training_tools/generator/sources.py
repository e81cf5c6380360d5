"""Where the pseudonyms of training come from: wide, where those of de-identified text are common.

Training on common surrogates would teach that every name is common, and every phone number of the
series for films. Here names are also invented, and numbers are any of their form.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from stdnum import luhn

from components.lists.lists import Lists
from components.surrogates import (
    EmailSurrogates,
    OrganisationSurrogates,
    PhoneSurrogates,
    PidSurrogates,
    make_classes,
)
from components.surrogates.core.pools import Pool
from components.surrogates.core.replacer import Replacer
from components.surrogates.numbers import phone, pid
from components.surrogates.people.name_origins import HOME
from components.surrogates.places.place_list import NOWHERE, SHORT
from components.text.casing import to_ascii
from training_tools.generator import words
from training_tools.generator.filling import Filler
from training_tools.generator.people import DOMAINS, split_of
from training_tools.generator.places import GRAMMAR, ORGANISATION_LISTS, PLACE_GRAMMAR, linked

Row = dict[str, str]
Names = Mapping[str, Sequence[tuple[str, str]]]
"""First names and surnames, by the list that they would be in, each with its gender."""

NAME = re.compile(r"[A-ZÅÄÖÉÜ][a-zåäöéèüïëáíóøæçñ]{2,}")

# So many of the check digits of made personnummer are wrong, too: one in so many.
WRONG_CHECK = 5
# So many names for care units, and so many domains, are drawn.
GENERIC = 2000
MADE_DOMAINS = 500
# So many names of the lists are drawn for each name of a disease, when people are mixed.
PER_EPONYM = 10
# What an invented row does not take from the row that it is like.
NOT_COPIED = ("ambiguous", "abbreviation", "place", "same", "type", "of", "group")
SLOT_OF_KIND = {kind: slot for slot, kind in ORGANISATION_LISTS.items()}


def make_wide_classes(
    lists: Lists, split: str, invent: float, rng: Random, rare: Names | None = None
) -> dict[str, Replacer]:
    """Make the surrogates of each class with wide sources; with rare names, people are mixed."""
    if not 0 <= invent < 1:
        raise ValueError("Of the names at least some must be of the lists: give --invent below 1")
    wide = widen(lists, split, invent, rng)
    if rare is not None:
        wide = mix_people(wide, split, rare, rng)
    classes = make_classes(wide)
    generic = _get_generic(wide, rng)
    return {
        **classes,
        "ORGANISATION": OrganisationSurrogates(wide, classes["LOCATION"], generic),
        "PID": PidSurrogates(AnyPid),
        "PHONE": PhoneSurrogates(AnyPhone),
        "EMAIL": EmailSurrogates(classes["PERSON"], _get_domains(rng)),
    }


def widen(lists: Lists, split: str, invent: float, rng: Random) -> Lists:
    """Add invented names to lists, as many of each origin and kind as there are, for a split."""
    filler = Filler(lists, split, invent=1.0)
    population, atlas = filler.population, filler.atlas

    def first(row: Row) -> str:
        gender = row["gender"] if row["gender"] in ("f", "m") else rng.choice("fm")
        return words.invented_first_name(row["origin"], gender, rng)

    def surname(row: Row) -> str:
        return population.last(row["origin"], row["gender"] or "f", rng)

    def place(row: Row) -> str:
        return atlas.place(row["kind"], rng)

    def organisation(row: Row) -> str:
        kind = SLOT_OF_KIND.get(row["kind"], row["kind"])
        return atlas.organisation(kind, rng).name

    def add(rows: list[Row], make: Callable[[Row], str], invented: list[Row]) -> list[Row]:
        """Add new rows, each like one of those given."""
        count = round(len(invented) * invent / (1 - invent))
        plain = {key: "" for key in NOT_COPIED if key in rows[0]}
        return rows + [
            {**row, **plain, "name": make(row)} for row in rng.choices(invented, k=count)
        ]

    firsts = [{**row, "common": "", "era": ""} for row in lists["first_names"]]
    surnames = [
        {**row, "common": ""} for row in lists["surnames"] if split_of(row["name"]) == split
    ]
    bare = [row for row in surnames if not row["gender"]]
    places = [
        row
        for row in lists["places"]
        if row["kind"] in PLACE_GRAMMAR and row.get("sort") not in (NOWHERE, SHORT)
    ]
    organisations = [
        row
        for row in lists["organisations"]
        if SLOT_OF_KIND.get(row["kind"], row["kind"]) in GRAMMAR
    ]
    return {
        **lists,
        "first_names": add(firsts, first, firsts),
        "surnames": add(surnames, surname, bare),
        "places": add(lists["places"], place, places),
        "streets": add(lists["streets"], lambda row: atlas.street(rng), lists["streets"]),
        "organisations": add(lists["organisations"], organisation, organisations),
        # Of firms, too, rare ones are as good as those that everybody knows.
        "organisation_names": [
            row for row in lists.get("organisation_names", ()) if row["type"] == "unit"
        ],
    }


def mix_people(lists: Lists, split: str, rare: Names, rng: Random) -> Lists:
    """Let names of all origins stand for one another, as often those that no list has (`rare`), and add
    people who are called like a disease. By like for like alone, only 5 % would have a name that looks
    foreign and is in no list.
    """
    eponyms = {row["name"] for row in lists["eponyms"] if NAME.fullmatch(row["name"])}
    mixed = {}
    for name in ("first_names", "surnames"):
        own = [{**row, "origin": HOME, "common": "", "ambiguous": ""} for row in lists[name]]
        if name == "first_names":
            own = [{**row, "era": ""} for row in own]
        new = [
            one for one in rare.get(name, ()) if name == "first_names" or split_of(one[0]) == split
        ]
        new = rng.sample(new, min(len(new), len(own)))
        if name == "surnames":
            called = sorted(one for one in eponyms if split_of(one) == split)
            new += [
                (one, "") for one in rng.sample(called, min(len(called), len(own) // PER_EPONYM))
            ]
        blank = dict.fromkeys(own[0], "") | {"origin": HOME}
        mixed[name] = own + [{**blank, "name": one, "gender": gender} for one, gender in new]
    return {**lists, **mixed}


def _get_generic(lists: Lists, rng: Random) -> dict[str, str]:
    """Names for care units and schools: of villages, and such as Eken."""
    towns = [
        row["name"] for row in lists["places"] if row["kind"] in ("city", "village", "district")
    ]
    names = {name: linked(name.split()[-1]) for name in rng.choices(towns, k=GENERIC)}
    names |= {word: words.genitive_plain(word) for word in words.CARE_WORDS}
    return {name: form for name, form in names.items() if name[-1] not in "sxz"}


def _get_domains(rng: Random) -> Pool:
    made = (to_ascii(words.village(rng)).replace(" ", "-").lower() for _ in range(MADE_DOMAINS))
    return Pool([*DOMAINS, *(f"{domain}.se" for domain in made)])


class AnyPhone(phone.PhoneChooser):
    """Chooses any number of the same area, or any mobile number."""

    def choose_swedish(self, digits: str) -> phone.Chosen:
        area = super().choose_swedish(digits).old_area
        return phone.Chosen(digits[:area] + self.scope.digits(digits[area:], "phone"), area, area)


class AnyPid(pid.PidChooser):
    """Chooses numbers of any serial number, one in five with a wrong check digit."""

    def get_serial(self, number: str, date: str, sex: int) -> str:
        """Get the serial number, three digits."""
        return f"{2 * self.scope.number(500, 'serial', number, date) + sex:03d}"

    def get_check(self, digits: str) -> str:
        right = luhn.calc_check_digit(digits[2:])
        if self.scope.number(WRONG_CHECK, "check", digits):
            return right
        return str((int(right) + 1 + self.scope.number(9, "wrong", digits)) % 10)
