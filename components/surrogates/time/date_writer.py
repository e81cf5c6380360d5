"""How the dates of a message or a conversation are written again."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ..core.scope import Mention, Scope
from .date_forms import DateReading, parse, parse_range, repair
from .holidays import Holiday, read_holiday
from .implied_dates import ImpliedDates
from .timeline import get_timeline


class DateWriter(ABC):
    """Reads dates, and lets a subclass write what becomes of them.

    mentions (Sequence[Mention]): The dates.
    scope (Scope): The conversation or message.
    """

    def __init__(self, mentions: Sequence[Mention], scope: Scope) -> None:
        self.mentions = mentions
        self.scope = scope
        self.timeline = get_timeline(scope)
        self.readings = [self.timeline.read_date(mention) for mention in mentions]
        self.implied = ImpliedDates(mentions, self.readings, self.timeline)

    @abstractmethod
    def replace(self, i: int) -> str:
        """Replace a date."""

    @abstractmethod
    def _write_holiday(self, holiday: Holiday) -> str | None: ...

    @abstractmethod
    def _write_date(
        self, i: int, reading: DateReading, default_year: int | None = None
    ) -> str | None: ...

    def _join(self, first: str | None, dash: str, last: str | None) -> str | None:
        """Write the two dates of a range."""
        return None if first is None or last is None else first + dash + last

    def _write(self, i: int, text: str, reading: DateReading | None) -> str | None:
        """Write a date, a named day, a range or what is one of them but for a slip; None if it is none."""
        holiday = read_holiday(text)
        if holiday:
            return self._write_holiday(holiday)
        if reading:
            return self._write_date(i, reading)
        found = parse_range(text)
        if found:
            left, dash, right = found
            first = self._write_date(i, left, _get_left_year(left, right))
            return self._join(first, dash, self._write_date(i, right))
        repaired = repair(text)
        return self._write(i, repaired, parse(repaired)) if repaired else None


def _get_left_year(left: DateReading, right: DateReading) -> int | None:
    """The year of the first date of a range that names it behind the second only."""
    year, first, last = right.number("y"), left.number("m"), right.number("m")
    if year is not None and first is not None and last is not None and first > last:
        return year - 1
    return year
