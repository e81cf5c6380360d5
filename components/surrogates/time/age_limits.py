"""Limits of age that a text names, or its story needs, which ages beside them do not cross."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

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
# Where nothing is told: school and pension.
USUAL = (6, 65)
# Beginnings of words that tell a story, by the ages between which it goes on.
STORIES = {
    (7,): "förskol dagis dagmamm bvc potta potträn",
    (5, 8): "förskoleklass nollan sexårsverksamhet",
    (6,): "skol",
    (6, 11): "lågstadi",
    (9, 14): "mellanstadi",
    (12, 17): "högstadi konfirm",
    (15, 18): "moped moppe",
    (15, 21): "gymnasi gymnasie",
    (9, 18): "pubertet menarche",
    (13, 20): "tonår",
    (23, 26): "ungdomsmottagning umo",
    (18, 46): "gravid förlossning mvc barnmorsk ivf preventivmedel",
    (40, 61): "klimakteri övergångsålder",
    (40, 75): "mammografi",
    (65,): "pension ålderspension hemtjänst äldreboende rollator",
    (60,): "dement demens alzheimer",
    (19, 67): "sjukskriv sjukpenning sjukersättning arbetslös",
}
START = 3  # letters by which they are found
STORIES_BY_START: dict[str, list[tuple[str, tuple[int, ...]]]] = defaultdict(list)
for _ages, _words in STORIES.items():
    for _word in _words.split():
        STORIES_BY_START[_word[:START]].append((_word, _ages))
WORD = re.compile(r"[^\W\d_]+|\d+")
GRADES = ("ettan", "tvåan", "trean", "fyran", "femman", "sexan", "sjuan", "åttan", "nian")
CLASS_WORDS = ("åk", "årskurs", "klass")
FIRST_CLASS = 6  # the year in which somebody turns 7 begins with this age


def read_limits(mention: Mention) -> tuple[int, ...]:
    """Read the limits around an age.

    RETURNS (tuple[int, ...]): Ages in years: who is younger is on another side of the limit than
        who is as old or older.
    """
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
        for start, ages in STORIES_BY_START.get(word[:START], ()):
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
