"""The offset of a conversation, applied to its dates."""

import calendar
import datetime as dt
import re
from collections.abc import Collection, Sequence
from functools import cached_property

from ...text.casing import fold, like_case
from ...text.sentences import begins_sentence
from ..core.number_words import read_number, spell_like
from ..core.pools import Pool
from ..core.scope import Mention, Scope
from .date_forms import LONGEST, DateReading, parse, parse_range, repair
from .date_patterns import MONTH_FORMS, TIMELESS
from .holidays import GREETING, NAMED_DAYS, SOMEBODY, NamedDay, choose_holiday, read_holiday
from .implied_dates import ImpliedDates, get_reference
from .stamps import find_start, read_day_before
from .timeline import BORN, get_timeline, read_birth_year

MIDDLE = 15  # of a month
MIDDLES = (2, 5, 8, 11)  # of quarters: months
THURSDAY = 4  # the day of a week that tells its year
LAST_WEEK = 53
LAST_DAY = 31
# Days that no month has, in any year.
NO_DAYS = ((30, 2), (31, 2), (31, 4), (31, 6), (31, 9), (31, 11))
MONTH_POOL = Pool(MONTH_FORMS[0].values())
SOME_HOLIDAY = "helg"  # what can be wished in any season
YEAR = re.compile(r"(?:18|19|20)\d\d")
SCHOOL_YEAR = re.compile(r"\b(?:läs|skol)året?\s*$", re.IGNORECASE)
TWO_YEARS = re.compile(r"(\d\d)([/-])(\d\d)")
NUMBER_OR_WORD = re.compile(r"\d+|[^\W\d_]+")


