"""What an annotator may do to the marks of a message, which are in order and do not overlap."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from spacy.language import Language

from ..measures.gold import Span
from ..measures.spans import Bounds, to_char_spans, to_rows, trim
from ..shared.labels import LABELS


def find_words(nlp: Language, text: str) -> list[Bounds]:
    """Find where each token begins and ends that is not white space, in order."""
    return [
        (token.idx, token.idx + len(token)) for token in nlp.make_doc(text) if not token.is_space
    ]


def snap(words: Sequence[Bounds], start: int, end: int) -> Bounds | None:
    """Widen a stretch of text to whole words; None if no word is in it."""
    first = bisect_right(words, start, key=lambda word: word[1])
    behind = bisect_left(words, end, key=lambda word: word[0])
    return (words[first][0], words[behind - 1][1]) if first < behind else None


def cut(text: str, words: Sequence[Bounds], edges: Sequence[int]) -> list[tuple[int, int, int]]:
    """Cut a text at edges: start, end and number of the word of each piece, -1 between words."""
    cuts = sorted({0, len(text), *edges, *(edge for word in words for edge in word)})
    pieces = []
    number = 0
    for start, end in pairwise(cuts):
        while number < len(words) and words[number][1] <= start:
            number += 1
        inside = number < len(words) and words[number][0] <= start
        pieces.append((start, end, number if inside else -1))
    return pieces


class Mark(Span, total=False):
    """A span that was marked. `suggested`: nobody has accepted it yet."""

    suggested: bool


class EditError(ValueError):
    """A change that makes no sense: the key of its words, which hold nothing of any text."""


def settle_bounds(
    text: str, words: Sequence[Bounds], start: int, end: int, exact: bool = False
) -> Bounds:
    """Settle whole words to mark, or exact bounds, or raise EditError if there is no word."""
    bounds = trim(text, start, end)
    if bounds is not None and not exact:
        bounds = snap(words, *bounds)
    if bounds is None:
        raise EditError("no_word")
    return bounds


def mark(marks: Sequence[Mark], bounds: Bounds, label: str) -> list[Mark]:
    """Mark a stretch of text in place of marks that it overlaps; EditError for an unknown class."""
    if label not in LABELS:
        raise EditError("no_class")
    start, end = bounds
    new: Mark = {"start": start, "end": end, "label": label}
    return sorted([*erase(marks, bounds), new], key=lambda each: each["start"])


def erase(marks: Sequence[Mark], bounds: Bounds) -> list[Mark]:
    """Take away the marks that overlap a stretch of text."""
    start, end = bounds
    return [each for each in marks if each["end"] <= start or end <= each["start"]]


def accept(marks: Sequence[Mark]) -> list[Mark]:
    """Make all suggested marks one's own."""
    return cast(list[Mark], to_rows(to_char_spans(marks)))
