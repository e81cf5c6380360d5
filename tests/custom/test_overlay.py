import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from components.custom.overlay import Piece, lay_over, take_out
from components.text.hits import get_tokens
from tests.cases import read_cases

DOC = spacy.blank("sv")("a bb ccc - dddd eeeee ff g")
STRETCHES = st.tuples(st.integers(0, 6), st.integers(1, 3)).map(lambda p: (p[0], min(8, sum(p))))


def make(start, end, label="X", source="s"):
    return Piece(start, end, label, source, 0.5, ({"by": label},))


@given(st.lists(STRETCHES, max_size=5), st.lists(STRETCHES, max_size=5))
def test_what_any_covers_stays_covered(entities, hits):
    old, new = [make(*p) for p in entities], [make(*p, "H", "h") for p in hits]
    pieces = lay_over(DOC, old, new)
    covered = [i for piece in pieces for i in range(piece.start, piece.end)]
    assert len(covered) == len(set(covered))
    assert set(covered) == {i for p in (*old, *new) for i in range(p.start, p.end)}
    assert get_tokens(DOC[p.start : p.end] for p in pieces) == set(covered)


@pytest.mark.parametrize(
    "entity, hit, label",
    [((0, 2), (0, 2), "H"), ((0, 3), (0, 2), "X"), ((0, 2), (0, 3), "H"), ((0, 2), (1, 5), "H")],
)
def test_the_longest_decides_the_label(entity, hit, label):
    (piece,) = lay_over(DOC, [make(*entity)], [make(*hit, "H", "h")])
    assert (piece.label, piece.source) == (label, "s+h")
    assert [step["by"] for step in piece.trace] == ["X", "H", "unite"]


@pytest.mark.parametrize("tokens, left", read_cases(__file__)["test_what_is_left"])
def test_what_is_left(tokens, left):
    pieces = take_out(DOC, make(0, 6), tokens, "allow")
    assert [(piece.start, piece.end) for piece in pieces] == left
    assert all(piece.trace[-1]["by"] == "allow" for piece in pieces)
