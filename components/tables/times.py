"""Times that stand in columns: read, recognised and moved."""

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

from .errors import RowError

DAY = r"(?:0?[1-9]|[12]\d|3[01])"
MONTH = r"(?:0?[1-9]|1[0-2])"
CLOCK = r"(?:(?:T|,?\s+)(?:[01]?\d|2[0-3])[:.]?[0-5]\d.*)?"
FORMS = (
    rf"\d{{4}}([-/.]){MONTH}\1{DAY}{CLOCK}",
    rf"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:{CLOCK}|(?:[01]\d|2[0-3])(?:[0-5]\d){{2}})",
    rf"{DAY}([-/.]){DAY}\2(?:19|20)\d\d{CLOCK}",
    rf"(?:[^\W\d_]{{2,4}}\.?,? )?(?:{DAY}\.? [^\W\d_]{{3,9}}|[^\W\d_]{{3,9}} {DAY}),? \d{{4}}{CLOCK}",
)
TIME = re.compile("|".join(FORMS))
# Seconds since 1970, or parts of them.
EPOCH = re.compile(r"[1-3]\d{9}(?:\d{3}){0,3}(?:\.\d+)?")
# What columns of these are called.
NAME = re.compile(
    r"time|tid|dat(?:e|um)|stamp|epoch|creat|updat|sent|skicka|skapa|(?:^|[_.])(?:at|ts)$",
    re.IGNORECASE,
)
# The date of ISO 8601, before its time.
ISO_DATE = re.compile(r"(\s*)(\d{4})(-?)(\d\d)\3(\d\d)(?!\d)")
WEEK_DATE = re.compile(r"(\s*)(\d{4})(-?)W(\d\d)\3(\d)(?!\d)")
# The seconds of a day, and from when to when a number of seconds is a time and no number in a row.
SECONDS, FIRST, LAST = 86_400, 5e8, 4.2e9
UNITS = (1, 1_000, 1_000_000, 1_000_000_000)


def is_time(cell: str, column: str = "") -> bool:
    """Tell whether a cell is a date, with a time or without, and nothing else.

    column (str): What its column is called. Only where that speaks of time, a number of seconds is one.
    """
    if TIME.fullmatch(cell):
        return True
    return EPOCH.fullmatch(cell) is not None and NAME.search(column) is not None


def read_time(values: Mapping[str, Any], name: str) -> float:
    """Read the time of a message.

    RETURNS (float): Seconds, or any number by which rows are ordered; NaN for none.
    RAISES (RowError): If it is no time.
    """
    value = values.get(name)
    if value is None or value == "":
        return math.nan
    if isinstance(value, str):
        value = _parse(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime.combine(value, time())
    if isinstance(value, datetime):
        # A time without a zone is that of the same clock for all.
        return value.replace(tzinfo=value.tzinfo or timezone.utc).timestamp()
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        with suppress(OverflowError):
            return float(value)
    raise RowError(f"field {name!r} is no time: ISO 8601 or a number")


def _parse(text: str) -> Any:
    # Numbers first: 1712010112345, milliseconds since 1970, is a day of the year 1712 in ISO 8601, too.
    with suppress(ValueError):
        return float(text)
    with suppress(ValueError):
        return datetime.fromisoformat(text.strip().replace("Z", "+00:00").replace(", ", " "))
    return None


def move_time(value: Any, days: int, name: str) -> Any:
    """Move a time by whole days. The time of day, the zone and the form stay.

    value (Any): The cell, which `read_time` can read.
    RETURNS (Any): The cell. A number in a row, which is no time, stays.
    RAISES (RowError): If it cannot be moved.
    """
    try:
        return _move(value, days)
    except (ValueError, ArithmeticError):
        raise RowError(f"field {name!r} is a time that cannot be moved") from None


def _move(value: Any, days: int) -> Any:
    if isinstance(value, (date, datetime)):
        return value + timedelta(days)
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        unit = next((unit for unit in UNITS if FIRST <= value / unit < LAST), 0)
        return value + days * SECONDS * unit
    if not isinstance(value, str) or not value.strip():
        return value
    if match := ISO_DATE.match(value):
        blank, year, sign, month, day = match.groups()
        moved = date(int(year), int(month), int(day)) + timedelta(days)
        return f"{blank}{moved.strftime(f'%Y{sign}%m{sign}%d')}{value[match.end() :]}"
    if match := WEEK_DATE.match(value):
        blank, year, sign, week, day = match.groups()
        moved = date.fromisocalendar(int(year), int(week), int(day)) + timedelta(days)
        return f"{blank}{moved.strftime(f'%G{sign}W%V{sign}%u')}{value[match.end() :]}"
    if re.fullmatch(r"\s*\d+\s*", value):
        return str(_move(int(value), days))
    return str(_move(Decimal(value), days))
