"""Surrogates of calendar dates."""

import calendar
import datetime as dt
import re
from collections.abc import Iterator, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ..swedish.casing import fold, like_case
from .date_forms import (
    LONGEST,
    MONTH_FORMS,
    MONTHS,
    NAMED_DAYS,
    ORDINALS,
    RANGE,
    RECENT,
    SELDOM,
    WEEKDAYS,
    NamedDay,
    Reading,
    parse,
)
from .keyed import Mention, Pool, Scope
from .lives import BORN, get_lives
from .nearest import Nearest
from .replacer import Replacer

# For dates that name no year: neither it nor its neighbours have a leap day.
COMMON_YEAR = 2026
LEAP_YEAR = 2024
DAYS_IN_MONTH = 30.44
# Days that no month has, in any year.
NO_DAYS = ((30, 2), (31, 2), (31, 4), (31, 6), (31, 9), (31, 11))
MONTH_POOL = Pool(MONTH_FORMS[0].values())
DAYS_IN_YEAR = 365
NAMED = re.compile(r"(?P<name>\D*[^\W\d])(?:(?P<gap>[\s,]+-?)(?P<year>\d{4}|\d{2}))?")
LONG_WORD = re.compile(r"[^\W\d_]{5,}")
KNOWN_WORDS = {word: word for word in (*MONTHS, *WEEKDAYS, *ORDINALS, *NAMED_DAYS) if len(word) > 4}


