"""Dates of machines that have a part of theirs beside them: the year behind the time, the month of the
first date of an interval.
"""

import re

from ..core.scope import Mention
from .date_forms import DateReading, parse

# `Sun Mar 30` … `2025`
DAY = re.compile(r"(?P<day>[A-Z][a-z]{2} {1,2}\d{1,2}) \d\d:\d\d:\d\d(?: [A-Z]{3,5})? $")
YEAR = re.compile(r" \d\d:\d\d:\d\d(?: [A-Z]{3,5})? (?P<year>(?:19|20)\d\d)(?!\d)")
# `30/Mar/2025:14:30:00`
MONTH = re.compile(r"\b[A-Z][a-z]{2}\b")
TIME = re.compile(r"[ :]\d\d:\d\d(?::\d\d|\s[+-]\d{4})\b")
# `2025-03-30/` … `04-05`
START = re.compile(r"(?<!\d)(?P<year>\d{4})-(?P<month>\d\d)-\d\d(?:[T ][^\s/]{1,30})?/$")
END = re.compile(r"(?:(?P<month>\d\d)-)?\d\d")


def read_end(mention: Mention) -> DateReading | None:
    """Read the second date of an interval that leaves out what it shares with the first."""
    if not END.fullmatch(mention.text) or not START.search(mention.before):
        return None
    if len(mention.text) > 2:
        return DateReading(mention.text, {"m": (0, 2), "d": (3, 5)}, by_machine=True)
    return DateReading(mention.text, {"d": (0, 2)}, by_machine=True)


def find_start(mention: Mention) -> tuple[int | None, int | None]:
    """Find the year, and the month of a day alone, that stand beside a date; None where nothing
    tells them."""
    start, end = START.search(mention.before), END.fullmatch(mention.text)
    if start and end:
        year, month = int(start["year"]), int(start["month"])
        return year + (int(end["month"] or month) < month), None if end["month"] else month
    behind = YEAR.match(mention.after)
    return (int(behind["year"]), None) if behind else (None, None)


def is_log(mention: Mention) -> bool:
    """RETURNS (bool): Whether a date is one of a log or the head of a mail."""
    return bool(MONTH.search(mention.text) and TIME.match(mention.after))


def read_day_before(mention: Mention) -> DateReading | None:
    """Read the day that a year stands behind, with the time in between."""
    day = DAY.search(mention.before)
    return parse(day["day"]) if day else None
