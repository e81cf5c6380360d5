"""The windows that the encoder reads."""

from itertools import pairwise

import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from components.model.windows import configure_strided_spans, get_windows

VOCAB = spacy.blank("sv").vocab


@given(
    st.lists(st.tuples(st.integers(1, 30), st.booleans()), max_size=60),
    st.integers(5, 60),
    st.integers(0, 4),
)
def test_windows_cover_every_token_and_fit(tokens, size, overlap):
    words = ["x" * length for length, _ in tokens]
    doc = Doc(VOCAB, words=words, spaces=[space for _, space in tokens])
    windows = get_windows(doc, size, overlap)
    assert {i for start, end in windows for i in range(start, end)} == set(range(len(doc)))
    assert all(len(doc[a:b].text) <= size or b == a + 1 for a, b in windows)
    starts = [start for start, _ in windows]
    assert starts == sorted(set(starts))
    for (start, end), (following, _) in pairwise(windows):
        shared = doc[following:end].text if following < end else ""
        assert len(shared) <= overlap
        # As much is shared as may be.
        if following - 1 > start:
            assert len(doc[following - 1 : end].text) > overlap


@given(st.text(max_size=200), st.integers(8, 60))
def test_windows_are_counted_in_bytes(text, size):
    """A tokenizer of bytes makes several word pieces of a letter."""
    doc = spacy.blank("sv")(text)
    spans = configure_strided_spans(size, 4)([doc])[0]
    assert all(len(span.text.encode()) <= size or len(span) == 1 for span in spans)
    assert {token.i for span in spans for token in span} == set(range(len(doc)))


def test_windows():
    doc = Doc(VOCAB, words=["Hej", "Anna"], spaces=[True, False])
    assert get_windows(doc, 500, 100) == get_windows(doc, len(doc.text), 0) == [(0, 2)]
    assert get_windows(doc, len(doc.text) - 1, 0) == [(0, 1), (1, 2)]
    assert get_windows(Doc(VOCAB, words=["word"] * 40), 50, 20)[:2] == [(0, 10), (6, 16)]
    assert get_windows(Doc(VOCAB), 10, 2) == []
