"""The windows that the encoder reads, and how they are laid out."""

from itertools import pairwise

import numpy as np
import pytest
import spacy
import torch
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc
from transformers import BertConfig

from components.model.torch_network import Bert
from components.model.windows import (
    NONE,
    ROW,
    WIDEST,
    Batch,
    Window,
    configure_strided_spans,
    fill_rows,
    get_strips,
    get_windows,
    pack,
)
from components.shared.interruption import Stopped, interruptible
from tests.cases import cases

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


PAD = 0


def make_windows(lengths):
    """Windows whose pieces tell them apart, one token each."""
    return [Window([i + 1] * n, np.arange(n), np.full(n, i)) for i, n in enumerate(lengths)]


def as_tensors(batch):
    return Batch(*map(torch.from_numpy, batch))


@given(st.lists(st.integers(1, 300), max_size=40), st.integers(1, 1000))
def test_each_window_is_there_once_and_sees_itself_alone(lengths, most):
    found = {}
    batches = [as_tensors(batch) for batch in pack(make_windows(lengths), most, PAD)]
    for batch in batches:
        n_rows, width = batch.ids.shape
        assert width % ROW == 0 and (n_rows == 1 or n_rows * width <= most)
        mask = batch.mask
        assert mask.any(dim=2).all()
        for row, start in ((batch.positions == 0) & (batch.ids != PAD)).nonzero().tolist():
            same = batch.windows[row] == batch.windows[row, start]
            (window,) = set(batch.ids[row][same].tolist())
            assert window not in found
            found[window] = int(same.sum())
            assert batch.positions[row][same].tolist() == [*range(found[window])]
            assert torch.equal(mask[row, start], same)
        assert (batch.windows == NONE).eq(batch.ids == PAD).all()
        # Each piece is where its pair says, and there are no others.
        assert torch.equal(batch.ids.flatten()[batch.pieces], batch.tokens + 1)
        assert len(batch.pieces) == int((batch.ids != PAD).sum())
    assert found == {i + 1: n for i, n in enumerate(lengths)}
    assert len({batch.ids.shape[1] for batch in batches}) <= 1


@cases
def test_a_row_takes_what_fits(lengths, width, expected):
    rows = fill_rows(make_windows(lengths), width)
    assert [[len(window.ids) for window in row] for row in rows] == expected


def test_rows_have_few_shapes():
    rng = np.random.default_rng(0)
    shapes = set()
    for _ in range(200):
        lengths = rng.integers(4, 90, size=rng.integers(5, 30)).tolist()
        shapes |= {batch.ids.shape for batch in pack(make_windows(lengths), 2048, PAD)}
    assert {width for _, width in shapes} <= {*range(ROW, WIDEST + 1, ROW)}
    assert len(shapes) <= 60


@cases
def test_rows_are_of_the_length_that_leaves_least_padding(lengths, shape):
    shapes = [tuple(batch.ids.shape) for batch in pack(make_windows(lengths), 2048, PAD)]
    assert shapes == ([shape] if shape else [])


def test_what_is_packed_is_read_as_if_alone():
    config = BertConfig(
        vocab_size=30, hidden_size=16, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=24, max_position_embeddings=128, initializer_range=0.5,
    )  # fmt: skip
    bert = Bert(config.to_dict()).eval()
    rng = np.random.default_rng(0)
    windows = [
        Window(rng.integers(1, 30, size=n).tolist(), np.arange(n), np.full(n, i))
        for i, n in enumerate([5, 1, 77, 128, 40, 40, 3, 60])
    ]
    (batch,) = map(as_tensors, pack(windows, 4096, PAD))
    with torch.no_grad():
        packed = bert(batch.ids, batch.positions, batch.mask).flatten(0, 1)[batch.pieces]
        for i, window in enumerate(windows):
            alone = bert.read(torch.tensor(window.ids), [len(window.ids)])
            torch.testing.assert_close(packed[batch.tokens == i], alone, atol=1e-4, rtol=1e-4)


def test_what_nobody_waits_for_ends_between_two_strips():
    left = iter([True, True])

    def check():
        if not next(left, False):
            raise Stopped

    with interruptible(check):
        strips = get_strips(make_windows([9] * 50), 10)
        assert [len(next(strips).ids) for _ in range(2)] == [9, 9]
        with pytest.raises(Stopped):
            next(strips)
    assert len([*get_strips(make_windows([9] * 50), 10)]) == 50
