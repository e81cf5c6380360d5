"""How ages are written: numbers, words and units."""

import re
from bisect import bisect_left
from typing import NamedTuple

from ...text.casing import fold, like_case
from ..core.number_words import WORDS, spell, spell_like

MAX_DIGITS = 3  # a longer number is no age
HALF_YEAR = 6  # months
LONGEST_FIRST = sorted(WORDS, key=len, reverse=True)
ANY_WORD = "|".join(LONGEST_FIRST)
# What stays behind the number: `5,5`, `2 1/2`, `17 ½`, `fyra och ett halvt`.
FRACTION = (
    r"(?P<fraction>[.,]\d+|\s?[½¼¾]|\s1/[24](?!\d)"
    r"|\s+(?:och|o|å|&)\s+(?:en?|ett)\s+halv[at]?(?![^\W\d_]))?"
)
NUMBER = re.compile(
    r"(?P<half>(?<![^\W\d_])(?:ett\s+)?halv(?:t\s+)?år(?:et)?|½\s?år)|"
    rf"(?:(?P<digits>\d+)|(?<![^\W\d_])(?P<word>{ANY_WORD})(?![^\W\d_])){FRACTION}"
    rf"|(?<![^\W\d_])(?P<head>{ANY_WORD})(?=år|mån|veck|plus)",
    re.IGNORECASE,
)
UNIT = re.compile(
    r"(?P<years>år|year|y\b|å\b)|(?P<months>m[åa]n|mth|month|\bm\b)|(?P<weeks>v(?:eck|\b|k))|"
    r"(?P<days>da[gr]|dgr|dygn|day|d\b)",
    re.IGNORECASE,
)
# The units and how many of the smaller make the larger: more are an age of their own.
WITHIN = {("years", "months"): 12, ("years", "weeks"): 52, ("months", "weeks"): 5,
          ("months", "days"): 31, ("weeks", "days"): 7}  # fmt: skip
APART = re.compile(r"[-/,]|\beller\b|\bsnart\b", re.IGNORECASE)
# `5, snart` … `6`
SOON = re.compile(
    rf"(?<![\w.,/-])(?:(?P<digits>\d{{1,2}})|(?P<word>{ANY_WORD}))(?:\s*år)?(?:\s+gam+al|\s+gml)?,?\s+"
    r"(?:(?:och|men|är|han|hon|jag|ska)\s+){0,2}(?:snart|strax|fyller|fylla|blir|bli)(?:\s+(?:fyller|blir|snart))?\s+$",
    re.IGNORECASE,
)
SOONEST = 2  # years
# A stage of life is no age.
STAGE = re.compile(
    r"(?:ton(?:åring|år)|nyfödd|bebis|spädbarn|småbarn|pensionär|minderårig|o?myndig|vuxen|vuxn"
    r"|medelålder)(?:a|ar|ars|arna|e|en|ens|er|et|s|t)?",
    re.IGNORECASE,
)


class Age(NamedTuple):
    """A number in a mention of an age, with its fraction (`,5`) and its unit: "years", "months",
    "weeks" or "days". A minor one only adds to the number in front of it: the months in `2 år och 3
    mån`."""

    start: int
    end: int
    text: str
    fraction: str
    value: int
    unit: str
    minor: bool

    def write(self, value: int) -> str:
        if is_half_year(self.text):
            return like_case(self.text, f"{spell(value)} månader")
        if self.text.isdecimal():
            width = len(self.text) if self.text[0] == "0" else 1
            return str(value).zfill(width) + self.fraction
        return spell_like(self.text, value) + self.fraction


def is_half_year(text: str) -> bool:
    """Whether an age is half a year: `halvåret`."""
    return "halv" in text.lower() or text.startswith("½")


def read_ages(text: str) -> list[Age]:
    """Read the numbers of a mention of an age."""
    ages: list[Age] = []
    units = list(UNIT.finditer(text))
    starts = [unit.start() for unit in units]
    for match in NUMBER.finditer(text):
        digits = match["digits"]
        if digits and len(digits) > MAX_DIGITS:
            continue
        if match["half"]:
            ages.append(Age(*match.span(), match[0], "", HALF_YEAR, "months", False))
            continue
        number = digits or match["word"] or match["head"]
        value = int(digits) if digits else WORDS[fold(number)]
        # The next one behind the number.
        behind = bisect_left(starts, match.end())
        unit = (units[behind].lastgroup if behind < len(units) else None) or "years"
        minor = bool(ages) and _adds(ages[-1], value, unit, text[ages[-1].end : match.start()])
        ages.append(Age(*match.span(), number, match["fraction"] or "", value, unit, minor))
    return ages


def read_age_before(before: str, age: Age) -> int | None:
    """Read the age in years that somebody has who has another one soon; None if no close one is
    told."""
    match = SOON.search(before) if age.unit == "years" else None
    if match is None:
        return None
    now = int(match["digits"]) if match["digits"] else WORDS[fold(match["word"])]
    return now if 0 < age.value - now <= SOONEST else None


def _adds(before: Age, value: int, unit: str, between: str) -> bool:
    return value < WITHIN.get((before.unit, unit), 0) and not APART.search(between)
