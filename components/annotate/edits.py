"""What an annotator may do to the marks of a message. Each function takes marks in order that do not
overlap, and gives such marks back; what it was given is not changed.
"""

from collections.abc import Sequence

from ..measures.formats.bio import Bounds
from ..measures.gold import Span
from ..shared.labels import LABELS
from .words import snap


class Mark(Span, total=False):
    """A span that somebody or something has marked.

    suggested (bool): Whether nobody has accepted it yet.
    """

    suggested: bool


class EditError(ValueError):
    """A change that makes no sense: the key of its words, which hold nothing of any text."""


def trim(text: str, start: int, end: int) -> Bounds | None:
    """Take white space off the edges of a stretch of text.

    text (str): The text.
    start (int), end (int): The stretch, which may reach beyond the text.
    RETURNS (Bounds | None): What is left of it; None if nothing is.
    """
    start, end = max(start, 0), min(end, len(text))
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None


def settle_bounds(
    text: str, words: Sequence[Bounds], start: int, end: int, exact: bool = False
) -> Bounds:
    """Tell what is marked where somebody marks a stretch of text.

    text (str): The text.
    words (Sequence[Bounds]): Its words.
    start (int), end (int): The stretch.
    exact (bool): Whether letters count; else it is widened to whole words.
    RETURNS (Bounds): The stretch to mark.
    RAISES (EditError): If there is nothing to mark.
    """
    bounds = trim(text, start, end)
    if bounds is not None and not exact:
        bounds = snap(words, *bounds)
    if bounds is None:
        raise EditError("no_word")
    return bounds


def mark(marks: Sequence[Mark], bounds: Bounds, label: str) -> list[Mark]:
    """Mark a stretch of text. It takes the place of the marks that it overlaps.

    marks (Sequence[Mark]): The marks.
    bounds (Bounds): The stretch.
    label (str): Its class.
    RETURNS (list[Mark]): The new marks.
    RAISES (EditError): If there is no such class.
    """
    if label not in LABELS:
        raise EditError("no_class")
    start, end = bounds
    new: Mark = {"start": start, "end": end, "label": label}
    return sorted([*erase(marks, bounds), new], key=lambda each: each["start"])


def erase(marks: Sequence[Mark], bounds: Bounds) -> list[Mark]:
    """Take away the marks that overlap a stretch of text.

    marks (Sequence[Mark]): The marks.
    bounds (Bounds): The stretch.
    RETURNS (list[Mark]): The others.
    """
    start, end = bounds
    return [each for each in marks if each["end"] <= start or end <= each["start"]]


def accept(marks: Sequence[Mark]) -> list[Mark]:
    """Make all suggested marks one's own.

    marks (Sequence[Mark]): The marks.
    RETURNS (list[Mark]): The same, none of them suggested.
    """
    return [{"start": each["start"], "end": each["end"], "label": each["label"]} for each in marks]
