"""Words, edits, warnings: offsets as Python counts them, and never two marks on one character."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.annotate import edits
from components.annotate.checks import check_marks
from components.annotate.edits import EditError, cut, find_words, snap
from components.annotate.view import lay_out
from components.measures.formats.registry import chat_language
from components.shared.labels import LABELS
from tests.cases import cases

NLP = chat_language()
# Emoji of several characters, line breaks of Windows, marks that combine, no-break spaces, right to left.
PIECES = [
    "Anna", "Åsa", "😊", "👩‍👩‍👧", "e\u0301", "\r\n", " ", "\n", "\u00a0", "070-1740605", "/", "أحمد", ".", "(", "x",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
NAMES, CLASSES = st.sampled_from(["mark", "erase"]), st.sampled_from(LABELS)
ACTION = st.tuples(NAMES, st.integers(0, 60), st.integers(1, 15), CLASSES, st.booleans())
ACTIONS = st.lists(ACTION, max_size=12)


def do(text, words, marks, action):
    """Marks after an action; the same if it makes no sense."""
    name, start, length, label, exact = action
    if name == "erase":
        return edits.erase(marks, (start, start + length))
    try:
        bounds = edits.settle_bounds(text, words, start, start + length, exact)
        return edits.mark(marks, bounds, label)
    except EditError:
        return marks


@given(TEXTS, ACTIONS)
def test_marks_never_overlap_and_hold_no_white_space_at_their_edges(text, actions):
    words = find_words(NLP, text)
    marks = []
    for action in actions:
        marks = do(text, words, marks, action)
        for one, two in pairwise(marks):
            assert one["end"] <= two["start"]
        for mark in marks:
            marked = text[mark["start"] : mark["end"]]
            assert marked and marked == marked.strip()
    # What is shown is the text, with each mark where Python finds it.
    stretches = lay_out(text, words, marks)
    pieces = [piece for stretch in stretches for piece in stretch.pieces]
    assert "".join(piece.text for piece in pieces) == text
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)
    shown = [(each.mark, "".join(p.text for p in each.pieces)) for each in stretches if each.mark]
    assert shown == [(mark, text[mark["start"] : mark["end"]]) for mark in marks]


@given(TEXTS, st.integers(0, 80), st.integers(1, 20))
def test_a_stretch_snaps_to_whole_words_that_it_touches(text, start, length):
    words = find_words(NLP, text)
    touched = [word for word in words if word[0] < start + length and start < word[1]]
    expected = (touched[0][0], touched[-1][1]) if touched else None
    assert snap(words, start, start + length) == expected
    # Pieces have the number of their word.
    for first, last, number in cut(text, words, []):
        assert number == -1 or words[number] == (first, last)


def test_accepting_and_refusing():
    marks = [{"start": 0, "end": 4, "label": "PERSON", "suggested": True}]
    assert edits.accept(marks) == [{"start": 0, "end": 4, "label": "PERSON"}]
    with pytest.raises(EditError, match="no_class"):
        edits.mark([], (0, 1), "NAME")


@cases
def test_a_mark_that_breaks_a_rule_is_warned_of(text, marked, label, rule):
    start = text.index(marked)
    mark = {"start": start, "end": start + len(marked), "label": label}
    found = [finding.rule for finding in check_marks(text, find_words(NLP, text), [mark])]
    assert found == [rule] * bool(rule)
