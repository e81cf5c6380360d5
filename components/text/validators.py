"""Checks of the hits of patterns. A validator takes the text of a hit and returns whether it is valid. A
failed check lowers the score of the hit and seldom drops it: a mistyped personnummer still identifies
its owner.
"""

import datetime
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import catalogue
import phonenumbers
from stdnum import luhn

from .numbers import read_spoken, split_day

Validator = Callable[[str], bool]

# Patterns name a validator. Other packages can add theirs with the same decorator, or through
# the entry point group `sv_deid_chat_validators`.
validators = catalogue.create("sv_deid_chat", "validators", entry_points=True)


def make_date(year: int, month: int, day: int) -> datetime.date | None:
    """The date, None if there is no such day."""
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None


def digits_of(text: str) -> str:
    """The digits of a number as people type it, of any script, the letter O read as a zero."""
    text = text.replace("o", "0").replace("O", "0")
    return "".join(str(int(char)) for char in text if char.isdecimal())


@validators.register("personnummer")
def is_personnummer(text: str) -> bool:
    """Check the date and the check digit of a personnummer or samordningsnummer."""
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


class Meant(NamedTuple):
    """The digits of a misspelled personnummer, zeros for letters and what is missing behind, and
    where each stands in the text, -1 for one that is missing.
    """

    digits: str
    places: tuple[int, ...]


def read_misspelled(text: str) -> Meant | None:
    """Read a personnummer with a digit too many or too few, or letters at its end; else None."""
    signs = [(i, char) for i, char in enumerate(text) if char.isalnum()]
    # Without a sign the date may have its century, or not.
    parted = re.search(r"[-+]", text) or re.search(r"\s", text)
    ends = (sum(i < parted.start() for i, _ in signs),) if parted else (8, 6)
    for end in ends:
        front, last = signs[:end], signs[end:]
        if not all(char.isdecimal() for _, char in front):
            continue
        letters = sum(not char.isdecimal() for _, char in last)
        if letters:
            slips = [(front, last)] if letters < len(last) == 4 else []
        elif len(last) == 4:
            slips = [(slip, last) for slip in _mend(front)]
        else:
            slips = [(front, {5: last[:4], 3: [*last, (-1, "0")]}.get(len(last), []))]
        for date, number in slips:
            if number and _is_day(digits_of("".join(char for _, char in date))):
                meant = [*date, *number]
                digits = "".join(digits_of(char) or "0" for _, char in meant)
                return Meant(digits, tuple(i for i, _ in meant))
    return None


def _mend(signs: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Take one of the digits of a date away, or add one."""
    if len(signs) not in (5, 7, 9):
        return
    for i in range(len(signs)):
        yield signs[:i] + signs[i + 1 :]
    for i in range(len(signs) + 1):
        yield from ([*signs[:i], (-1, str(digit)), *signs[i:]] for digit in range(10))


def _is_day(digits: str) -> bool:
    """Whether six or eight digits may be a day of birth."""
    if len(digits) not in (6, 8) or (len(digits) == 8 and digits[:2] not in ("18", "19", "20")):
        return False
    month, (day, _) = int(digits[-4:-2]), split_day(int(digits[-2:]))
    # Two digits of a year are of this century or the last.
    years = (digits[:4],) if len(digits) == 8 else (f"19{digits[:2]}", f"20{digits[:2]}")
    return any(make_date(int(year), month, day) for year in years)


@validators.register("misspelled_personnummer")
def is_misspelled_personnummer(text: str) -> bool:
    """Check for a personnummer with a digit too many or too few, or with letters."""
    return read_misspelled(text) is not None


@validators.register("phone")
def is_phone(text: str) -> bool:
    """Check that the length and the area or country code of a phone number exist."""
    number = re.sub(r"\(0\)", "", re.sub(r"[oO]", "0", text))
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(number, "SE"))
    except phonenumbers.NumberParseException:
        return False


def get_spoken_digits(text: str) -> str:
    """The digits of a number in words, in digits or in both."""
    return "".join(part.digits for part in read_spoken(text))


@validators.register("spoken_personnummer")
def is_spoken_personnummer(text: str) -> bool:
    """Check the calendar and the check digit of a personnummer that is spoken."""
    return is_personnummer(get_spoken_digits(text))


@validators.register("spoken_number")
def is_spoken_number(text: str) -> bool:
    """Check that a spoken number has seven to thirteen digits."""
    return len(get_spoken_digits(text)) in range(7, 14)


@validators.register("spoken_four")
def is_spoken_four(text: str) -> bool:
    """Check that a number, in words or in digits, has four digits."""
    return len(get_spoken_digits(text)) == 4


@validators.register("spoken_phone")
def is_spoken_phone(text: str) -> bool:
    """Check that a phone number that is spoken is dialled in Sweden like that."""
    abroad = re.match(r"plus|\+", text, re.IGNORECASE)
    digits = get_spoken_digits(text)
    return is_phone(f"+{digits}" if abroad else digits)


# Where a line ends within a number, in mail that is quoted, too.
LINE_END = re.compile(r"[ =]*(?:\r\n?|\n)[> ]*")


def _join_lines(text: str) -> tuple[str, str]:
    """A number on two lines as one, and its part on the first; nothing if it is on one."""
    first, *rest = LINE_END.split(text)
    return (f"{first} {rest[0]}", first) if len(rest) == 1 else ("", "")


@validators.register("broken_personnummer")
def is_broken_personnummer(text: str) -> bool:
    """Check for a personnummer on two lines: a hyphen and a date, or a valid check digit."""
    joined, _ = _join_lines(text)
    front, sign, last = re.sub(r"\s", "", joined).replace("+", "-").rpartition("-")
    hyphened = bool(sign) and last.isdecimal() and len(last) == 4 and _is_day(front)
    return hyphened or is_personnummer(joined)


@validators.register("broken_phone")
def is_broken_phone(text: str) -> bool:
    """Check that digits on two lines are one phone number, and those on the first are not."""
    joined, first = _join_lines(text)
    return is_phone(joined) and not is_phone(first)


@validators.register("date")
def is_date(text: str) -> bool:
    """Check that a date in digits is in the calendar; without a year, 29 February passes."""
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
