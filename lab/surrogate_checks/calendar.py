"""Reading of dates and ages, as plainly as a reader does."""

import datetime as dt
import re
from typing import NamedTuple

from components.text.casing import fold

MONTHS = ["jan", "feb", "mar", "apr", "maj", "jun", "jul", "aug", "sep", "okt", "nov", "dec"]
ENGLISH = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
WEEKDAYS = ["mån", "tis", "ons", "tor", "fre", "lör", "sön"]
WEEKDAY = re.compile(rf"({'|'.join(WEEKDAYS)})[a-zåäö]*\.?,?\s+(?:den\s+)?")
MONTH = (
    r"(jan|feb|mar|apr|ma[jy]|jun|jul|aug|sep|o[kc]t|nov|dec)"
    r"(?:r?uar[iy]|s|ch|il|[iey]|usti?|t|t?ember|ober)?\.?"
)
YEAR = r"(?:[\s,/-]+'?((?:19|20)\d\d|\d\d))?"
FORMS = [
    # year, month, day
    (re.compile(r"((?:19|20)\d\d)([-/.]?)(\d\d)\2(\d\d)"), (1, 3, 4)),
    (re.compile(r"(\d\d)([-/.]?)(\d\d)\2(\d\d)"), (1, 3, 4)),
    (re.compile(rf"(\d\d?)/(\d\d?){YEAR}"), (3, 2, 1)),
    (re.compile(r"(\d\d?)\.(\d\d?)\.((?:19|20)\d\d|\d\d)"), (3, 2, 1)),
    (re.compile(rf"(?:den\s+)?(\d\d?)(?::?[ae]|\.)?\s*{MONTH}{YEAR}"), (3, 2, 1)),
    (re.compile(rf"{MONTH}\s+(\d\d?)(?:st|nd|rd|th)?,\s+((?:19|20)\d\d)"), (3, 1, 2)),
    (re.compile(rf"{MONTH}(?:\s+((?:19|20)\d\d))?"), (2, 1, 0)),
    (re.compile(r"((?:19|20)\d\d)"), (1, 0, 0)),
]
# Two digits of a year up to these are of this century.
NEWEST = 30
AGE = re.compile(r"(\d{1,3})(?:[.,]\d)?(.*)", re.DOTALL)
SMALL = """
noll en två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton
"""
COUNTED = SMALL.split()
TENS = ["tjugo", "trettio", "fyrtio", "femtio", "sextio", "sjuttio", "åttio", "nittio"]
IN_WORDS = {
    **{word: n for n, word in enumerate(COUNTED)},
    "ett": 1,
    **{
        ten + (COUNTED[n] if n else ""): 10 * (i + 2) + n
        for i, ten in enumerate(TENS)
        for n in range(10)
    },
    **{f"{ten}ett": 10 * (i + 2) + 1 for i, ten in enumerate(TENS)},
}
# As they are spoken: `femti`, `sextifyra`.
IN_WORDS |= {word.replace("tio", "ti"): n for word, n in IN_WORDS.items() if n > 29}
FIRST_WORD = re.compile(rf"({'|'.join(sorted(IN_WORDS, key=len, reverse=True))})(.*)", re.DOTALL)
UNITS = {"months": r"\W*mån", "weeks": r"\W*v(?:eck|\b)", "days": r"\W*dag"}


class Read(NamedTuple):
    """A date as it is written. What it does not tell is None.

    year (int | None): The year.
    month (int | None): The month.
    day (int | None): The day of the month.
    weekday (int | None): The weekday, from 0 for Monday.
    """

    year: int | None
    month: int | None
    day: int | None
    weekday: int | None

    @property
    def date(self) -> dt.date | None:
        """The day, if year, month and day are told."""
        return None if self.year is None else self.get_date(self.year)

    def get_date(self, year: int) -> dt.date | None:
        """Tell which day it is in a year.

        year (int): The year.
        RETURNS (dt.date | None): The day, None if it tells none, or that year has it not.
        """
        if not self.month or not self.day:
            return None
        try:
            return dt.date(year, self.month, self.day)
        except ValueError:
            return None


def read_date(text: str) -> Read | None:
    """Read a date.

    text (str): A date, a month or a year. Ranges, weeks and feasts are not read.
    RETURNS (Read | None): What it tells, None if it is not read.
    """
    folded = fold(text)
    ahead = WEEKDAY.match(folded)
    weekday = WEEKDAYS.index(ahead[1]) if ahead else None
    rest = folded[ahead.end() :] if ahead else folded
    for pattern, places in FORMS:
        match = pattern.fullmatch(rest)
        if match:
            year, month, day = (match[place] if place else None for place in places)
            read = Read(_read_year(year), _read_month(month), int(day) if day else None, weekday)
            if (read.month or 1) <= 12 and (read.day or 1) <= 31:
                return read
    return None


def _read_year(text: str | None) -> int | None:
    if not text:
        return None
    year = int(text)
    return year if year > 99 else year + (2000 if year <= NEWEST else 1900)


def _read_month(text: str | None) -> int | None:
    if not text:
        return None
    if text.isdecimal():
        return int(text) or 13
    return next(names.index(text) for names in (MONTHS, ENGLISH) if text in names) + 1


class ReadAge(NamedTuple):
    """An age as it is written.

    value (int): The number.
    unit (str): "years", "months", "weeks" or "days".
    form (str): What stands behind the number.
    """

    value: int
    unit: str
    form: str


def read_age(text: str) -> ReadAge | None:
    """Read an age.

    text (str): The age, in digits or in words.
    RETURNS (ReadAge | None): What it tells, None if it is not read.
    """
    folded = fold(text)
    if match := AGE.match(folded):
        value = int(match[1])
    elif match := FIRST_WORD.match(folded):
        value = IN_WORDS[match[1]]
    else:
        return None
    rest = match[2]
    unit = next((unit for unit, words in UNITS.items() if re.match(words, rest)), "years")
    return ReadAge(value, unit, rest)
