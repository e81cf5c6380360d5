"""Days of the year that have a name, and what becomes of them."""

import datetime as dt
import re
from collections.abc import Collection, Mapping
from functools import cache, cached_property
from typing import NamedTuple

from ...text.casing import fold

# The days that have a name, by their form: days, holidays without and with an article, weekends, days in
# English. Those of the first form and the last fix a date, so that the patterns find them; others do with
# a year.
# When they are: a day and month, the first such weekday from then on, or days from Easter Sunday.
CALENDAR = (
    """1/1 nyårsdagen, 5/1 trettondagsafton, 6/1 trettondagen, 6/1 trettondedag jul, 6/1 trettondag jul,
    13/1 tjugondag knut, 13/1 tjugondag jul, 13/1 tjugondagen, 14/2 alla hjärtans dag, p-47 fettisdagen, 29/2 skottdagen,
    2/2 kyndelsmässodagen, 8/3 kvinnodagen, 8/3 internationella kvinnodagen, 25/3 våffeldagen,
    25/3 marie bebådelsedag, p-3 skärtorsdagen, p-2 långfredagen, p-1 påskafton, p+0 påskdagen,
    p+1 annandag påsk, p+50 annandag pingst, 30/4 valborgsmässoafton, 30/4 valborg, 1/5 första maj,
    p+39 kristi himmelsfärdsdag, p+39 himmelsfärdsdagen, p+39 kristi himmelsfärd, p+48 pingstafton, p+49 pingstdagen,
    6/6 nationaldagen, 6/6 sveriges nationaldag, 6/6 flaggans dag, sö25/5 mors dag, fr19/6 midsommarafton, lö20/6 midsommardagen,
    7/8 kräftpremiären, 4/10 kanelbullens dag, fr30/10 allhelgonaafton, lö31/10 alla helgons dag,
    lö31/10 allhelgonadagen, 31/10 halloween, 24/10 fn-dagen, 6/11 gustav adolfsdagen, sö8/11 fars dag,
    10/11 mårtensafton, 19/11 mansdagen, 19/11 internationella mansdagen,
    sö27/11 första advent, sö4/12 andra advent, sö11/12 tredje advent, sö18/12 fjärde advent,
    13/12 lucia, 13/12 luciadagen, 23/12 lillejulafton, 24/12 julafton, 25/12 juldagen,
    26/12 annandag jul, 26/12 annandagen, 28/12 värnlösa barns dag, 31/12 nyårsafton""",
    """1/1 nyår, 6/1 trettonhelg, p+0 påsk, p+49 pingst, fr19/6 midsommar, lö31/10 allhelgona,
    25/12 jul""",
    "1/1 nyåret, p+0 påsken, p+49 pingsten, fr19/6 midsommaren, sö27/11 advent, 25/12 julen",
    """1/1 nyårshelgen, 6/1 trettonhelgen, p-1 påskhelgen, p+48 pingsthelgen,
    fr19/6 midsommarhelgen, lö31/10 allhelgonahelgen, 13/12 luciahelgen, 24/12 julhelgen""",
    """1/1 new year's day, p-2 good friday, p+0 easter sunday, p+1 easter monday, fr19/6 midsummer eve,
    24/12 christmas eve, 25/12 christmas day, 31/12 new year's eve""",
)
# Those that nobody is given, as they are seldom written, or in few years, or are no day off.
SELDOM_NAMES = """
kräftpremiären, mårtensafton, skottdagen, lillejulafton, kanelbullens dag, våffeldagen, tjugondag jul,
trettondedag jul, trettondag jul, andra advent, tredje advent, fjärde advent, allhelgonadagen, trettonhelg,
alla hjärtans dag, fettisdagen, tjugondag knut, kyndelsmässodagen, kvinnodagen,
internationella kvinnodagen, marie bebådelsedag, sveriges nationaldag, flaggans dag, fn-dagen, gustav adolfsdagen,
annandagen, annandag pingst, tjugondagen, himmelsfärdsdagen, mansdagen, internationella mansdagen, värnlösa barns dag, mors dag, fars dag, halloween, luciadagen, luciahelgen, advent
"""
SELDOM = frozenset(map(str.strip, SELDOM_NAMES.split(",")))
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
    """A day with a name, e.g. `julafton`.

    name (str): The name, folded.
    form (int): Days of one form can stand for one another.
    rule (str): When it is, as in `CALENDAR`.
    """

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


