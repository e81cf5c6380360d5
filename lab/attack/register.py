"""A register of people, as an attacker may have one: the people of the conversations among others, who
are like them in everything but who they are.
"""

import copy
import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from random import Random

from lab.attack.facts import SOME_YEAR, FactReader, Facts

# What the register knows of each person's visits.
VISITS = 8
# A drawn visit lies within so many weeks of another one's, on the same weekday: not more, or the visits of
# the conversations would lie closer together than others.
WEEKS = 8
# Years by which a drawn age may differ from another one's.
YEARS = 2


def make_register(
    people: Sequence[Facts], size: int, reader: FactReader, rng: Random
) -> list[Facts]:
    """Make a register. Of everybody all is known; what a conversation does not tell of its person is
    drawn. The others are drawn thing by thing: each is somebody's of the conversations, or from
    the lists and like it, so that nothing distinguishes those whom the attacker looks for.

    people (Sequence[Facts]): What the conversations tell, before they are de-identified.
    size (int): How many people it is to hold, at least those.
    reader (FactReader): Reads names and places.
    rng (Random): Source of chance.
    RETURNS (list[Facts]): The people of the conversations, in their order, then the others.
    """
    draw = _Draw(people, reader, rng)
    others = [draw.complete(Facts()) for _ in range(size - len(people))]
    return [draw.complete(facts) for facts in people] + others


class _Draw:
    def __init__(self, people: Sequence[Facts], reader: FactReader, rng: Random) -> None:
        self.people = people
        self.reader = reader
        self.rng = rng
        self.dates = [date for facts in people for date in facts.dates]
        self.days = [day for facts in people for day in facts.days]
        self.firsts: dict[tuple[str | None, ...], list[str]] = defaultdict(list)
        for name in reader.known.first_names:
            facts = Facts(first=name)
            reader.describe_first(facts)
            self.firsts[_get_sort(facts)].append(name)
        self.lasts = [*reader.known.surnames]
        self.places: dict[str, list[str]] = defaultdict(list)
        for name in reader.known.places:
            self.places[reader.find_region(name)].append(name)

    def complete(self, facts: Facts) -> Facts:
        """facts (Facts): What is said of a person.
        RETURNS (Facts): The same, and drawn what is not told.
        """
        whole = copy.deepcopy(facts)
        if whole.first is None:
            self._add_first(whole)
        if whole.last is None and self.lasts:
            whole.last = self.rng.choice(self.lasts)
        if whole.place is None:
            self._add_place(whole)
        if whole.age is None:
            age = self._pick("age")
            whole.age = None if age is None else max(0, age + self.rng.randint(-YEARS, YEARS))
        if whole.month is None:
            whole.month = self._pick("month")
        whole.dates += self._draw_visits(self.dates, VISITS - len(whole.dates))
        days = self._draw_visits(self.days, VISITS - len(whole.days))
        whole.days += [_move_to_year(day) for day in days]
        return whole

    def _pick(self, name: str) -> int | None:
        told = [value for facts in self.people if (value := getattr(facts, name)) is not None]
        return self.rng.choice(told) if told else None

    def _add_first(self, facts: Facts) -> None:
        """A name of the same sort as somebody's; one that the lists do not know becomes any."""
        named = [one for one in self.people if one.first is not None]
        if not named:
            return
        model = self.rng.choice(named)
        facts.gender, facts.origin, facts.era, facts.common = _get_sort(model)
        facts.first = self.rng.choice(self.firsts.get(_get_sort(model)) or [*self.reader.known.first_names])  # fmt: skip

    def _add_place(self, facts: Facts) -> None:
        """A place of the region of somebody's."""
        placed = [one.region for one in self.people if one.region is not None]
        if placed:
            facts.region = self.rng.choice(placed)
            facts.place = self.rng.choice(self.places[facts.region] or [facts.region])

    def _draw_visits(self, pool: Sequence[dt.date], number: int) -> list[dt.date]:
        if not pool:
            return []
        return [
            self.rng.choice(pool) + dt.timedelta(weeks=self.rng.randint(-WEEKS, WEEKS))
            for _ in range(number)
        ]


def _get_sort(facts: Facts) -> tuple[str | None, ...]:
    return facts.gender, facts.origin, facts.era, facts.common


def _move_to_year(day: dt.date) -> dt.date:
    """The same day of the year, as if all were of one; of a leap day the day before."""
    return day.replace(year=SOME_YEAR, day=min(day.day, 28) if day.month == 2 else day.day)
