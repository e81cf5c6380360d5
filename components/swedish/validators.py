"""Checks that a rule hit is what it looks like. A failed check lowers the score of a hit, and
seldom drops it: a mistyped personnummer still points at its owner.
"""

import datetime
import re
from collections.abc import Callable

import catalogue
import phonenumbers
from stdnum import luhn

from .numbers import split_day

Validator = Callable[[str], bool]

# Patterns name a validator. Other packages can add theirs with the same decorator, or through
# the entry point group `sv_deid_chat_validators`.
validators = catalogue.create("sv_deid_chat", "validators", entry_points=True)


def make_date(year: int, month: int, day: int) -> datetime.date | None:
    """Make a date, if there is such a day.

    year (int): The year.
    month (int): The month.
    day (int): The day of the month.
    RETURNS (Optional[datetime.date]): The date, or None.
    """
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def digits_of(text: str) -> str:
    """The digits of a number as people type it, of any script, the letter O read as a zero.

    text (str): The text of a hit.
    RETURNS (str): ASCII digits.
    """
    text = text.replace("o", "0").replace("O", "0")
    return "".join(str(int(char)) for char in text if char.isdecimal())


@validators.register("personnummer")
def is_personnummer(text: str) -> bool:
    """Check the calendar and the check digit of a personnummer or a samordningsnummer of ten or
    twelve digits, whatever stands between the digits.

    text (str): The text of a hit.
    RETURNS (bool): Whether both hold.
    """
    digits = digits_of(text)
    if len(digits) not in (10, 12):
        return False
    month, (day, _) = int(digits[-8:-6]), split_day(int(digits[-6:-4]))
    if len(digits) == 12:
        years = [int(digits[:4])]
    else:
        years = [century + int(digits[:2]) for century in (1900, 2000)]
    born = any(1840 <= year <= 2099 and make_date(year, month, day) for year in years)
    return born and luhn.is_valid(digits[-10:])


@validators.register("phone")
def is_phone(text: str) -> bool:
    """Check that a phone number is dialled in Sweden like that: its length and its area code or
    country code.

    text (str): The text of a hit.
    RETURNS (bool): Whether the number exists in the numbering plan.
    """
    number = re.sub(r"\(0\)", "", re.sub(r"[oO]", "0", text))
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(number, "SE"))
    except phonenumbers.NumberParseException:
        return False


@validators.register("date")
def is_date(text: str) -> bool:
    """Check that a date in digits is in the calendar, read as day-month, year-month-day or
    day-month-year. Without a year, 29 February passes.

    text (str): The text of a hit, for instance "3/11", "2022-03-11", "110322".
    RETURNS (bool): Whether there is such a day.
    """
    parts = re.findall(r"[0-9]+", text)
    if len(parts) == 1 and len(parts[0]) in (6, 8):
        digits = parts[0]
        readings = [(digits[:-4], digits[-4:-2], digits[-2:])]
        readings.append((digits[4:], digits[2:4], digits[:2]))
    elif len(parts) == 2:
        readings = [("2000", parts[1], parts[0])]
    elif len(parts) == 3:
        readings = [(parts[0], parts[1], parts[2]), (parts[2], parts[1], parts[0])]
    else:
        return False
    return any(
        make_date(int(year) if len(year) == 4 else 2000 + int(year[-2:]), int(month), int(day))
        for year, month, day in readings
    )
