"""Fills the slots of a unit: the same number is the same person, place or number throughout."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import TypeVar

from components.lists.lists import Lists
from training_tools.generator import numbers, words
from training_tools.generator.dates import WEEKDAYS, Age, draw_born, draw_date, write_date
from training_tools.generator.people import Person, Population, write_email
from training_tools.generator.places import Atlas
from training_tools.generator.skeletons import (
    AGE_GROUPS,
    ORGANISATION_KINDS,
    PLACE_KINDS,
    Slot,
    Unit,
    Wishes,
)
from training_tools.generator.tables import weighted

T = TypeVar("T")
# Whose names tests, signs and grades bear: seldom a Swede's.
SIGN_ORIGINS = {"de": 30, "en": 35, "fr": 12, "sv": 12, "it": 6, "pl": 5}
# What staff write in capitals: three letters or four, with one vowel at most, so no word.
SHORTHAND = re.compile("(?=[a-zåäö]{2,4}$)[^aeiouyåäö]*[aeiouyåäö]?[^aeiouyåäö]*")
FIRST_DAY, LAST_DAY = date(2018, 1, 1), date(2027, 12, 31)


@dataclass(frozen=True)
class Segment:
    """A stretch of a filled message. Segments with the same `group` are one span. `literal` is what the
    author of the skeleton wrote, `fixed` what keeps its casing.
    """

    text: str
    label: str | None
    group: int
    literal: bool
    fixed: bool = False


class Filler:
    """Fills skeletons from the word lists."""

    NEEDED = ("first_names", "surnames", "places", "streets", "organisations", "units", "drugs",
              "eponyms", "terms")  # fmt: skip

    def __init__(self, lists: Lists, split: str, invent: float = 0.25) -> None:
        missing = [f"{name}.tsv" for name in self.NEEDED if not lists.get(name)]
        if missing:
            raise ValueError(f"Lists missing or empty: {', '.join(missing)}")
        self.population = Population(lists, split, invent)
        self.atlas = Atlas(lists, invent)
        self.drugs = [row["name"] for row in lists["drugs"]]
        self.eponyms = [row["term"] for row in lists["eponyms"]]
        named = {row["abbreviation"].upper() for row in lists["organisations"]}
        terms = (row["term"] for row in lists["terms"] if row["kind"] == "abbreviation")
        self.shorthand = [
            term.upper()
            for term in terms
            if SHORTHAND.fullmatch(term) and term.upper() not in named
        ]

    def fill(self, unit: Unit, rng: Random) -> list[list[Segment]]:
        scene = _Scene(self, unit, rng)
        return [scene.turn(index) for index in range(len(unit.turns))]


def _first(forms: Iterable[str], *others: str) -> str | None:
    """The first form that is none of the others."""
    return next((form for form in forms if form not in others), None)


class _Scene:
    """What is true within one unit."""

    def __init__(self, filler: Filler, unit: Unit, rng: Random) -> None:
        self.filler = filler
        self.unit = unit
        self.rng = rng
        self.today = FIRST_DAY + timedelta(days=rng.randrange((LAST_DAY - FIRST_DAY).days))
        self.people: dict[int, Person] = {}
        self.known: dict[tuple[str, ...], object] = {}
        self.groups: dict[int, str] = {}
        self.abbreviated: set[tuple[str, int]] = set()
        for turn in unit.turns:
            for piece in turn.pieces:
                if isinstance(piece.content, Slot):
                    self.note(piece.content)

    def note(self, slot: Slot) -> None:
        """Remember what the forms of a slot ask of the entity behind it."""
        if "abbr" in slot.forms:
            self.abbreviated.add((slot.kind, slot.number))
        if slot.kind == "age" and (groups := [form for form in slot.forms if form in AGE_GROUPS]):
            self.groups[slot.number] = groups[-1]

    def once(self, key: tuple[str, ...], make: Callable[[], T]) -> T:
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]  # type: ignore[return-value]

    def turn(self, index: int) -> list[Segment]:
        segments: list[Segment] = []
        for piece in self.unit.turns[index].pieces:
            if isinstance(piece.content, str):
                segments.append(Segment(piece.content, piece.label, piece.group, True))
                continue
            slot = piece.content
            before = segments[-1].text.lower() if segments else ""
            text = self.write(slot, before)
            if "gen" in slot.modifiers:
                text = words.genitive(text, self.rng)
            if "lower" in slot.modifiers:
                text = text.lower()
            if "upper" in slot.modifiers:
                text = text.upper()
            if "title" in slot.modifiers:
                text = text[0].upper() + text[1:]
            fixed = not {"lower", "upper"}.isdisjoint(slot.modifiers)
            segments.append(Segment(text, piece.label, piece.group, False, fixed))
        return segments

    def write(self, slot: Slot, before: str) -> str:
        kind, key, rng = slot.kind, (slot.kind, str(slot.number)), self.rng
        form = _first(slot.forms)
        if kind == "person":
            return self.write_person(slot)
        if kind == "date":
            return write_date(self.once(key, lambda: draw_date(self.today, rng)), form, rng)
        if kind == "age":
            group = self.groups.get(slot.number)
            age = self.once(key, lambda: self.draw_age(group))
            return age.write(_first(slot.forms, *AGE_GROUPS), rng)
        if kind == "pid":
            return self.write_pid(key, None, slot.forms)
        if kind == "phone":
            return self.write_phone(key, slot.forms)
        if kind == "email":
            return self.once(key, self.draw_email)
        if kind == "street":
            street = self.once(key, lambda: self.filler.atlas.street(rng))
            if form == "name":
                return street
            return self.once((*key, "number"), lambda: self.filler.atlas.address(street, rng))
        if kind in PLACE_KINDS:
            return self.once(key, lambda: self.filler.atlas.place(kind, rng))
        if kind in ORGANISATION_KINDS:
            short = (kind, slot.number) in self.abbreviated
            organisation = self.once(key, lambda: self.filler.atlas.organisation(kind, rng, short))
            return organisation.abbreviation if form == "abbr" else organisation.name
        return self.once(key, lambda: self.write_other(kind, before))

    def person(self, number: int) -> Person:
        wishes = self.unit.people.get(number, Wishes())
        kin = self.person(wishes.kin) if wishes.kin else None
        if number not in self.people:
            taken = [person.first for person in self.people.values()]
            draw = self.filler.population.draw
            self.people[number] = draw(wishes, kin, taken, self.today, self.rng)
        return self.people[number]

    def write_person(self, slot: Slot) -> str:
        person = self.person(slot.number)
        what, *rest = slot.forms
        form = _first(rest)
        if what == "pid":
            return self.write_pid(("person", str(slot.number)), person, tuple(rest))
        if what == "phone":
            return self.write_phone(("person", str(slot.number), "phone"), tuple(rest))
        if what == "email":
            return person.email
        if what == "birth":
            usual = {"full": 12, "iso": 4, "compact": 3, "monthyear": 1}
            return write_date(person.born, form or weighted(usual, self.rng), self.rng)
        if what == "age":
            return Age.at(person.born, self.today).write(form, self.rng)
        return person.name(what, self.rng)

    def write_pid(self, key: tuple[str, ...], person: Person | None, forms: tuple[str, ...]) -> str:
        rng, today = self.rng, self.today
        if "samordning" in forms or person is None:
            coordination = "samordning" in forms
            gender = person.gender if person else rng.choice("fm")
            born = person.born if person else self.draw_born()
            pid = self.once(
                (*key, "pid", str(coordination)),
                lambda: numbers.draw_pid(born, gender, rng, today, coordination),
            )
        else:
            pid = person.pid
        return pid.write(_first(forms, "samordning") or "any", rng)

    def write_phone(self, key: tuple[str, ...], forms: tuple[str, ...]) -> str:
        kind = _first(forms, "glued") or "any"
        phone = self.once((*key, kind), lambda: numbers.draw_phone(kind, self.rng))
        # A number asked for without a kind is the one that the person has given already.
        self.known.setdefault((*key, "any"), phone)
        return phone.write("glued" in forms, self.rng)

    def draw_born(self, group: str | None = None) -> date:
        groups = {"adult": 75, "old": 12, "child": 8, "teen": 5}
        return draw_born(group or weighted(groups, self.rng), self.today, self.rng)

    def draw_age(self, group: str | None) -> Age:
        if group == "months":
            months = self.rng.randint(2, 23)
            return Age(months // 12, months)
        return Age.at(self.draw_born(group), self.today)

    def draw_email(self) -> str:
        population, rng = self.filler.population, self.rng
        origin, gender = population.origin(rng), rng.choice("fm")
        first, last = population.first(origin, gender, rng), population.last(origin, gender, rng)
        return write_email(first, last, self.draw_born().year, rng)

    def draw_sign(self) -> str:
        """What a test, a sign or a grade may be called: the name of the person who described it."""
        population, rng = self.filler.population, self.rng
        known = {key: n for key, n in SIGN_ORIGINS.items() if key in population.origins}
        return population.last(weighted(known, rng), rng.choice("fm"), rng)

    def write_other(self, kind: str, before: str) -> str:
        population, rng = self.filler.population, self.rng
        tables = numbers.TABLES
        return {
            "time": lambda: numbers.time(rng, before.endswith(("kl ", "kl. ", "klockan "))),
            "pregweek": lambda: numbers.pregnancy_week(
                rng, before.endswith(("v ", "v. ", "vecka "))
            ),
            "number": lambda: str(rng.choice([rng.randint(1, most) for most in (12, 99, 999)])),
            "drug": lambda: rng.choice(self.filler.drugs),
            "eponym": lambda: rng.choice(self.filler.eponyms),
            "sign": self.draw_sign,
            "shorthand": lambda: rng.choice(self.filler.shorthand),
            "device": lambda: population.first("sv", rng.choice("fm"), rng),
            "criterion": lambda: self.filler.atlas.place(rng.choice(("worldcity", "city")), rng),
            "bp": lambda: numbers.blood_pressure(rng),
            "lab": lambda: numbers.lab(rng),
            "dose": lambda: rng.choice(tables["strengths"]) + rng.choice(tables["times_a_day"]),
            "price": lambda: numbers.price(rng),
            "caseno": lambda: numbers.case_number(rng),
            "orgno": lambda: numbers.organisation_number(rng),
            "shortno": lambda: rng.choice(tables["short_numbers"]),
            "weekday": lambda: rng.choice(WEEKDAYS),
            "duration": lambda: (
                f"{rng.choice(tables['counts'])} {rng.choice(tables['units_of_time'])}"
            ),
            "temp": lambda: f"{rng.randint(35, 40)}{rng.choice(',,,.')}{rng.randrange(10)}",
        }[kind]()