def _read_calendar() -> dict[str, NamedDay]:
    days = {}
    for form, line in enumerate(CALENDAR):
        for entry in line.split(","):
            rule, *words = entry.split()
            name = " ".join(words)
            days[name] = NamedDay(name, form, rule)
    return days


NAMED_DAYS = _read_calendar()


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
    """A named day as it is written.

    day (NamedDay): The day.
    name (str), ending (str), gap (str), year (str): Its name, what is glued to it (`påskveckan`), the
        year behind it, if there is one, and what stands between them.
    """

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
    """Read a named day, with or without a year.

    RETURNS (Holiday | None): The day, None if it is none.
    """
    match = NAMED.fullmatch(text)
    if match is None or len(match["name"]) > LONGEST_NAME:
        return None
    name = match["name"]
    ending = ENDING.search(name)
    # `julen` is a holiday of its own, `julveckan` has an ending.
    for end in (len(name), ending.start() if ending else 0):
        day = NAMED_DAYS.get(SPOKEN.sub("dagen", fold(name[:end])))
        if day:
            return Holiday(day, name[:end], name[end:], match["gap"] or "", match["year"] or "")
    return None


class HolidayShift:
    """What becomes of named days: a holiday next to where the offset leads, rather towards the
    original, of the same form and if it may be of the same kind, another one for each that is
    mentioned.

    days (int): The offset of the dates.
    year (int): The year in which they are compared.
    names (Collection[str]): The named days that are mentioned, folded.
    """

    def __init__(self, days: int, year: int, names: Collection[str]) -> None:
        self.days = days
        self.year = year
        self.names = names

    @cached_property
    def _chosen(self) -> Mapping[str, NamedDay]:
        chosen: dict[str, NamedDay] = {}
        for name in sorted(self.names):
            chosen[name] = self._choose(
                NAMED_DAYS[name], {new.name for new in chosen.values()} | {*self.names}
            )
        return chosen

    def get(self, holiday: Holiday) -> NamedDay:
        """Get another named day."""
        if holiday.ending:
            return self._choose(holiday.day, (), glued=True)
        return self._chosen.get(holiday.day.name) or self._choose(holiday.day, ())

    def _choose(self, old: NamedDay, taken: Collection[str], glued: bool = False) -> NamedDay:
        moved = self._get_number(old) + self.days

        def rank(new: NamedDay) -> tuple[bool, bool, float, str]:
            away = _get_distance(self._get_number(new), moved)
            away += NEAR_HOME * _get_distance(self._get_number(new), self._get_number(old))
            away += OTHER_KIND * (new.kind != old.kind)
            unfit = glued and (new.kind != old.kind or " " in new.name)
            return unfit, new.name in taken, away, new.name

        likes = [new for new in NAMED_DAYS.values() if new.form == old.form and new != old]
        others = [new for new in likes if new.name not in SELDOM and not self._is_like(new, old)]
        return min(others, key=rank)

    def _is_like(self, one: NamedDay, other: NamedDay) -> bool:
        near = _get_distance(self._get_number(one), self._get_number(other)) < NEIGHBOURS
        return one.stem == other.stem or near

    def _get_number(self, day: NamedDay) -> int:
        return day.get_date(self.year).toordinal()

    def move_year(self, old: NamedDay, new: NamedDay, year: int) -> int:
        """Move the year that stands behind a named day."""
        moved = old.get_date(year) + dt.timedelta(days=self.days)
        years = (moved.year - 1, moved.year, moved.year + 1)
        return min(years, key=lambda y: abs((new.get_date(y) - moved).days))


def _get_distance(one: int, other: int) -> float:
    """The days between two days of the year, across its end if that is shorter."""
    days = (one - other) % DAYS_IN_YEAR
    return min(days, DAYS_IN_YEAR - days)
