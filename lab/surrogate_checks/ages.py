"""Ages, and the birth dates and personnummer that they belong to."""

import datetime as dt
import re
from collections.abc import Iterator

from lab.measures.surrogate_mentions import Mention, get_digits
from lab.surrogate_checks.base import Case, Check, Talk, gather, tell
from lab.surrogate_checks.calendar import ReadAge, read_age, read_date
from lab.surrogate_checks.known import Known
from lab.surrogate_checks.times import BIRTH, read_dates

SHIFT = 5  # years, months, weeks or days
ADULT = 18
# Messages were written in these years: an age and a birth that sum up to one of them may be one
# person's. Who was born in a year has the age of it less one before the birthday.
PRESENT = range(2015, dt.date.today().year + 5)
PAST = 10  # years into which a conversation may move
# What is said right in front of an age, and the ages of whom it is told.
STORIES = {
    r"f[öo]rskol|dagis|\bbvc\b": range(7),
    r"\b(?:åk|klass|årskurs)\s?[1-3]\b": range(6, 11),
    r"\b(?:åk|klass|årskurs)\s?[4-6]\b": range(9, 14),
    r"\b(?:åk|klass|årskurs)\s?[7-9]\b": range(12, 17),
    r"\bskol(?:an|start)": range(6, 20),
    r"gymnasi": range(15, 21),
    r"\bgravid": range(13, 50),
    r"\bpension|\bäldreboende": range(60, 120),
    r"\bdemen[st]": range(50, 120),
    r"sjukskriv": range(18, 68),
}
NEAR = 30  # letters


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
            elif len(str(new.value)) > 2 and re.fullmatch(r"\d\d", mention.original):
                yield tell(mention, "three digits")
            elif abs(new.value - old.value) > SHIFT:
                yield tell(mention, f"{abs(new.value - old.value)} {old.unit} away")
            elif old.unit == "years" and (new.value < ADULT) != (old.value < ADULT):
                yield tell(mention, "of age, or no more")
            else:
                yield None

    return gather(find())


def check_stories(talk: Talk, known: Known) -> Check:
    """An age that fits what is said in front of it still does."""

    def find() -> Iterator[Case | None]:
        for mention, old, new in _read_ages(talk):
            near = mention.before[-NEAR:].lower()
            for story, fitting in STORIES.items():
                if old.unit == "years" and new and old.value in fitting and re.search(story, near):
                    yield None if new.value in fitting else tell(mention, "not in this story")

    return gather(find())


def check_ages_and_births(talk: Talk, known: Known) -> Check:
    """An age still fits the birth that it fitted: a birth date or a personnummer of the conversation
    that makes the age true in these years, and no other does. What year it is may move, as the
    dates do; where none tells, some years into the past."""
    births = {years for mention in talk.of("PID", "DATE") if (years := _read_births(mention))}
    dates = [(old.date, new.date) for _, old, new in read_dates(talk) if old.date and new.date]
    moves = [round((new - old).days / 365.25) for old, new in dates if old and new]
    low, high = (min(moves) - 1, max(moves) + 1) if moves else (-PAST, 1)

    def find() -> Iterator[Case | None]:
        present = {old.year for old, _ in dates if old} & {*PRESENT}
        for mention, old, new in _read_ages(talk):
            if old.unit != "years" or new is None:
                continue
            fits = [years for years in births if _could_be(years[0] + old.value, present)]
            if len(fits) == 1:
                ((before, after),) = fits
                moved = (new.value + after) - (old.value + before)
                fit = low <= moved <= high
                yield None if fit else tell(mention, f"born {before}, now {after}")

    return gather(find())


def _could_be(now: int, years: set[int]) -> bool:
    """Whether an age and a birth sum up to when the messages were written."""
    if not years:
        return now in PRESENT
    return any(now in (year, year - 1) for year in years)


def _read_births(mention: Mention) -> tuple[int, int] | None:
    """The years of birth, before and after."""
    old, new = (_read_birth(text, mention) for text in (mention.original, mention.surrogate))
    return (old, new) if old and new else None


def _read_birth(text: str, mention: Mention) -> int | None:
    if mention.label == "PID":
        return _read_year(text)
    read = read_date(text) if BIRTH.search(mention.before) else None
    return read.year if read else None


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
