"""Looking up misspelled words."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from components.lists.neighbours import Neighbours

WORDS = st.text("abc", max_size=9)


@pytest.mark.parametrize("prefix", [5, 20])
@given(st.lists(WORDS, max_size=8), WORDS, st.sampled_from([1, 2]), st.integers(1, 5))
def test_neighbours(prefix, words, word, slips, shortest):
    with patch("components.lists.neighbours.PREFIX", prefix):
        neighbours = Neighbours(words, shortest=shortest, slips=slips)
        found = neighbours.find(word)
    expected = [w for w in dict.fromkeys(words) if shortest <= len(w) and len(word) >= shortest]
    assert found == [w for w in expected if OSA.distance(w, word) <= slips]
    assert len(neighbours) == len({w for w in words if len(w) >= shortest})
