"""The offset of a conversation, applied to its dates."""

import datetime as dt
import re
from collections.abc import Collection, Sequence
from functools import cached_property

from ...text.casing import fold, like_case
from ..core.number_words import read_number, spell_like
from ..core.pools import Pool
from ..core.scope import Mention, Scope
from .date_forms import LONGEST, DateReading
from .date_patterns import MONTH_FORMS, TIMELESS
from .date_writer import DateWriter
from .holidays import NAMED_DAYS, Holiday, NamedDay, choose_holiday, read_holiday
from .implied_dates import get_reference
from .timeline import read_birth_year

MIDDLE = 15  # of a month
THURSDAY = 4  # the day of a week that tells its year
LAST_WEEK = 53
LAST_DAY = 31
MONTH_POOL = Pool(MONTH_FORMS[0].values())
YEAR = re.compile(r"(?:18|19|20)\d\d")
NUMBER_OR_WORD = re.compile(r"\d+|[^\W\d_]+")


class Shift(DateWriter):
    """The offset of a scope, applied to its dates.

    mentions (Sequence[Mention]): The dates.
    scope (Scope): The conversation or message.
    """

    def __init__(self, mentions: Sequence[Mention], scope: Scope) -> None:
        super().__init__(mentions, scope)
        self.days, self.years = self.timeline.days, self.timeline.years

    @cached_property
    def _holidays(self) -> dict[str, NamedDay]:
        """Another one for each named day. Messages that are not at hand do not know which are taken."""
        read = (read_holiday(mention.text) for mention in self.mentions) if self.scope.whole else ()
        taken = {holiday.day.name for holiday in read if holiday}
        chosen: dict[str, NamedDay] = {}
        for name in sorted(taken):
            chosen[name] = self._choose_holiday(NAMED_DAYS[name], taken)
            taken.add(chosen[name].name)
        return chosen

    def _choose_holiday(self, day: NamedDay, taken: Collection[str] = ()) -> NamedDay:
        return choose_holiday(day, self.days, get_reference(self.years), taken)

    def replace(self, i: int) -> str:
        """Replace a date."""
        mention, reading = self.mentions[i], self.readings[i]
        text = mention.text
        if len(text) > LONGEST:
            return self._by_shape(text)
        if TIMELESS.fullmatch(text):
            return text
        own = self._birth(mention, reading) if reading else None
        if own == text:
            self.timeline.kept.add(mention)
        if own:
            return own
        new = self._write(i, text, reading)
        return self._by_shape(text) if new is None or new == text else new

    def _birth(self, mention: Mention, reading: DateReading) -> str | None:
        """A date of birth, which moves with the age; None for other dates."""
        date = reading.whole
        if date:
            born = self.timeline.is_birth(mention, date)
            new = self.timeline.move_birth(*date) if born else None
            return reading.write(_values(new, reading)) if new else None
        year = read_birth_year(mention, reading)
        if year is None:
            return None
        moved = self.timeline.move_birth_year(year)
        has_day = "d" in reading.groups  # what looks like one: `född 05`
        return f"{moved % 100:02d}" if has_day else reading.write({"y": moved})

    def _write_holiday(self, holiday: Holiday) -> str:
        new = self._holidays.get(holiday.day.name) or self._choose_holiday(holiday.day)
        year = holiday.year
        if holiday.whole_year:
            moved = holiday.day.get_date(holiday.whole_year) + dt.timedelta(days=self.days)
            years = (moved.year - 1, moved.year, moved.year + 1)
            near = min(years, key=lambda year: abs(new.get_date(year) - moved))
            year = f"{near:04d}" if len(year) == 4 else f"{near % 100:02d}"
        return like_case(holiday.name, new.name) + holiday.gap + year

    def _write_date(
        self, i: int, reading: DateReading, default_year: int | None = None
    ) -> str | None:
        if "w" in reading.groups:
            weeks = self._weeks(reading)
            return reading.write(weeks) if weeks else None
        if "d2" in reading.groups:
            return self._day_range(i, reading)
        year, month, day = (reading.number(name) for name in "ymd")
        if day is not None:
            new = self._day(i, year or default_year, month, day, reading.weekday)
            return reading.write(_values(new, reading)) if new else None
        if month is not None:
            new = self._add(
                year or default_year or self.implied.find_year(month, MIDDLE), month, MIDDLE
            )
            return reading.write({"y": new.year, "m": new.month}) if new else None
        return reading.write(self._years_of(reading))

    def _years_of(self, reading: DateReading) -> dict[str, int]:
        years = ((group, reading.number("y", group == "y2")) for group in ("y", "y2"))
        step = -10 if "c" in reading.groups else self.years
        # What would be before the first year goes the other way.
        return {
            group: year + step if year + step > 0 else year - step
            for group, year in years
            if year is not None
        }

    def _weeks(self, reading: DateReading) -> dict[str, int] | None:
        """The weeks, None if there are no such weeks."""
        values: dict[str, int] = {}
        year = reading.number("y") or self.implied.year
        for group, second in (("w", False), ("w2", True)):
            week = reading.number("w", second)
            if week is None:
                continue
            old = get_thursday(year, week)
            new = old and self._add(old.year, old.month, old.day)
            if new is None:
                return None
            values[group], values["y"] = new.isocalendar().week, new.isocalendar().year
        return values

    def _day_range(self, i: int, reading: DateReading) -> str | None:
        year, month = reading.number("y", True), reading.number("m", True)
        first, last = reading.number("d"), reading.number("d", True)
        if first is None or last is None:
            return None
        if year is None:
            year = reading.number("y")
        ends = [
            self._day(i, year, month, day, None if k else reading.weekday)
            for k, day in enumerate((first, last))
        ]
        if ends[0] is None or ends[1] is None:
            return None
        values = {"d": ends[0].day, "d2": ends[1].day, "m2": ends[1].month, "y2": ends[1].year}
        if ends[0].month == ends[1].month or month is None:
            return reading.write(values)
        # The range now crosses the end of a month: name both.
        written = reading.groups.get("n2")
        if written is None:
            return reading.write(values, f"/{ends[0].month}")
        return reading.write(values, " " + reading.write_group("n", written, ends[0].month, False))

    def _day(
        self, i: int, year: int | None, month: int | None, day: int, weekday: int | None
    ) -> dt.date | None:
        """Shift a day; None if there is no such day."""
        if month is None:
            if not 1 <= day <= LAST_DAY:
                return None
            year, month = self.implied.find_month(i, day, weekday)
        if year is None:
            year = self.implied.find_year(month, day, weekday)
        return self._add(year, month, day)

    def _add(self, year: int, month: int, day: int) -> dt.date | None:
        try:
            return dt.date(year, month, day) + dt.timedelta(days=self.days)
        except (ValueError, OverflowError):
            return None

    def _by_shape(self, text: str) -> str:
        """The last resort: other numbers in the same places, another month for a word."""
        new = NUMBER_OR_WORD.sub(self._by_size, text)
        return (
            new
            if new != text
            else like_case(text, self.scope.ledger.pick("date", text, MONTH_POOL))
        )

    def _by_size(self, match: "re.Match[str]") -> str:
        """Another number that may mean the same: a year, a day, or any number."""
        text = match[0]
        if not text.isdecimal():
            number = read_number(text)
            if number is None or fold(text) in ("en", "ett"):
                return text
            if number > 1000:
                return spell_like(text, number + self.years)
            return spell_like(text, self._cycle(number, 2, LAST_DAY))
        if YEAR.fullmatch(text):
            return str(int(text) + self.years)
        # What is longer is no day, and may be more than Python reads.
        number = int(text) if len(text) <= 2 else 0
        if not 1 <= number <= LAST_DAY:
            return self.scope.digits(text, "date")
        return str(self._cycle(number, *((10, LAST_DAY) if number > 9 else (1, 9)))).zfill(
            len(text)
        )

    def _cycle(self, number: int, low: int, high: int) -> int:
        """Another number between two bounds."""
        index = max(0, min(number, high) - low)
        return low + next(self.scope.cycle(high - low + 1, index, "date", str(low)))


def get_thursday(year: int, week: int) -> dt.date | None:
    """The Thursday of a week, which tells its year; None if there is no such week."""
    if not (1 <= week <= LAST_WEEK and dt.MINYEAR <= year < dt.MAXYEAR):
        return None
    return dt.date.fromisocalendar(year, 1, THURSDAY) + dt.timedelta(weeks=week - 1)


def _values(date: dt.date, reading: DateReading) -> dict[str, int]:
    """What to write for a date. A weekday next to it moves by as many days as the date's own:
    one that was true stays so, as does a mistake."""
    values = {"y": date.year, "m": date.month, "d": date.day}
    old = reading.whole
    if reading.weekday is not None and old:
        try:
            moved = date.weekday() - dt.date(*old).weekday()
        except ValueError:
            moved = 0
        values["k"] = (reading.weekday + moved) % 7
    return values
