"""Searching: a regular expression over all messages, and how a word was annotated before."""

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..rules.regex import BoundedRegex, RunawayRegexError
from .edits import Mark

# Seconds that a search may take, all messages together.
PATIENCE = 5.0
# Hits that are found at most.
MOST = 2000
# Characters shown on each side of a hit.
AROUND = 40
OUTSIDE = ""


class SearchError(ValueError):
    """Why a search gives nothing: the key of its words, which hold nothing of any text."""


class Hit(NamedTuple):
    """Where a regular expression matches in the message at a place."""

    place: int
    start: int
    end: int


class Example(NamedTuple):
    """An occurrence of words in the message at a place, with the text around them."""

    place: int
    before: str
    words: str
    after: str


def search(
    texts: Iterable[tuple[int, str]], pattern: str, patience: float = PATIENCE, most: int = MOST
) -> list[Hit]:
    """Find all matches of a regular expression, whatever the case of letters.

    pattern (str): The regular expression. What its group `phi` matches is the hit, if it has one.
    RETURNS (list[Hit]): The matches that have a letter or digit.
    RAISES (SearchError): If it is no regular expression, or takes too long.
    """
    try:
        regex = BoundedRegex(pattern)
    except (re.error, RecursionError, OverflowError):
        raise SearchError("no_regex") from None
    until = time.monotonic() + patience
    hits: list[Hit] = []
    for place, text in texts:
        try:
            found = regex.find(text, agreed=False)
        except RunawayRegexError:
            raise SearchError("runaway") from None
        hits += (Hit(place, *span) for span in found if any(map(str.isalnum, text[slice(*span)])))
        if len(hits) >= most:
            return hits[:most]
        if time.monotonic() > until:
            raise SearchError("slow")
    return hits


def quote(place: int, text: str, start: int, end: int) -> Example:
    """RETURNS (Example): A stretch of a text with what is around it, on one line."""
    before, after = text[max(start - AROUND, 0) : start], text[end : end + AROUND]
    return Example(place, *(re.sub(r"\s+", " ", part) for part in (before, text[start:end], after)))


class History(NamedTuple):
    """How often a word was marked as which class (not: ""), and some examples of each."""

    counts: Counter[str]
    examples: dict[str, list[Example]]


def look_up(
    words: str, messages: Iterable[tuple[int, str, Sequence[Mark]]], examples: int = 3
) -> History:
    """Find out how words were annotated, whatever their case, also within longer marks."""
    history = History(Counter(), {})
    words = words.strip()
    if not any(map(str.isalnum, words)):
        return history
    pattern = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)", re.IGNORECASE)
    for place, text, marks in messages:
        for bounds in (match.span() for match in pattern.finditer(text)):
            label = next(find_labels(marks, *bounds), OUTSIDE)
            history.counts[label] += 1
            shown = history.examples.setdefault(label, [])
            if len(shown) < examples:
                shown.append(quote(place, text, *bounds))
    return history


def find_labels(marks: Sequence[Mark], start: int, end: int) -> Iterator[str]:
    """Find the classes of the marks that overlap a stretch of text."""
    return (each["label"] for each in marks if each["start"] < end and start < each["end"])
