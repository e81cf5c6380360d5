"""Days of the year that have a name, and what becomes of them."""

import datetime as dt
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ...lists.lists import read_list
from ...text.casing import fold

WEEKDAYS = ("må", "ti", "on", "to", "fr", "lö", "sö")
RULE = re.compile(r"(?P<weekday>[^\W\d]{2})?(?P<day>\d+)/(?P<month>\d+)|p(?P<easter>[+-]\d+)")
DAYS_IN_YEAR = 365.25
# A holiday of another kind (eve, day) is as good as one of the same kind so many days further off.
OTHER_KIND = 20
# What a day off the original counts, against one off where the offset leads: few holidays are in autumn.
NEAR_HOME = 0.5
NEIGHBOURS = 10  # days within which it is as good as the same holiday
STEM = re.compile(r"mid|jul|påsk|nyår|pingst|trett|valborg|advent|luci|alla? ?helg")
# What is named after somebody has a capital in running text.
SOMEBODY = re.compile(r"kristi|valborg|luci|mårten|.*\bknut$")
GREETING = re.compile(r"\b(?:gott|god|glad|trevlig|skön|fin|härlig|mysig)\s*$", re.IGNORECASE)
LONGEST_NAME = 40
ENDING = re.compile(
    r"(?:(?<=afton)(?:en)?s?|s?(?:natten|kvällen|morgonen|veckan|veckorna|helgen|dagarna|tiden"
    r"|firandet|ledigheten|middagen|maten))$",
    re.IGNORECASE,
)
# `juldan`
SPOKEN = re.compile(r"dan$")
NAMED = re.compile(r"(?P<name>\D*[^\W\d])(?:(?P<gap>[\s,]+-?)(?P<year>(?:1[89]|2[01])\d\d|\d{2}))?")


class NamedDay(NamedTuple):
    """A day with a name, folded; days of one form can stand for one another. The rule is as in
    `holidays.txt`."""

    name: str
    form: int
    rule: str

    def get_date(self, year: int) -> dt.date:
        """Get its date in a year."""
        match = RULE.fullmatch(self.rule)
        if match is None:
            raise ValueError(f"{self.rule!r} is no rule of a named day.")
        if match["easter"]:
            return get_easter(year) + dt.timedelta(days=int(match["easter"]))
        day, month = int(match["day"]), int(match["month"])
        if (day, month) == (29, 2):
            return dt.date(year, 3, 1) - dt.timedelta(days=1)
        date = dt.date(year, month, day)
        if match["weekday"]:
            date += dt.timedelta(days=(WEEKDAYS.index(match["weekday"]) - date.weekday()) % 7)
        return date

    @property
    def kind(self) -> str:
        """Whether it is an eve, or which holiday."""
        return "afton" if self.name.endswith("afton") else ""

    @property
    def stem(self) -> str:
        """What its name shares with other days of the same holiday."""
        match = STEM.search(self.name)
        return match[0][:4] if match else self.name


ROWS = read_list(Path(__file__).with_name("holidays.txt"))
NAMED_DAYS = {row["name"]: NamedDay(row["name"], int(row["form"]), row["when"]) for row in ROWS}
SELDOM = frozenset(row["name"] for row in ROWS if row["seldom"] == "1")


@cache
def get_easter(year: int) -> dt.date:
    """Get Easter Sunday, by the rule of Butcher and Meeus."""
    century, rest = divmod(year, 100)
    golden = year % 19
    leap, skipped = divmod(century, 4)
    moon = (19 * golden + century - leap - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * skipped + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * late + 114, 31)
    return dt.date(year, month, day + 1)


class Holiday(NamedTuple):
    """A named day as it is written, with what is glued to it (`påskveckan`), and a year behind a
    gap."""

    day: NamedDay
    name: str
    ending: str
    gap: str
    year: str

    @property
    def whole_year(self) -> int | None:
        """The year with its century."""
        number = int(self.year) if self.year else None
        return number + 2000 if number is not None and len(self.year) == 2 else number


def read_holiday(text: str) -> Holiday | None:
    """Read a named day, with or without a year; None if it is none."""
    match = NAMED.fullmatch(text)
    if match is None or len(match["name"]) > LONGEST_NAME:
        return None
    name = match["name"]
    ending = ENDING.search(name)
    # `julen` is a holiday of its own, `julveckan` has an ending.
    for end in (len(name), ending.start() if ending else 0):
        if day := NAMED_DAYS.get(SPOKEN.sub("dagen", fold(name[:end]))):
            return Holiday(day, name[:end], name[end:], match["gap"] or "", match["year"] or "")
    return None


def choose_holiday(
    old: NamedDay, days: int, year: int, taken: Collection[str] = (), glued: bool = False
) -> NamedDay:
    """Choose another named day: one next to where an offset leads, rather towards the original, of the same
    form and if it may be of the same kind, and none that is taken as long as there are others.

    days (int): The offset.
    year (int): The year in which they are compared.
    glued (bool): Whether something is glued to the name.
    """

    def get_number(day: NamedDay) -> int:
        return day.get_date(year).toordinal()

    own = get_number(old)

    def rank(new: NamedDay) -> tuple[bool, bool, float, str]:
        number = get_number(new)
        away = _get_distance(number, own + days) + NEAR_HOME * _get_distance(number, own)
        unlike = new.kind != old.kind
        unfit = glued and (unlike or " " in new.name)
        return unfit, new.name in taken, away + OTHER_KIND * unlike, new.name

    likes = [
        new
        for new in NAMED_DAYS.values()
        if new.form == old.form and new.stem != old.stem and new.name not in SELDOM
    ]
    return min((n for n in likes if _get_distance(get_number(n), own) >= NEIGHBOURS), key=rank)


def _get_distance(one: int, other: int) -> float:
    """The days between two days of the year, across its end if that is shorter."""
    days = (one - other) % DAYS_IN_YEAR
    return min(days, DAYS_IN_YEAR - days)