class DateSurrogates(Replacer):
    """Shifts the dates of a scope by one offset: whole weeks, so that weekdays and workdays stay,
    and the order and distance of dates with them.

    Full dates, and days with their month, shift exactly. A day alone shifts in the month that
    the dates around it name. Months alone shift by the nearest number of months, years alone by
    one, weeks by the number of weeks, named days to another named day; each of these always
    changes. The form of writing stays. Dates that do not exist turn into others that do not
    exist. Birth dates move as `Lives` tells: so a year of birth may stay what it is, if its
    personnummer stays in it, and any date may become what another one was.
    """

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        shift = Shift(mentions, scope)
        return [shift.replace(i) for i in range(len(mentions))]

    def _get_pool(self) -> Pool:
        return MONTH_POOL

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """A year of birth stays what it is if the birth date stays in it, so does its month."""
        return Shift([mention], scope).is_part_of_birth(0)

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same date.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too.
        RETURNS (list[str]): A name for each mention, the same for the same date.
        """
        out = []
        for mention in mentions:
            reading = parse(mention.text)
            parts = [reading.number(n, s) for s in (False, True) for n in "ymdw"] if reading else []
            out.append(repr(parts) if parts else fold(mention.text))
        return out


class Shift:
    """The offset of a scope, applied to its dates.

    mentions (Sequence[Mention]): The dates.
    scope (Scope): The conversation or message.
    """

    def __init__(self, mentions: Sequence[Mention], scope: Scope) -> None:
        self.mentions = mentions
        self.scope = scope
        self.lives = get_lives(scope)
        self.days = self.lives.days
        self.sign = 1 if self.days > 0 else -1
        self.months = round(self.days / DAYS_IN_MONTH) or self.sign
        self.readings = [parse(mention.text) for mention in mentions]
        self.year = self._get_year()
        self._named: dict[str, NamedDay] = {}
        # By day: the dates of all messages and of each that may tell its month.
        self._dates: dict[int, Nearest] = {}

    # What dates tell of each other

    def _get_year(self) -> int:
        """The year of dates that name none: that of the latest full date, or one in which a
        weekday is true."""
        years, guesses = [], []
        for mention, reading in zip(self.mentions, self.readings):
            if reading is None:
                continue
            date = reading.whole
            if date and not self.lives.is_birth(mention, date):
                years.append(date[0])
            elif reading.weekday is not None and "y" not in reading.groups:
                month, day = reading.number("m"), reading.number("d")
                if month is not None and day is not None:
                    guesses.append(_find_year(COMMON_YEAR, month, day, reading.weekday))
        return max(years or guesses, default=COMMON_YEAR)

    def _get_month(self, i: int, day: int) -> int:
        """The month of a day alone: that of a date with this day, or of the nearest date; in the
        same message, or else in another."""
        here = self.mentions[i]
        if day not in self._dates:
            self._dates[day] = Nearest(self._get_dates(day))
        dates = self._dates[day]
        groups = [(here.message, True), (here.message, False), (None, True), (None, False)]
        found = (dates.find(group, here.start, i) for group in groups)
        return next((near[1] for near in found if near), 1)

    def _get_dates(self, day: int) -> Iterator[tuple[tuple[int | None, bool], int, int, int]]:
        """The dates the month of which has a day, by message and by whether they are of this day;
        also those of all messages."""
        for j, (mention, reading) in enumerate(zip(self.mentions, self.readings)):
            month = reading and (reading.number("m") or reading.number("m", True))
            if not reading or not month or "d" not in reading.groups:
                continue
            if not 1 <= month <= 12 or day > calendar.monthrange(LEAP_YEAR, month)[1]:
                continue
            same = day in (reading.number("d"), reading.number("d", True))
            yield (mention.message, same), mention.start, j, month
            yield (None, same), mention.start, j, month

    # Replacing

    def replace(self, i: int) -> str:
        """Replace a date.

        i (int): The index of the mention.
        RETURNS (str): The surrogate.
        """
        mention, reading = self.mentions[i], self.readings[i]
        text = mention.text
        if len(text) > LONGEST:
            return self._by_shape(text)
        born = reading and self._birth(mention, reading)
        if born:
            return born
        new = self._named_day(text) or (
            self._shift(i, reading) if reading else self._range(i, text) or self._repaired(i, text)
        )
        return self._by_shape(text) if new is None or new == text else new

    def _birth(self, mention: Mention, reading: Reading) -> str | None:
        """A date of birth, which moves with the age; None for other dates."""
        date = reading.whole
        if date:
            if not self.lives.is_birth(mention, date):
                return None
            new = self.lives.move_birth(*date)
            if new is None:
                return reading.write(self._impossible(*date))
            return reading.write(_values(new, reading))
        has = reading.groups.keys() & {*"ymndw"}
        if not BORN.search(mention.before):
            return None
        year, month = reading.number("y"), reading.number("m")
        if has == {"d"} and re.fullmatch(r"\d\d", mention.text):
            # `född 05` is a year.
            day = int(mention.text)
            year = day + (2000 if day < RECENT else 1900)
            return f"{self.lives.move_birth_year(year) % 100:02d}"
        if (
            has == {"y"}
            and year is not None
            and "y2" not in reading.groups
            and "tal" not in mention.text.lower()
        ):
            return reading.write({"y": self.lives.move_birth_year(year)})
        if "d" not in has and year is not None and month is not None:
            new = self.lives.move_birth(year, month, 15)
            return reading.write({"y": new.year, "m": new.month}) if new else None
        return None

    def is_part_of_birth(self, i: int) -> bool:
        """Whether a mention is a date of birth without its day.

        i (int): The index of the mention.
        RETURNS (bool): Whether it is.
        """
        mention, reading = self.mentions[i], self.readings[i]
        return bool(reading and not reading.whole and self._birth(mention, reading))

    def _range(self, i: int, text: str) -> str | None:
        """Two dates with a dash or a word between them."""
        # The slash last: of `3/9-9/9` it is within the dates.
        for dash in sorted(RANGE.finditer(text), key=lambda match: "/" in match[0]):
            left, right = parse(text[: dash.start()]), parse(text[dash.end() :])
            if left and right:
                return f"{self._shift(i, left)}{dash[0]}{self._shift(i, right)}"
        return None

    def _repaired(self, i: int, text: str) -> str | None:
        """A date with a misspelled word."""

        def repair(match: "re.Match[str]") -> str:
            word = fold(match[0])
            if word in KNOWN_WORDS:
                return match[0]
            near = process.extract(word, KNOWN_WORDS, scorer=OSA.distance, score_cutoff=1, limit=2)
            return like_case(match[0], near[0][0]) if len(near) == 1 else match[0]

        repaired = LONG_WORD.sub(repair, text)
        if repaired == text:
            return None
        reading = parse(repaired)
        return self._shift(i, reading) if reading else self._named_day(repaired)

    def _named_day(self, text: str) -> str | None:
        """A named day, with or without a year."""
        match = NAMED.fullmatch(text)
        day = NAMED_DAYS.get(fold(match["name"])) if match else None
        if match is None or day is None:
            return None
        new = self._get_named(day)
        year = match["year"] or ""
        if year:
            moved = int(year) + round((day.day + self.days - new.day) / DAYS_IN_YEAR)
            year = f"{moved:04d}" if len(year) == 4 else f"{moved % 100:02d}"
        return like_case(match["name"], new.name) + (match["gap"] or "") + year

    def _get_named(self, day: NamedDay) -> NamedDay:
        """The named day of the same form next to where the offset leads, another for each."""
        if day.name not in self._named:
            found = (NAMED.fullmatch(mention.text) for mention in self.mentions)
            names = {fold(match["name"]) for match in found if match} & NAMED_DAYS.keys()
            for name in sorted(names | {day.name}):
                old = NAMED_DAYS[name]
                taken = {new.name for new in self._named.values()}
                likes = (
                    new
                    for new in NAMED_DAYS.values()
                    if new.form == old.form and new != old and new.name not in SELDOM
                )
                self._named[name] = min(
                    likes,
                    key=lambda new: (
                        new.name in taken,
                        new.name in names,
                        _get_distance(new.day, old.day + self.days),
                        new.name,
                    ),
                )
        return self._named[day.name]

    def _shift(self, i: int, reading: Reading) -> str:
        has = reading.groups
        if "w" in has:
            return reading.write(self._weeks_of(reading))
        if "d2" in has:
            return self._day_range(i, reading)
        year, month, day = (reading.number(name) for name in "ymd")
        if day is not None:
            new = self._day(i, year, month, day, reading.weekday)
            if new is None:
                return reading.write(self._impossible(year, month, day))
            if month is None and new.day == day:
                new += dt.timedelta(weeks=self.sign)
            return reading.write(_values(new, reading))
        if month is not None:
            if not 1 <= month <= 12:
                return reading.write(self._impossible(year, month, None))
            total = (year or COMMON_YEAR) * 12 + month - 1 + self.months
            return reading.write({"y": total // 12, "m": total % 12 + 1})
        step = 10 * self.sign if "tal" in reading.text.lower() else self.sign
        values = {"y": max(0, (year or 0) + step)}
        if "y2" in has:
            values["y2"] = (int(has["y2"]) + self.sign) % 100
        return reading.write(values)

    def _weeks_of(self, reading: Reading) -> dict[str, int]:
        values: dict[str, int] = {}
        weeks = self.lives.weeks
        for group, second in (("w", False), ("w2", True)):
            week = reading.number("w", second)
            if week is None:
                continue
            if not 1 <= week <= 53:
                values[group] = 54 + (week - 54 + weeks) % 46
                continue
            total = min(week, 52) - 1 + weeks
            values[group] = total % 52 + 1
            year = reading.number("y")
            if year is not None:
                values["y"] = year + total // 52
        return values

    def _day_range(self, i: int, reading: Reading) -> str:
        year, month = reading.number("y", True), reading.number("m", True)
        first, last = reading.number("d"), reading.number("d", True)
        if first is None or last is None:
            return self._by_shape(reading.text)
        ends = [
            self._day(i, year, month, day, None if k else reading.weekday)
            for k, day in enumerate((first, last))
        ]
        if ends[0] is None or ends[1] is None:
            return self._by_shape(reading.text)
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
            if not 1 <= day <= 31:
                return None
            month = self._get_month(i, day)
        if year is None:
            year = _find_year(self.year, month, day, weekday)
        try:
            return dt.date(year, month, day) + dt.timedelta(days=self.days)
        except (ValueError, OverflowError):
            return None

    def _impossible(self, year: int | None, month: int | None, day: int | None) -> dict[str, int]:
        """Change a date that does not exist into another that does not exist."""
        values: dict[str, int] = {}
        if year is not None:
            values["y"] = min(9998, max(1, year + self.sign))
        if (day, month) in NO_DAYS:
            step = 1 + self.scope.number(len(NO_DAYS) - 1, "date", "impossible")
            index = (NO_DAYS.index((day, month)) + step) % len(NO_DAYS)
            values["d"], values["m"] = NO_DAYS[index]
        elif month is not None and not 1 <= month <= 12:
            values["m"] = 13 + (month - 13 + 7 * self.sign) % 87 if month else 0
            if day is not None and 1 <= day <= 31:
                values["d"] = (day - 1 + 7 * self.sign) % 31 + 1
        elif day is not None and not 1 <= day <= 31:
            values["d"] = 32 + (day - 32 + 7 * self.sign) % 68 if day else 0
            if month is not None:
                values["m"] = (month - 1 + self.months) % 12 + 1
        elif year is not None and calendar.isleap(values["y"]):
            # 29 February.
            values["y"] += self.sign
        return values

    def _by_shape(self, text: str) -> str:
        """The last resort: other digits in the same places, another month for a word."""
        if any(c.isdecimal() for c in text):
            return re.sub(r"\d+", lambda match: self.scope.digits(match[0], "date"), text)
        return like_case(text, self.scope.pick("date", text, MONTH_POOL))


def _get_distance(one: int, other: int) -> int:
    """The days between two days of the year, across its end if that is shorter."""
    days = (one - other) % DAYS_IN_YEAR
    return min(days, DAYS_IN_YEAR - days)


def _find_year(year: int, month: int, day: int, weekday: int | None) -> int:
    """The year nearest to a given one, the past first, that has a day, on a weekday; the given
    one if none has."""
    for other in (year, *range(max(year, COMMON_YEAR), year - 12, -1)):
        try:
            if weekday is None or dt.date(other, month, day).weekday() == weekday:
                return dt.date(other, month, day).year
        except ValueError:
            continue
    return year


def _values(date: dt.date, reading: Reading) -> dict[str, int]:
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
