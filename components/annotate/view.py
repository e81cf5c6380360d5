"""What is shown of a message: its pieces, marks, warnings, and the conversation above it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from .checks import Finding, check_marks
from .desk import Desk
from .edits import Mark, cut
from .store import OPEN, State


class Piece(NamedTuple):
    """A piece of a text, not longer than a word; between words, `word` is -1."""

    start: int
    end: int
    word: int
    text: str


class Stretch(NamedTuple):
    """Pieces that stand side by side: those of a mark, or those between marks."""

    pieces: list[Piece]
    mark: Mark | None


def lay_out(text: str, words: Sequence[tuple[int, int]], marks: Sequence[Mark]) -> list[Stretch]:
    """Lay a message out, with its marks in order: the pieces together are the text."""
    edges = [edge for mark in marks for edge in (mark["start"], mark["end"])]
    stretches: list[Stretch] = []
    ahead = [*marks]
    for start, end, word in cut(text, words, edges):
        while ahead and ahead[0]["end"] <= start:
            ahead.pop(0)
        mark = ahead[0] if ahead and ahead[0]["start"] <= start else None
        if not stretches or stretches[-1].mark is not mark:
            stretches.append(Stretch([], mark))
        stretches[-1].pieces.append(Piece(start, end, word, text[start:end]))
    return stretches


class Turn(NamedTuple):
    """A message of the conversation that was said before."""

    place: int
    author: str
    stretches: list[Stretch]


class View(NamedTuple):
    """A message as an annotator sees it: its marks and what they stand on, what may be wrong with
    them, and a notice, the key of its words.
    """

    state: State
    stretches: list[Stretch]
    listed: list[tuple[Mark, str]]
    warnings: list[tuple[Finding, str]]
    notice: str = ""


def make_view(desk: Desk, state: State, notice: str = "") -> View:
    """RETURNS (View): What is shown of a message."""
    text, words = desk.get_text(state.place), desk.get_words(state.place)
    findings = check_marks(text, words, state.marks)
    return View(
        state,
        lay_out(text, words, state.marks),
        [(mark, text[mark["start"] : mark["end"]]) for mark in state.marks],
        [(finding, text[finding.start : finding.end]) for finding in findings],
        notice,
    )


def make_turns(desk: Desk, place: int, layer: str) -> list[Turn]:
    """RETURNS (list[Turn]): What was said before, with the annotator's marks."""
    turns = []
    for earlier in desk.get_earlier(place):
        row: dict[str, Any] = desk.store.rows[earlier]
        state = desk.store.get(earlier, layer)
        marks = state.marks if state.status != OPEN or state.revision else ()
        stretches = lay_out(row["text"], desk.get_words(earlier), marks)
        turns.append(Turn(earlier, row.get("author", ""), stretches))
    return turns
