"""Spans become one tag a token, and tags spans."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training_tools.formats.bio import get_tags, join_tags

BOUNDS = [(0, 3), (4, 8), (9, 12), (12, 13)]


def make(*spans):
    return [{"start": start, "end": end, "label": label} for start, end, label in spans]


@pytest.mark.parametrize(
    ("spans", "tags"),
    [
        ([], ["O", "O", "O", "O"]),
        ([(4, 12, "PERSON")], ["O", "B-PERSON", "I-PERSON", "O"]),
        ([(0, 3, "AGE"), (4, 8, "AGE")], ["B-AGE", "B-AGE", "O", "O"]),
        # Parts of tokens; of two in one token the first
        ([(5, 7, "DATE")], ["O", "B-DATE", "O", "O"]),
        ([(4, 6, "DATE"), (6, 12, "AGE")], ["O", "B-DATE", "B-AGE", "O"]),
        # Between two tokens
        ([(3, 4, "DATE")], ["O", "O", "O", "O"]),
    ],
)
def test_tags(spans, tags):
    assert get_tags(BOUNDS, make(*spans)) == tags


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        (["O", "B-AGE", "I-AGE", "O"], [(4, 12, "AGE")]),
        (["B-AGE", "B-AGE", "O", "O"], [(0, 3, "AGE"), (4, 8, "AGE")]),
        (["I-AGE", "I-AGE", "I-DATE", "O"], [(0, 8, "AGE"), (9, 12, "DATE")]),
        (["U-AGE", "I-AGE", "B-AGE", "L-AGE"], [(0, 3, "AGE"), (4, 8, "AGE"), (9, 13, "AGE")]),
    ],
)
def test_spans(tags, spans):
    assert join_tags(BOUNDS, tags) == make(*spans)


@given(st.data())
def test_round_trip(data):
    bounds = [(2 * i, 2 * i + 1) for i in range(data.draw(st.integers(1, 8)))]
    edges = sorted(data.draw(st.sets(st.integers(0, len(bounds)), max_size=6)))
    labels = st.sampled_from(["PERSON", "DATE"])
    spans = [
        (bounds[first][0], bounds[last - 1][1], data.draw(labels))
        for first, last in pairwise(edges)
    ]
    assert join_tags(bounds, get_tags(bounds, make(*spans))) == make(*spans)
