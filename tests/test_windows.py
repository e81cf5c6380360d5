"""The windows that the encoder reads."""

import itertools

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from components.windows import configure_char_windows, get_char_windows

VOCAB = spacy.blank("sv").vocab


@given(
    st.lists(st.tuples(st.integers(1, 30), st.booleans()), max_size=60),
    st.integers(5, 60),
    st.integers(0, 4),
)
def test_windows_cover_every_token_and_fit(tokens, window, overlap):
    words = ["x" * length for length, _ in tokens]
    doc = Doc(VOCAB, words=words, spaces=[space for _, space in tokens])
    (spans,) = get_char_windows([doc], window, overlap)
    assert {i for span in spans for i in range(span.start, span.end)} == set(range(len(doc)))
    assert all(len(span.text) <= window or len(span) == 1 for span in spans)
    starts = [span.start for span in spans]
    assert starts == sorted(set(starts))


def test_short_message_is_one_window():
    doc = Doc(VOCAB, words=["Hej", "Anna"])
    assert get_char_windows([doc], 500, 100) == [[doc[:]]]


def test_windows_overlap():
    doc = Doc(VOCAB, words=["word"] * 40)
    (spans,) = get_char_windows([doc], 50, 20)
    assert all(b.start < a.end for a, b in itertools.pairwise(spans))


def test_empty():
    assert get_char_windows([Doc(VOCAB)], 10, 2) == [[]]


@pytest.mark.parametrize("window, overlap", [(10, 10), (10, -1), (0, 0)])
def test_bad_config(window, overlap):
    with pytest.raises(ValueError, match="overlap"):
        configure_char_windows(window, overlap)
