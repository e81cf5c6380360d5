"""Surrogates of ages."""

import re
from collections.abc import Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from ...shared.failures import MASK
from ...text.casing import fold, like_case
from ..core.number_words import WORDS, spell_like
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope
from .age_forms import (
    LONGEST_FIRST,
    MAX_DIGITS,
    STAGE,
    Age,
    is_half_year,
    read_age_before,
    read_ages,
)
from .age_limits import read_limits
from .timeline import Timeline, get_timeline

LETTERS = re.compile(r"[^\W\d_]+")
LONG_NUMBER = re.compile(rf"\d{{{MAX_DIGITS + 1},}}")
# `i 50-årsåldern`: five years off is as close as the next.
ABOUT = re.compile(r"årsålder", re.IGNORECASE)
MISSPELLED = 5  # a shorter word has too many neighbours
SINGULAR = re.compile(r"\s*(?:månad|vecka|dag)(?![^\W\d_])", re.IGNORECASE)
PLURALS = {"månad": "månader", "vecka": "veckor", "dag": "dagar"}
WIDTH = 5
LAST = 90
A_YEAR = {"years": 1, "months": 12, "weeks": 52, "days": 365}
# The unit behind the last number, with its ending; what says that it may be more.
UNIT = re.compile(
    r"(?P<gap>\s*-?\s*)(?:m[åa]n(?:ad|ader)?s?|veck(?:a|or)s?|v|dag(?:ar)?s?|dgr|dygns?|dar)(?![^\W\d_])\.?",
    re.IGNORECASE,
)
MORE = re.compile(r"\s*(?:\+|plus(?![^\W\d_]))", re.IGNORECASE)
ADULTS = Pool(f"{age} år" for age in range(25, 75))


class AgeSurrogates(Replacer):
    """Shifts ages by one or two, all ages of a scope by the same number in their own unit, and
    with them the birth dates of the same people (see `Timeline`).

    Nobody comes of age or stops being a child by it, nobody turns 90 or stops being 90, babies
    in weeks and months stay below a year, toddlers in months below two. No age crosses a limit
    that the text beside it names (`från 40 år`), as far as there is another one. The form of
    writing stays: digits, words, `55-årig`, decimals, and what only adds to an age, as the months
    in `2 år och 3 mån`. Stages of life (`tonåring`) are no age, and stay.

    mode (str): "shift"; or "bands": the five years that the true age is in, from 90 on `90+`.
    """

    def __init__(self, mode: str = "shift") -> None:
        self.mode = mode

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        if self.mode == "bands":
            return [_write_bands(mention.text) for mention in mentions]
        timeline = get_timeline(scope)
        return [self._replace(mention, timeline, scope) for mention in mentions]

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """A stage of life stays, and so does what is no finer than a band."""
        return bool(STAGE.fullmatch(mention.text)) or self.mode != "shift"

    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        out = []
        for mention in mentions:
            values = [f"{age.value}{age.fraction}{age.unit}" for age in read_ages(mention.text)]
            out.append(" ".join(values) or fold(mention.text))
        return out

    def _replace(self, mention: Mention, timeline: Timeline, scope: Scope) -> str:
        text = mention.text
        if STAGE.fullmatch(text):
            return text
        ages = read_ages(text)
        if not ages:
            return self._repair(text, timeline, scope)
        limits = read_limits(mention)
        about = [match.start() for match in ABOUT.finditer(text)]
        out: list[str] = []
        position = 0
        for age in ages:
            out.append(_replace_long(text[position : age.start], scope))
            if age.minor:
                out.append(text[age.start : age.end])
            else:
                round_age = bool(about) and age.end <= about[-1]
                now = read_age_before(mention.before + text[: age.start], age)
                out.append(_write(age, timeline, round_age, limits, now))
            position = age.end
            unit = SINGULAR.match(text, position) if age.value == 1 and not age.minor else None
            if unit:
                word = unit[0].lstrip()
                out.append(unit[0][: -len(word)] + like_case(word, PLURALS[fold(word)]))
                position = unit.end()
        return "".join(out) + _replace_long(text[position:], scope)

    @staticmethod
    def _repair(text: str, timeline: Timeline, scope: Scope) -> str:
        """An age with a misspelled number, or none: that becomes an adult's age, as what was
        taken for an age must not stay."""
        if LONG_NUMBER.search(text):
            return _replace_long(text, scope)
        for match in LETTERS.finditer(text):
            if near := _find_near(match[0]):
                right = like_case(match[0], near)
                word = spell_like(right, timeline.get_age(WORDS[near]))
                return text[: match.start()] + word + text[match.end() :]
        return f"{25 + scope.number(50, 'age', fold(text))} år"

    def _get_pool(self) -> Pool:
        return ADULTS


def _find_near(word: str) -> str | None:
    """The number that a word misspells."""
    if len(word) < MISSPELLED:
        return None
    near = process.extractOne(fold(word), LONGEST_FIRST, scorer=OSA.distance, score_cutoff=1)
    return near[0] if near else None


def _write_bands(text: str) -> str:
    """Write the band that an age is in: `35-39 år` of `37 år`, `90+ år` of `93 år`, `0-4 år` of `8 mån`."""
    if STAGE.fullmatch(text) or ABOUT.search(text):
        return text
    if not read_ages(text):
        text = LETTERS.sub(lambda match: _find_near(match[0]) or match[0], text)
    ages = read_ages(text)
    if not ages:
        return MASK
    years = [age.value // A_YEAR[age.unit] for age in ages if not age.minor]
    tail = MORE.sub("", text[ages[-1].end :], count=1)
    if is_half_year(ages[-1].text):
        tail = " år" + tail
    unit = UNIT.match(tail)
    if unit and ages[-1].unit != "years":
        tail = (unit["gap"] or " ") + "år" + tail[unit.end() :]
    if tail[:1].isalpha() and not ages[-1].text.isdecimal():
        tail = "-" + tail
    return text[: ages[0].start] + _get_band(min(years), max(years)) + tail


def _get_band(first: int, last: int) -> str:
    low = min(first - first % WIDTH, LAST)
    if last >= LAST:
        return f"{low}+"
    return f"{low}-{last - last % WIDTH + WIDTH - 1}"


def _replace_long(text: str, scope: Scope) -> str:
    return LONG_NUMBER.sub(lambda match: scope.digits(match[0], "age"), text)


def _write(
    age: Age, timeline: Timeline, about: bool, limits: Sequence[int], now: int | None
) -> str:
    """Another number in the form of an age; what somebody is soon keeps its distance to `now`."""
    if now is not None:
        return age.write(timeline.get_age(now) + age.value - now)
    about = about and age.unit == "years" and age.value % 5 == 0
    unit = "about" if about else age.unit
    return age.write(timeline.get_age(age.value, unit, limits if unit == "years" else ()))
