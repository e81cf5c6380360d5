"""Limits of age that a text names, or its story needs, which ages beside them do not cross."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...shared.words import read_words
from ..core.scope import Mention

Bounds = tuple[int, int]  # the least and the greatest age
# `från 40 år`: who is as old is on the one side; `över 65`: on the other.
FROM = "från|minst|fyllt|fyller|fylla|innan|före|under|yngre än|åtminstone"
UP_TO = "över|äldre än|mer än|högst|max|till|upp till|upp t o m|efter"
# What the number is of: years, or nothing that is measured.
YEARS = (
    r"(?:\s*-?\s*år|(?!\d|[.,:/]\d|\s*(?:%|mg|ml|mmol|g|kg|cm|mm|m|km|kr|st|min|minuter|tim|timmar|h"
    r"|dagar|veckor|v|mån|månader|gånger|ggr|grader)\b))"
)
LIMIT = re.compile(
    rf"\b(?:(?P<first>{FROM})|(?:{UP_TO}))\s+(?:de\s+)?(?P<limit>\d{{1,3}}){YEARS}|"
    rf"\b(?P<low>\d{{1,3}})\s*(?:-|till|och)\s*(?P<high>\d{{1,3}})\s*-?\s*år|"
    r"\b(?P<gate>\d{1,3})(?:\s*\+|\s*-?\s*årsgräns)",
    re.IGNORECASE,
)
# Where nothing is said: school and pension.
USUAL = (6, 65)
START = 3  # letters by which words that tell a story are found
STORIES: dict[str, list[tuple[str, list[int]]]] = defaultdict(list)
for _ages, _words in read_words(__file__, "age_stories.txt").items():
    for _word in _words:
        STORIES[_word[:START]].append((_word, [*map(int, _ages.split())]))
WORD = re.compile(r"[^\W\d_]+|\d+")
GRADES = ("ettan", "tvåan", "trean", "fyran", "femman", "sexan", "sjuan", "åttan", "nian")
CLASS_WORDS = ("åk", "årskurs", "klass")
FIRST_CLASS = 6  # the year in which somebody turns 7 begins with this age


def read_limits(mention: Mention) -> tuple[int, ...]:
    """Read the limits around an age, in years: who is younger is on another side than who is as old."""
    limits: list[int] = []
    for text in (mention.before, mention.after):
        for match in LIMIT.finditer(text):
            if match["low"]:
                limits += (int(match["low"]), int(match["high"]) + 1)
            elif match["gate"]:
                limits.append(int(match["gate"]))
            else:
                limits.append(int(match["limit"]) + (match["first"] is None))
        limits += _read_story(text)
    return tuple(limits)


def _read_story(text: str) -> Iterator[int]:
    """`går i trean`, `åk 3`, `dement`"""
    words = WORD.findall(text.lower())
    for word in words:
        for start, ages in STORIES.get(word[:START], ()):
            if word.startswith(start):
                yield from ages
    for word, following in pairwise(("", *words)):
        grade = 0
        if following in GRADES and word == "i":
            grade = GRADES.index(following) + 1
        elif word in CLASS_WORDS and following.isdecimal() and len(following) == 1:
            grade = int(following)
        if grade:
            yield from (FIRST_CLASS + grade - 1, FIRST_CLASS + grade + 2)


def get_bounds(age: int, limits: Sequence[int], bounds: Bounds) -> Bounds:
    """Get the ages on the same side of all limits."""
    low, high = bounds
    return (
        max((limit for limit in (low, *limits) if limit <= age), default=low),
        min((limit - 1 for limit in (high + 1, *limits) if limit > age), default=high),
    )