class Shift:
    """The offset of a scope, applied to its dates."""

    def __init__(self, mentions: Sequence[Mention], scope: Scope) -> None:
        self.mentions = mentions
        self.scope = scope
        self.timeline = get_timeline(scope)
        self.days = self.timeline.days
        self.years = self.timeline.years
        self.readings = [self.timeline.read_date(mention) for mention in mentions]
        self.implied = ImpliedDates(mentions, self.readings, self.timeline)

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

    def _choose_holiday(
        self, day: NamedDay, taken: Collection[str] = (), glued: bool = False
    ) -> NamedDay:
        return choose_holiday(day, self.days, get_reference(self.years), taken, glued)

    def replace(self, i: int) -> str:
        """Replace a date."""
        mention, reading = self.mentions[i], self.readings[i]
        text = mention.text
        if len(text) > LONGEST:
            return self._by_shape(text)
        if TIMELESS.fullmatch(text):
            return text
        own = reading and (self._birth(mention, reading) or self._year_behind(mention, reading))
        school_year = SCHOOL_YEAR.search(mention.before) and TWO_YEARS.fullmatch(text)
        if school_year:
            first, last = (f"{(int(school_year[n]) + self.years) % 100:02d}" for n in (1, 3))
            return first + school_year[2] + last
        if own:
            if own == text:
                self.timeline.kept.add(mention)
            return own
        new = self._holiday(mention, text) or (
            self._shift(i, reading)
            if reading
            else self._range(i, text) or self._repaired(i, text) or self._loose(i, text)
        )
        return self._by_shape(text) if new is None or new == text else new

    def _birth(self, mention: Mention, reading: DateReading) -> str | None:
        """A date of birth, which moves with the age; None for other dates."""
        if date := reading.whole:
            if not self.timeline.is_birth(mention, date):
                return None
            new = self.timeline.move_birth(*date)
            if new is None:
                return reading.write(self._impossible(*date))
            return reading.write(_values(new, reading))
        year = read_birth_year(mention, reading)
        if year is not None:
            moved = self.timeline.move_birth_year(year)
            has_day = "d" in reading.groups  # what looks like one: `född 05`
            return f"{moved % 100:02d}" if has_day else reading.write({"y": moved})
        year, month = reading.number("y"), reading.number("m")
        if (
            year is None
            or month is None
            or "d" in reading.groups
            or not BORN.search(mention.before)
        ):
            return None
        new = self.timeline.move_birth(year, month, MIDDLE)
        return reading.write({"y": new.year, "m": new.month}) if new else None

    def _year_behind(self, mention: Mention, reading: DateReading) -> str | None:
        """A year behind its day and the time, which moves with that day; None for other dates."""
        year = reading.number("y")
        day = read_day_before(mention) if year and reading.groups.keys() == {"y"} else None
        month, number = (day.number("m"), day.number("d")) if day else (None, None)
        new = self._add(year, month, number) if year and month and number else None
        return reading.write({"y": new.year}) if new else None

    def _range(self, i: int, text: str) -> str | None:
        found = parse_range(text)
        if found is None:
            return None
        left, dash, right = found
        first, last = self._shift(i, left, get_left_year(left, right)), self._shift(i, right)
        return None if first is None or last is None else first + dash + last

    def _repaired(self, i: int, text: str) -> str | None:
        repaired = repair(text)
        if repaired is None:
            return None
        reading = parse(repaired)
        return self._shift(i, reading) if reading else self._holiday(self.mentions[i], repaired)

    def _loose(self, i: int, text: str) -> str | None:
        reading = parse(text, loose=True)
        return self._shift(i, reading) if reading else None

    def _holiday(self, mention: Mention, text: str) -> str | None:
        holiday = read_holiday(text)
        if holiday is None:
            return None
        bare = not holiday.year and not holiday.ending
        if bare and holiday.day.form == 1 and GREETING.search(mention.before):
            return like_case(holiday.name, SOME_HOLIDAY)
        chosen = None if holiday.ending else self._holidays.get(holiday.day.name)
        new = chosen or self._choose_holiday(holiday.day, glued=bool(holiday.ending))
        year = holiday.year
        if holiday.whole_year:
            moved = holiday.day.get_date(holiday.whole_year) + dt.timedelta(days=self.days)
            years = (moved.year - 1, moved.year, moved.year + 1)
            near = min(years, key=lambda year: abs(new.get_date(year) - moved))
            year = f"{near:04d}" if len(year) == 4 else f"{near % 100:02d}"
        before, name = mention.before, holiday.name
        if SOMEBODY.match(fold(name)) and not (
            name.isupper() or begins_sentence(before, len(before))
        ):
            # It has its capital from somebody's name, which the other has not.
            name = name.lower()
        return like_case(name, new.name) + holiday.ending + holiday.gap + year

    def _shift(self, i: int, reading: DateReading, default_year: int | None = None) -> str | None:
        has = reading.groups
        if "w" in has:
            return reading.write(self._weeks(reading))
        if "d2" in has:
            return self._day_range(i, reading)
        year, month, day = (reading.number(name) for name in "ymd")
        if day is not None:
            beside, own = find_start(self.mentions[i])
            year = year or default_year or beside
            new = self._day(i, year, month or own, day, reading.weekday)
            if new is None:
                return reading.write(self._impossible(year, month, day))
            return reading.write(_values(new, reading))
        if month is not None:
            if not 1 <= month <= 12:
                return reading.write(self._impossible(year, month, None))
            new = self._month(year or default_year, month)
            return reading.write({"y": new.year, "m": new.month}) if new else None
        quarter = reading.number("q")
        if quarter is not None:
            return reading.write({"q": self._quarter(quarter)})
        return reading.write(self._years_of(reading))

    def _month(self, year: int | None, month: int) -> dt.date | None:
        """A day in the month where the middle of a month leads."""
        if year is None:
            year = self.implied.find_year(month, MIDDLE)
        return self._add(year, month, MIDDLE)

    def _quarter(self, quarter: int) -> int:
        """The quarter where the middle of a quarter leads, or the next one in that direction."""
        month = MIDDLES[quarter - 1]
        old = dt.date(self.implied.year, month, MIDDLE)
        new = (old + dt.timedelta(days=self.days)).month
        if (new - 1) // 3 + 1 != quarter:
            return (new - 1) // 3 + 1
        return (quarter - 1 + (1 if new > month else -1)) % 4 + 1

    def _years_of(self, reading: DateReading) -> dict[str, int]:
        values: dict[str, int] = {}
        for group in ("y", "y2"):
            year = reading.number("y", group == "y2")
            if year is None:
                continue
            if "c" in reading.groups:
                # `1900-talet` is a century, `2000-talet` may be a decade.
                values[group] = year - (100 if year % 100 == 0 and year < 2000 else 10)
            else:
                values[group] = self._move_year(year)
        return values

    def _move_year(self, year: int) -> int:
        """Another year; what would be before the first goes the other way."""
        return year + self.years if year + self.years > 0 else year - self.years

    def _weeks(self, reading: DateReading) -> dict[str, int]:
        values: dict[str, int] = {}
        year = reading.number("y") or self.implied.year
        for group, second in (("w", False), ("w2", True)):
            week = reading.number("w", second)
            if week is None:
                continue
            old = get_thursday(year, week)
            new = old and self._add(old.year, old.month, old.day)
            if new is None:
                values[group] = 54 + (week - 54 + 7) % 46
            else:
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

    def _impossible(self, year: int | None, month: int | None, day: int | None) -> dict[str, int]:
        """Change a date that does not exist into another that does not exist."""
        values: dict[str, int] = {}
        if year is not None:
            values["y"] = self._move_year(year)
        if (day, month) in NO_DAYS:
            step = 1 + self.scope.number(len(NO_DAYS) - 1, "date", "impossible")
            index = (NO_DAYS.index((day, month)) + step) % len(NO_DAYS)
            values["d"], values["m"] = NO_DAYS[index]
        elif month is not None and not 1 <= month <= 12:
            values["m"] = 13 + (month - 13 + 7) % 87 if month else 0
            if day is not None and 1 <= day <= 31:
                values["d"] = (day - 1 + 7) % 31 + 1
        elif day is not None and not 1 <= day <= 31:
            values["d"] = 32 + (day - 32 + 7) % 68 if day else 0
            if month is not None:
                values["m"] = month % 12 + 1
        elif year is not None and calendar.isleap(values["y"]):
            # 29 February.
            values["y"] += 1
        return values

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
    """Get the Thursday of a week, which tells its year and, mostly, its month; None if there is no
    such week."""
    if not (1 <= week <= LAST_WEEK and dt.MINYEAR <= year < dt.MAXYEAR):
        return None
    return dt.date.fromisocalendar(year, 1, THURSDAY) + dt.timedelta(weeks=week - 1)


def get_left_year(left: DateReading, right: DateReading) -> int | None:
    """Get the year of the first date of a range that names it behind the second only."""
    year, first, last = right.number("y"), left.number("m"), right.number("m")
    if year is not None and first is not None and last is not None and first > last:
        return year - 1
    return year


def _values(date: dt.date, reading: DateReading) -> dict[str, int]:
    """What to write for a date. A weekday next to it moves by as many days as the date's own:
    one that was true stays so, as does a mistake."""
    values = {"y": date.year, "m": date.month, "d": date.day}
    old = reading.whole
    if "j" in reading.groups:
        values["j"] = date.timetuple().tm_yday
    elif "e" in reading.groups and old:
        values["e"] = (date - dt.date(*old)).days
    if reading.weekday is not None and old:
        try:
            moved = date.weekday() - dt.date(*old).weekday()
        except ValueError:
            moved = 0
        values["k"] = (reading.weekday + moved) % 7
    return values
