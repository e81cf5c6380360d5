"""What a conversation tells of the person it is about, as it stands before or after."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from components.text.casing import fold
from lab.measures.surrogate_mentions import get_digits
from lab.surrogate_checks.base import Talk
from lab.surrogate_checks.calendar import Read, read_age, read_date
from lab.surrogate_checks.known import WORD, Known
from lab.surrogate_checks.times import BIRTH
from lab.surrogate_checks.traces import get_telling_words

UNLISTED = "unlisted"
# Dates without a year are read as of this one: only their distances count.
SOME_YEAR = 2023
# Where the way from a place to what it lies in ends.
REGIONS = ("county", "continent")


class Shown(NamedTuple):
    """An entity as a reader sees it.

    label (str): Its class.
    text (str): What stands there.
    before (str): What stands in front of it.
    """

    label: str
    text: str
    before: str


def show_before(talk: Talk) -> list[Shown]:
    """talk (Talk): A conversation.
    RETURNS (list[Shown]): Its entities before.
    """
    return [Shown(one.label, one.original, one.before) for one in talk.mentions]


def show_after(talk: Talk) -> list[Shown]:
    """talk (Talk): A conversation.
    RETURNS (list[Shown]): Its entities after.
    """
    return [Shown(one.label, one.surrogate, one.before) for one in talk.mentions]


@dataclass
class Facts:
    """What is said of a person; None or nothing where it is not given.

    first (str | None), last (str | None): First name and surname, folded.
    gender (str | None), origin (str | None), era (str | None): Of the first name, by the lists.
    common (str | None): How common the first name is: as the list says, or `unlisted`.
    place (str | None): The first place that the lists know, folded.
    region (str | None): The county that it lies in; abroad the continent.
    age (int | None): In years.
    month (int | None): In which the first date lies.
    dates (list[dt.date]): Dates that tell day, month and year; births left out.
    days (list[dt.date]): Dates that tell day and month, in one year.
    numbers (set[str]): Digits of personnummer and phone numbers, and e-mail addresses.
    """

    first: str | None = None
    last: str | None = None
    gender: str | None = None
    origin: str | None = None
    era: str | None = None
    common: str | None = None
    place: str | None = None
    region: str | None = None
    age: int | None = None
    month: int | None = None
    dates: list[dt.date] = field(default_factory=list)
    days: list[dt.date] = field(default_factory=list)
    numbers: set[str] = field(default_factory=set)

    @property
    def initials(self) -> str | None:
        """The first letters of both names, if both are told."""
        return self.first[0] + self.last[0] if self.first and self.last else None


class FactReader:
    """Reads what is said.

    known (Known): The lists.
    """

    def __init__(self, known: Known) -> None:
        self.known = known

    def read(self, shown: Iterable[Shown]) -> Facts:
        """Read a conversation. Of several people the one with the fullest name counts, of several ages
        and places the first.

        shown (Iterable[Shown]): Its entities.
        RETURNS (Facts): The facts.
        """
        facts = Facts()
        names: list[list[str]] = []
        for label, text, before in shown:
            if label == "PERSON":
                names.append(get_telling_words(label, text, self.known))
            elif label == "LOCATION" and facts.place is None:
                facts.place = self.find_place(text)
            elif label == "DATE" and not BIRTH.search(before):
                _add_date(facts, read_date(text))
            elif label == "AGE" and facts.age is None:
                facts.age = _read_years(text)
            elif label in ("PID", "PHONE"):
                facts.numbers.add(get_digits(text))
            elif label == "EMAIL":
                facts.numbers.add(fold(text))
        if facts.place is not None:
            facts.region = self.find_region(facts.place)
        if any(names):
            self._add_name(facts, max(names, key=len))
        return facts

    def _add_name(self, facts: Facts, words: list[str]) -> None:
        words = [self.known.get_base(word) for word in words]
        if len(words) > 1:
            facts.first, facts.last = words[0], words[-1]
        elif words[0] in self.known.surnames and words[0] not in self.known.first_names:
            facts.last = words[0]
        else:
            facts.first = words[0]
        if facts.first is not None:
            self.describe_first(facts)

    def describe_first(self, facts: Facts) -> None:
        """Add what the lists tell of a first name, also of one that is short for another.

        facts (Facts): What is said; `first` must be.
        """
        name = facts.first or ""
        rows = self.known.first_names.get(name)
        if rows is None:
            full = min(self.known.names_of.get(name, {name}))
            rows = self.known.first_names.get(full, [])
        facts.common = UNLISTED
        if rows:
            row = rows[0]
            facts.gender, facts.origin = row.get("gender"), row.get("origin")
            facts.era, facts.common = row.get("era"), row.get("common")

    def find_place(self, text: str) -> str | None:
        """Find a place that the lists know.

        text (str): A place, an address, a postal code with its town.
        RETURNS (str | None): The place, folded: all words, or the last one that is a place.
        """
        words = WORD.findall(fold(text))
        for name in (" ".join(words), *reversed(words)):
            base = self.known.get_base(name)
            if base in self.known.places:
                return base
        return None

    def find_region(self, place: str) -> str:
        """Tell where a place lies.

        place (str): The place, folded.
        RETURNS (str): The county, or the continent, folded.
        """
        seen: set[str] = set()
        while place in self.known.places and place not in self._counties and place not in seen:
            seen.add(place)
            row = self.known.places[place][0]
            if row["kind"] in REGIONS or not row.get("within"):
                break
            place = fold(row["within"])
        return self._counties.get(place, place)

    @cached_property
    def _counties(self) -> dict[str, str]:
        """What the counties and their provinces are called."""
        return {
            fold(name): fold(row["county"])
            for row in self.known.lists.get("counties", ())
            for name in (row["county"], *row["names"].split(","))
        }


def _add_date(facts: Facts, read: Read | None) -> None:
    if read is None:
        return
    facts.month = facts.month or read.month
    if day := read.get_date(SOME_YEAR):
        facts.days.append(day)
    if read.date:
        facts.dates.append(read.date)


def _read_years(text: str) -> int | None:
    read = read_age(text)
    if read is None:
        return None
    return read.value if read.unit == "years" else 0
