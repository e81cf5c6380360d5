"""Dates: distances, weekdays, seasons and years. Births are apart: they move with the age."""

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from lab.measures.surrogate_mentions import Mention, get_digits
from lab.surrogate_checks.base import Case, Check, Talk, gather, tell
from lab.surrogate_checks.calendar import Read, read_date
from lab.surrogate_checks.known import Known

BIRTH = re.compile(
    r"(?:född\w*|\bfödd?|\bf\.?|födelse\w*|\bfdd|\bborn)\W*(?:(?:den|i|år)\W+)?$", re.IGNORECASE
)
# A year without 29 February, one with it, and their neighbours.
YEARS = range(2022, 2027)
SEASON = 62  # days: two months
PLAUSIBLE = range(1890, 2036)
MOVED = 10  # years that a year moves at most
# `18` alone may be a day.
BARE = re.compile(r"\d{4}|-\d\d|3[2-9]|[4-9]\d")
SHORT = re.compile(r"-?\d\d")
# A year in two digits and a month.
YEAR_AND_MONTH = re.compile(r"(?:00|3[2-9]|[4-9]\d)([-/ ]?)(?:0[1-9]|1[0-2])")
SOME_YEAR_AND_MONTH = re.compile(r"\d\d([-/ ]?)(?:0[1-9]|1[0-2])")
NEAR = 20  # letters in front of a date
ENGLISH = re.compile(
    r"\b(?:the|of|on|since|until|born|last|next|was)\s+$|day,?\s|\d(?:st|nd|rd|th)\b", re.IGNORECASE
)
ENGLISH_MONTH = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|october|(?:sept|nov|dec)(?:ember)?|oct)\b",
    re.IGNORECASE,
)
SWEDISH_MONTH = re.compile(
    r"\b(?:januari|februari|mars|maj|juni|juli|augusti|oktober|okt)\b", re.IGNORECASE
)
OTHER_MONTH = re.compile(
    r"\b(?:\w+kuuta|enero|febrero|marzo|abril|mayo|junio|julio|agosto|octubre|januar|februar|märz|dezember|"
    r"janvier|février|avril|juin|juillet|août|abril|maio|junho|julho)\b",
    re.IGNORECASE,
)


def read_dates(talk: Talk) -> list[tuple[Mention, Read, Read]]:
    """Read the dates of a conversation, before and after.

    talk (Talk): The conversation.
    RETURNS (list[tuple[Mention, Read, Read]]): Those of which both can be read, births left out.
    """
    births = {get_digits(mention.original)[:6] for mention in talk.of("PID")}
    dates = []
    for mention in talk.of("DATE"):
        old, new = read_date(mention.original), read_date(mention.surrogate)
        if not old or not new or BIRTH.search(mention.before):
            continue
        if old.date and f"{old.date:%y%m%d}" in births:
            continue
        dates.append((mention, old, new))
    return dates


def check_distances(talk: Talk, known: Known) -> Check:
    """All distances between full dates of a conversation stay, to the day."""
    offsets = [
        (mention, (new.date - old.date).days)
        for mention, old, new in read_dates(talk)
        if old.date and new.date
    ]
    if len(offsets) < 2:
        return gather(())
    ((most, _),) = Counter(offset for _, offset in offsets).most_common(1)
    return gather(
        None if offset == most else tell(mention, f"{offset - most:+} days off the others")
        for mention, offset in offsets
    )


def check_partial_distances(talk: Talk, known: Known) -> Check:
    """The distance from a date to the next one stays, also where they tell no year: in some year."""

    def find() -> Iterator[Case | None]:
        dates = [row for row in read_dates(talk) if row[1].day and row[2].day]
        for (_, old, new), (mention, next_old, next_new) in pairwise(dates):
            if old.date and next_old.date:
                continue
            before, after = _get_distances(old, next_old), _get_distances(new, next_new)
            if before and after:
                yield (
                    None if before & after else tell(mention, "another distance from the last one")
                )

    return gather(find())


def _get_distances(one: Read, other: Read) -> set[int]:
    return {
        (b - a).days
        for year in ([one.year] if one.year else YEARS)
        for other_year in ([other.year] if other.year else (year - 1, year, year + 1))
        if (a := one.get_date(year)) and (b := other.get_date(other_year))
    }


def check_weekdays(talk: Talk, known: Known) -> Check:
    """Weekdays stay, those that are told and those that a full date has."""

    def find() -> Iterator[Case | None]:
        for mention, old, new in read_dates(talk):
            if old.weekday is not None:
                yield None if new.weekday == old.weekday else tell(mention, "another weekday")
                if old.date and new.date and old.date.weekday() == old.weekday:
                    yield None if new.date.weekday() == new.weekday else tell(mention, "untrue")
            elif old.date and new.date:
                same = old.date.weekday() == new.date.weekday()
                yield None if same else tell(mention, "another weekday, by the calendar")

    return gather(find())


def check_seasons(talk: Talk, known: Known) -> Check:
    """A date moves by two months of the year at most."""

    def find() -> Iterator[Case | None]:
        for mention, old, new in read_dates(talk):
            if old.month and new.month:
                days = abs(_get_day_of_year(new) - _get_day_of_year(old))
                days = min(days, 365 - days)
                yield None if days <= SEASON else tell(mention, f"{days} days away in the year")

    return gather(find())


def _get_day_of_year(read: Read) -> int:
    first = dt.date(2023, read.month or 1, 1).timetuple().tm_yday
    return first + (read.day or 15) - 1


def check_years(talk: Talk, known: Known) -> Check:
    """A bare year stays one, of as many digits, and not far away."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("DATE"):
            old, new = mention.original.strip(), mention.surrogate.strip()
            month = YEAR_AND_MONTH.fullmatch(old)
            if month:
                moved_to = SOME_YEAR_AND_MONTH.fullmatch(new)
                same = moved_to and moved_to[1] == month[1]
                yield None if same else tell(mention, "no year and month any more")
            if month or not BARE.fullmatch(old):
                continue
            if not (BARE.fullmatch(new) or SHORT.fullmatch(new)) or len(new) != len(old):
                yield tell(mention, "no such year any more")
            elif len(old) == 4 and int(old) in PLAUSIBLE:
                moved = abs(int(new) - int(old))
                fits = int(new) in PLAUSIBLE and moved <= MOVED
                yield None if fits else tell(mention, f"{moved} years away")
            else:
                yield None

    return gather(find())


def check_languages(talk: Talk, known: Known) -> Check:
    """A month in an English sentence becomes an English one, and one of another language no Swedish one."""

    def find() -> Iterator[Case | None]:
        for mention in talk.of("DATE"):
            old, new = mention.original, mention.surrogate
            english = ENGLISH.search(mention.before[-NEAR:]) or ENGLISH.search(old)
            if english and ENGLISH_MONTH.search(old):
                yield tell(mention, "a Swedish month") if SWEDISH_MONTH.search(new) else None
            elif OTHER_MONTH.search(old):
                fits = new != old and not SWEDISH_MONTH.search(new)
                yield None if fits else tell(mention, "no month of its language")

    return gather(find())
