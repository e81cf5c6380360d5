"""What the dates of a conversation tell of each other: the year of those that name none, the month
of a day alone.
"""

import datetime as dt
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from ...text.validators import make_date
from ..core.scope import Mention
from .clock import get_year
from .date_forms import DateReading
from .timeline import Timeline

# Where nothing tells the year, the latest up to this one that has no leap day, neither there nor
# where the offset leads. Any would do, so it is no clock.
LATEST_YEAR = 2026
# The first of the years that weekdays without a year may tell; the last is that of the run.
FIRST_YEAR = 2015
# `3/1` next to 20 December is of the next year.
NEAR_DAYS = 92
# Years between two that have a day on the same weekday, at most; and between two leap years.
LONGEST_WAIT = 12
LEAP_YEAR = 2024
DEFAULT_MONTH = 1
Month = tuple[int, int]  # year, month
Position = tuple[int, int]  # where a mention starts, and its number


class ImpliedDates:
    """The year and the month that dates are in which do not name them.

    The year is that of the latest full date which is no date of birth, or the one before or behind
    if more weekdays are true in it; else one in which most weekdays are true; else that of the
    latest month with a year; else a year of reference. A day that is close to the latest full date
    only in the year before or behind is of that year. A weekday that is true in none of the three
    stays an error.

    A day alone is of a date with that day, or of the date in front of it, or behind it, in the
    same message; else of a date with that day or of the latest date in another message.

    mentions (Sequence[Mention]), readings (Sequence[DateReading | None]): The dates.
    timeline (Timeline): Tells the offset, and which are dates of birth.
    """

    year: int  # of most dates that name none
    tells: bool  # whether a date tells it

    def __init__(
        self,
        mentions: Sequence[Mention],
        readings: Sequence[DateReading | None],
        timeline: Timeline,
    ) -> None:
        self.mentions = mentions
        self.readings = readings
        self.timeline = timeline
        self.latest: dt.date | None = None
        # By month and day the years of full dates.
        self._years: dict[tuple[int, int], set[int]] = defaultdict(set)
        self.year = self._find_own_year()
        self._by_day: dict[tuple[int | None, int], list[tuple[Position, Month]]] = defaultdict(list)
        self._last_month: Month | None = None

    # Years

    def _find_own_year(self) -> int:
        months: list[int] = []
        weekdays: list[tuple[int, int, int]] = []
        leap = False
        for mention, reading in zip(self.mentions, self.readings):
            if reading is None:
                continue
            year, month, day = (reading.number(name) for name in "ymd")
            if reading.whole and year and month and day:
                date = make_date(year, month, day)
                if date and not self.timeline.is_birth(mention, reading.whole):
                    self.latest = max(self.latest or date, date)
                    self._years[month, day].add(year)
            elif year and month:
                months.append(year)
            elif month and day and year is None:
                leap = leap or (day, month) == (29, 2)
                if reading.weekday is not None:
                    weekdays.append((month, day, reading.weekday))
        self.tells = bool(self.latest or months)
        own = self.latest.year if self.latest else max(months, default=0)
        if weekdays:
            years = _around(own, 1) if self.latest else range(FIRST_YEAR, get_year() + 1)
            near = own or get_year()
            return max(years, key=lambda y: (_count_true(y, weekdays), -abs(y - near)))
        return own or (LEAP_YEAR if leap else get_reference(self.timeline.years))

    def find_year(self, month: int, day: int, weekday: int | None = None) -> int:
        """Find the year of a date that names none."""
        years = self._years.get((month, day), ())
        if len(years) == 1:
            return next(iter(years))
        year = self.year
        if self.latest:
            for other in (year + 1, year - 1):
                date = make_date(other, month, day)
                if date and abs(date - self.latest).days <= NEAR_DAYS:
                    year = other
        if weekday is not None:
            reach = 1 if self.latest else LONGEST_WAIT
            for other in _around(year, reach):
                date = make_date(other, month, day)
                if date and date.weekday() == weekday:
                    return other
        nearest = (other for other in _around(year, LONGEST_WAIT) if make_date(other, month, day))
        return next(nearest, year)

    # Months

    def find_month(self, i: int, day: int, weekday: int | None = None) -> Month:
        """Find year and month of a day alone: the next month that has the day, on the weekday."""
        months = self._months
        here = self.mentions[i]
        place = here.start, i
        year, month = (
            _find_near(self._by_day.get((here.message, day), ()), place)
            or _find_near(months.get(here.message, ()), place)
            or _find_near(self._by_day.get((None, day), ()), place)
            or self._last_month
            or (self.year, DEFAULT_MONTH)
        )
        start = year * 12 + month - 1
        found = None
        for total in _around(start, LONGEST_WAIT):
            date = make_date(total // 12, total % 12 + 1, day)
            if date and weekday in (None, date.weekday()):
                return date.year, date.month
            found = found or (date and (date.year, date.month))
        return found or (year, month)

    @cached_property
    def _months(self) -> dict[int, list[tuple[Position, Month]]]:
        """By message the months of its dates, in order."""
        months: dict[int, list[tuple[Position, Month]]] = defaultdict(list)
        last = None
        for j, (mention, reading) in enumerate(zip(self.mentions, self.readings)):
            if reading is None:
                continue
            for second in (False, True) if "d2" in reading.groups else (False,):
                if date := self._complete(mention, reading, second):
                    entry = (mention.start, j), (date.year, date.month)
                    months[mention.message].append(entry)
                    for message in (mention.message, None):
                        self._by_day[message, date.day].append(entry)
                    last = max(last or date, date)
        for entries in (*months.values(), *self._by_day.values()):
            entries.sort()
        self._last_month = (last.year, last.month) if last else None
        return months

    def _complete(self, mention: Mention, reading: DateReading, second: bool) -> dt.date | None:
        """The day that a reading with a month names, with its year."""
        year, month, day = (
            number if number is not None else reading.number(name, not second)
            for name, number in ((name, reading.number(name, second)) for name in "ymd")
        )
        if reading.number("d", second) is None or not month or not day:
            return None
        if reading.whole and self.timeline.is_birth(mention, reading.whole):
            return None
        if year is None:
            year = self.find_year(month, day, None if second else reading.weekday)
        return make_date(year, month, day)


def get_reference(years: int) -> int:
    """Get the year of dates where nothing tells it."""
    return next(year for year in range(LATEST_YEAR, 0, -1) if year % 4 and (year + years) % 4)


def _around(value: int, reach: int) -> Iterator[int]:
    """The numbers around one, the nearest first."""
    yield value
    for step in range(1, reach + 1):
        yield value + step
        yield value - step


def _count_true(year: int, weekdays: Sequence[tuple[int, int, int]]) -> int:
    dates = ((make_date(year, month, day), weekday) for month, day, weekday in weekdays)
    return sum(date is not None and date.weekday() == weekday for date, weekday in dates)


def _find_near(entries: Sequence[tuple[Position, Month]], place: Position) -> Month | None:
    """The month of the date in front of a place, else of that behind it."""
    at = bisect_left(entries, (place,))
    if at:
        return entries[at - 1][1]
    return entries[0][1] if entries else None
