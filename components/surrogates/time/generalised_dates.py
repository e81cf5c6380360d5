"""True dates of which only the month, or the year, is left."""

import re
from collections.abc import Sequence

from ...shared.failures import MASK
from ...text.casing import like_case
from ..core.scope import Mention, Scope
from .date_forms import LONGEST, DateReading, parse, parse_range, repair
from .date_patterns import MONTH_FORMS, TIMELESS
from .date_shift import get_left_year, get_thursday
from .holidays import Holiday, read_holiday
from .implied_dates import ImpliedDates
from .timeline import BORN, get_timeline

SEPARATOR = re.compile(r"[^\w\d]*")


class GeneralisedDates:
    """Leaves the month and the year of dates, or the year alone, as they are written: `2024-03` of
    `2024-03-11`, `mars` of `fredag den 11 mars`. What has no month, or no year that is written or
    told by the conversation, is masked.

    mentions (Sequence[Mention]): The dates.
    scope (Scope): The conversation or message.
    unit (str): "month" or "year".
    """

    def __init__(self, mentions: Sequence[Mention], scope: Scope, unit: str) -> None:
        self.mentions = mentions
        self.unit = unit
        timeline = get_timeline(scope)
        self.readings = [timeline.read_date(mention) for mention in mentions]
        self.implied = ImpliedDates(mentions, self.readings, timeline)

    def replace(self, i: int) -> str:
        """Coarsen a date."""
        mention, reading = self.mentions[i], self.readings[i]
        text = mention.text
        if len(text) > LONGEST:
            return MASK
        if TIMELESS.fullmatch(text):
            return text
        if BORN.search(mention.before) and re.fullmatch(r"\d\d", text):
            # `född 05` is a year.
            return text
        return self._read(text, reading) or MASK

    def _read(self, text: str, reading: DateReading | None) -> str | None:
        if holiday := read_holiday(text):
            return self._holiday(holiday)
        if reading:
            return self._coarsen(reading)
        if found := parse_range(text):
            return self._range(*found)
        if repaired := repair(text):
            return self._read(repaired, parse(repaired))
        reading = parse(text, loose=True)
        return self._coarsen(reading) if reading else None

    def _range(self, left: DateReading, dash: str, right: DateReading) -> str | None:
        first, last = self._coarsen(left, get_left_year(left, right)), self._coarsen(right)
        if first is None or last is None or last.startswith(first):
            return last
        return first + dash + last

    def _holiday(self, holiday: Holiday) -> str | None:
        year = holiday.whole_year
        if self.unit == "year":
            return self._year(year)
        month = holiday.day.get_date(year or self.implied.year).month
        return like_case(holiday.name, MONTH_FORMS[0][month]) + holiday.gap + holiday.year

    def _year(self, year: int | None) -> str | None:
        if year is None:
            return str(self.implied.year) if self.implied.tells else None
        return str(year)

    def _coarsen(self, reading: DateReading, default_year: int | None = None) -> str | None:
        has = reading.groups
        year = reading.number("y")
        if year is None:
            year = reading.number("y", True)
        if not has.keys() & {*"dmnwqje"}:
            # A year alone, or a season of it.
            return reading.text if self.unit == "month" or not reading.names_year else str(year)
        if self.unit == "year":
            return self._year(year or default_year)
        if "q" in has:
            return reading.text
        if "w" in has:
            return self._month_of_week(reading, year or default_year)
        month = reading.number("m", True) or reading.number("m")
        return _write_month(reading, year, month) if month and 1 <= month <= 12 else None

    def _month_of_week(self, reading: DateReading, year: int | None) -> str | None:
        week = reading.number("w") or 0
        thursday = get_thursday(year or self.implied.year, week)
        if thursday is None:
            return None
        month = MONTH_FORMS[0][thursday.month]
        return like_case(reading.groups.get("k", "a"), month) + (f" {year}" if year else "")


def _write_month(reading: DateReading, year: int | None, month: int) -> str:
    """The month and the year as far as they are written, in the form of the date."""
    text, spans = reading.text, reading.spans
    named = spans.get("n2", spans.get("n"))
    dated = spans.get("y2", spans.get("y"))
    if named is None:
        if year is None:
            return MONTH_FORMS[0][month]
        if dated and "j" in spans or dated and dated[0] < spans["m"][0]:
            return f"{year:04d}{reading.groups.get('s') or '-'}{month:02d}"
        return f"{MONTH_FORMS[0][month]} {year}"
    name = text[named[0] : named[1]]
    if dated is None:
        return name
    between = text[named[1] : dated[0]]
    follows = named[1] <= dated[0] and SEPARATOR.fullmatch(between)
    return name + (between if follows else " ") + text[dated[0] : dated[1]]
