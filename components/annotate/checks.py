"""Marks that break a rule of the guidelines which a program can see."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..measures.spans import Bounds
from ..shared.words import read_words
from .edits import Mark

# A full stop may end an initial or an abbreviation, a bracket may begin a phone number.
INITIAL = re.compile(r"(?:^|[\s.-])\w{1,4}\.$")
FIRST = "+("
WEEKDAY = re.compile(r"(?:mån|tis|ons|tors|fre|lör|sön)(?:dag(?:en|s|ar)?)?\.?", re.IGNORECASE)
WORDS = {name: "|".join(words) for name, words in read_words(__file__, "checks.txt").items()}
POSSESSIVE = re.compile(rf"(?:{WORDS['possessive']})\s", re.IGNORECASE)
# Kinship words, titles and roles as they stand in front of a name.
KINSHIP = re.compile(rf"\b(?:{WORDS['kinship']})\.?\s+$", re.IGNORECASE)
ARTICLE = re.compile(r"den\s", re.IGNORECASE)
# Characters of a kinship word and the space behind it.
LONGEST = 25
SHORT_NUMBERS = ("112", "1177", "11414", "11313")


class Finding(NamedTuple):
    """Where a mark may be wrong, and the rule that it breaks: the key of its words."""

    start: int
    end: int
    rule: str


def check_marks(text: str, words: Sequence[Bounds], marks: Sequence[Mark]) -> list[Finding]:
    """Find marks that break a rule, and words that are marked in one place and not in another."""
    starts, ends = {start for start, _ in words}, {end for _, end in words}
    found = [
        Finding(each["start"], each["end"], rule)
        for each in marks
        for rule in _check_mark(text, starts, ends, each)
    ]
    return found + [*_find_unmarked(text, words, marks)]


def _check_mark(text: str, starts: set[int], ends: set[int], mark: Mark) -> Iterator[str]:
    start, end, label = mark["start"], mark["end"], mark["label"]
    marked = text[start:end]
    if marked[0].isspace() or marked[-1].isspace():
        yield "space"
    if start not in starts or end not in ends:
        yield "within"
    if not (marked[0].isalnum() or marked[0] in FIRST):
        yield "first_sign"
    if not (marked[-1].isalnum() or marked[-1] == ")" or INITIAL.search(marked)):
        yield "last_sign"
    if label == "PERSON" and KINSHIP.search(text[max(0, start - LONGEST) : start]):
        yield "kinship"
    yield from _check_class(marked, label)


def _check_class(marked: str, label: str) -> Iterator[str]:
    digits = "".join(filter(str.isdigit, marked))
    if label in ("PID", "PHONE") and not digits:
        yield "digits"
    if label == "PHONE" and digits in SHORT_NUMBERS:
        yield "short"
    if label == "EMAIL" and "@" not in marked:
        yield "at"
    if label == "DATE" and ARTICLE.match(marked):
        yield "article"
    if label == "DATE" and WEEKDAY.fullmatch(marked):
        yield "weekday"
    if label == "PERSON" and POSSESSIVE.match(marked):
        yield "possessive"


def _find_unmarked(text: str, words: Sequence[Bounds], marks: Sequence[Mark]) -> Iterator[Finding]:
    starts, ends = {start for start, _ in words}, {end for _, end in words}
    # Lower case that keeps the length: offsets stay.
    low = "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)
    for marked in dict.fromkeys(low[each["start"] : each["end"]] for each in marks):
        at = low.find(marked)
        while at >= 0:
            end = at + len(marked)
            whole = at in starts and end in ends
            if whole and all(each["end"] <= at or end <= each["start"] for each in marks):
                yield Finding(at, end, "unmarked")
            at = low.find(marked, end)
