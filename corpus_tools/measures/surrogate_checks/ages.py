"""Ages, and the birth dates and personnummer that they belong to."""

import re
from collections.abc import Iterator

from corpus_tools.measures.surrogate_checks.base import Case, Check, Talk, gather, tell
from corpus_tools.measures.surrogate_checks.calendar import ReadAge, read_age, read_date
from corpus_tools.measures.surrogate_checks.known import Known
from corpus_tools.measures.surrogate_checks.times import BIRTH
from corpus_tools.measures.surrogate_mentions import Mention, get_digits

SHIFT = 5  # years, months, weeks or days
ADULT = 18
# Messages were written in these years: an age and a birth that sum up to one of them may be one
# person's. Who was born in a year has the age of it less one before the birthday.
PRESENT = range(2015, 2031)


def _read_ages(talk: Talk) -> list[tuple[Mention, ReadAge, ReadAge | None]]:
    return [
        (mention, old, read_age(mention.surrogate))
        for mention in talk.of("AGE")
        if (old := read_age(mention.original))
    ]


def check_ages(talk: Talk, known: Known) -> Check:
    """An age moves a little, in its own form, and nobody comes of age or stops being a child."""

    def find() -> Iterator[Case | None]:
        for mention, old, new in _read_ages(talk):
            if new is None or new.form != old.form:
                yield tell(mention, "written otherwise")
            elif abs(new.value - old.value) > SHIFT:
                yield tell(mention, f"{abs(new.value - old.value)} {old.unit} away")
            elif old.unit == "years" and (new.value < ADULT) != (old.value < ADULT):
                yield tell(mention, "of age, or no more")
            else:
                yield None

    return gather(find())


def check_ages_and_births(talk: Talk, known: Known) -> Check:
    """An age still fits the birth that it fitted: a birth date or a personnummer of the conversation
    that makes the age true in these years, and no other does."""
    births = {
        before: (mention, before, after)
        for mention in talk.of("PID", "DATE")
        for before, after in [_read_births(mention)]
        if before and after
    }

    def find() -> Iterator[Case | None]:
        years = {
            read.year
            for mention in talk.of("DATE")
            if not BIRTH.search(mention.before)
            and (read := read_date(mention.original))
            and read.year in PRESENT
        }
        for mention, old, new in _read_ages(talk):
            if old.unit != "years" or new is None:
                continue
            fits = [
                (before, after)
                for _, before, after in births.values()
                if _could_be(before + old.value, years)
            ]
            if len(fits) == 1:
                before, after = fits[0]
                moved = (new.value + after) - (old.value + before)
                yield None if abs(moved) <= 1 else tell(mention, f"born {before}, now {after}")

    return gather(find())


def _could_be(now: int, years: set[int | None]) -> bool:
    """Whether an age and a birth sum up to when the messages were written."""
    if not years:
        return now in PRESENT
    return any(year is not None and now in (year, year - 1) for year in years)


def _read_births(mention: Mention) -> tuple[int, int] | tuple[None, None]:
    """The years of birth, before and after."""
    if mention.label == "DATE":
        if not BIRTH.search(mention.before):
            return None, None
        old, new = read_date(mention.original), read_date(mention.surrogate)
        return (old.year, new.year) if old and new and old.year and new.year else (None, None)
    years = [_read_year(text) for text in (mention.original, mention.surrogate)]
    return (years[0], years[1]) if years[0] and years[1] else (None, None)


def _read_year(number: str) -> int | None:
    """The year of birth of a personnummer, None where only its end is written."""
    digits = re.sub(r"\D", "", re.sub("[oO]", "0", number))
    if len(digits) == 12:
        return int(digits[:4])
    short = get_digits(number)
    if len(digits) != 10 or len(short) < 6:
        return None
    year = int(digits[:2]) + (2000 if int(digits[:2]) <= 26 else 1900)
    return year - 100 if "+" in number else year
