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
    "Anna",
    "Åsa",
    "😊",
    "👩‍👩‍👧",
    "e\u0301",
    "\r\n",
    " ",
    "\n",
    "\u00a0",
    "070-1740605",
    "/",
    "أحمد",
    ".",
    "(",
    "x",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["mark", "erase"]),
        st.integers(0, 60),
        st.integers(1, 15),
        st.sampled_from(LABELS),
        st.booleans(),
    ),
    max_size=12,
)


def do(text, words, marks, action):
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


@given(TEXTS, ACTIONS)
def test_what_is_shown_is_the_text_with_each_mark_where_python_finds_it(text, actions):
    words = find_words(NLP, text)
    marks = []
    for action in actions:
        marks = do(text, words, marks, action)
    stretches = lay_out(text, words, marks)
    pieces = [piece for stretch in stretches for piece in stretch.pieces]
    assert "".join(piece.text for piece in pieces) == text
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)
    shown = [
        (
            stretch.mark["start"],
            stretch.mark["end"],
            "".join(piece.text for piece in stretch.pieces),
        )
        for stretch in stretches
        if stretch.mark
    ]
    assert shown == [(m["start"], m["end"], text[m["start"] : m["end"]]) for m in marks]


@given(TEXTS, st.integers(0, 80), st.integers(1, 20))
def test_a_stretch_snaps_to_whole_words_that_it_touches(text, start, length):
    words = find_words(NLP, text)
    touched = [word for word in words if word[0] < start + length and start < word[1]]
    expected = (touched[0][0], touched[-1][1]) if touched else None
    assert snap(words, start, start + length) == expected


@given(TEXTS)
def test_pieces_have_the_number_of_their_word(text):
    words = find_words(NLP, text)
    for start, end, number in cut(text, words, []):
        assert number == -1 or words[number] == (start, end)


def test_accepting_leaves_nothing_suggested():
    marks = [{"start": 0, "end": 4, "label": "PERSON", "suggested": True}]
    assert edits.accept(marks) == [{"start": 0, "end": 4, "label": "PERSON"}]


def test_a_class_that_is_none_is_refused():
    with pytest.raises(EditError, match="no_class"):
        edits.mark([], (0, 1), "NAME")


@cases
def test_a_mark_that_breaks_a_rule_is_warned_of(text, marked, label, rule):
    start = text.index(marked)
    mark = {"start": start, "end": start + len(marked), "label": label}
    found = [finding.rule for finding in check_marks(text, find_words(NLP, text), [mark])]
    assert found == [rule] * bool(rule)
