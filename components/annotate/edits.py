"""What an annotator may do to the marks of a message, which are in order and do not overlap."""

from collections.abc import Sequence
from typing import cast

from ..measures.gold import Span
from ..measures.spans import Bounds, to_char_spans, to_rows, trim
from ..shared.labels import LABELS
from .words import snap


class Mark(Span, total=False):
    """A span that somebody or something has marked.

    suggested (bool): Whether nobody has accepted it yet.
    """

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
