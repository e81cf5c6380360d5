"""Windows of messages: what the encoder reads in one go, and how it is laid out for the network.

For a prediction they are laid out in strips: one window behind the other, without padding.

For a training they are laid out in rows: several windows in one row, none of which sees another.
Padded to one length, messages would give the network another shape in each step, and on a CPU oneDNN
compiles its programs for each new shape, which takes longer than running them. Rows of a few lengths
have few shapes (Krell et al. 2021, Efficient Sequence Packing without Cross-contamination).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, repeat
from typing import Any, NamedTuple

import numpy as np
from spacy.tokens import Doc, Span
from spacy.util import registry
from tokenizers import Tokenizer

from ..shared.interruption import check_interruption
from ..text.encoded import get_encoded_tokens
from ..text.folding import fold_text
from ..text.message import fold_doc, get_length

# Of the context, only this many characters are cut for each piece that is read: pieces are seldom
# longer.
CONTEXT_CHARS = 8
# Of a character in UTF-8.
MOST_BYTES = 4


class Window(NamedTuple):
    """A part of a message that the encoder reads in one go.

    pieces (np.ndarray), tokens (np.ndarray): Pairs of a piece and a token of the batch that share a
        character, each of shape (n_pairs,).
    """

    ids: list[int]
    pieces: np.ndarray
    tokens: np.ndarray


def get_windows(doc: Doc, size: int, overlap: int) -> list[tuple[int, int]]:
    """Cut a document into overlapping windows of at most so many bytes of UTF-8. What is encoded
    in letters and digits (Base64) is in none of them.

    A window is not counted in tokens: long numbers may make it longer than the 512 word pieces that
    BERT reads, and the rest would be cut without an error. A word piece has at least one byte, so
    500 bytes always fit.
    """
    if len(doc) == 0:
        return []
    encoded = get_encoded_tokens(doc)
    if not encoded and _fits(doc, size):
        return [(0, len(doc))]
    firsts = [0, *(end for _, end in encoded)]
    lasts = [*(start for start, _ in encoded), len(doc)]
    lengths = [(len(token.text.encode()), len(token.whitespace_)) for token in doc]
    starts = [0, *accumulate(map(sum, lengths))]
    ends = [start + length for start, (length, _) in zip(starts, lengths)]
    return [
        window
        for first, last in zip(firsts, lasts)
        for window in _cut(starts, ends, first, last, size, overlap)
    ]


def _fits(doc: Doc, size: int) -> bool:
    return MOST_BYTES * get_length(doc) <= size or len(doc.text.encode()) <= size


def _cut(
    starts: Sequence[int], ends: Sequence[int], first: int, last: int, size: int, overlap: int
) -> list[tuple[int, int]]:
    """Cut the tokens from the first to the last, by where each starts and ends in bytes."""
    windows: list[tuple[int, int]] = []
    start = end = first
    while end < last:
        end = max(end, start + 1)
        while end < last and ends[end] - starts[start] <= size:
            end += 1
        windows.append((start, end))
        before, start = start, end
        while start - 1 > before and ends[end - 1] - starts[start - 1] <= overlap:
            start -= 1
    return windows


@registry.misc("sv_deid_chat.strided_spans.v1")
def configure_strided_spans(window: int, overlap: int) -> Callable[[list[Doc]], list[list[Span]]]:
    """Configure what `TransformerModel` of spacy-transformers reads in one go, in bytes."""

    def get_spans(docs: Iterable[Doc]) -> list[list[Span]]:
        return [[doc[a:b] for a, b in get_windows(doc, window, overlap)] for doc in docs]

    return get_spans


def read_windows(
    docs: Iterable[Doc],
    tokenizer: Tokenizer,
    max_pieces: int,
    size: int,
    overlap: int,
    contexts: Iterable[str | None] = repeat(None),
    context_pieces: int = 0,
) -> Iterator[Window]:
    """Cut documents into windows of so many bytes and pieces, the context in front of each."""
    n_before = 0
    for doc, context in zip(docs, contexts):
        folded = fold_doc(doc)
        starts, ends = folded.get_bounds(doc)
        before = _read_context(context, tokenizer, context_pieces) if context else []
        for first, last in get_windows(doc, size, overlap):
            begin = int(starts[first])
            encoding = tokenizer.encode(folded.text[begin : int(ends[last - 1])])
            ids = encoding.ids
            offsets = np.asarray(encoding.offsets, dtype=np.int64).reshape(-1, 2) + begin
            if len(ids) > max_pieces:
                # One token of hundreds of signs.
                ids = [*ids[: max_pieces - 1], ids[-1]]
                offsets = np.concatenate((offsets[: max_pieces - 1], offsets[-1:]))
            pieces, tokens = _align(offsets, starts[first:last], ends[first:last])
            if before:
                # The message itself always has room.
                fitting = before[max(0, len(before) - (max_pieces - len(ids))) :]
                ids = [ids[0], *fitting, *ids[1:]]
                pieces = pieces + len(fitting)
            yield Window(ids, pieces, tokens + first + n_before)
        n_before += len(doc)


def _read_context(context: str, tokenizer: Tokenizer, most: int) -> list[int]:
    """The last word pieces of a context, which end like a message."""
    if most <= 0:
        return []
    text = fold_text(context[-CONTEXT_CHARS * most :]).text
    ids = tokenizer.encode(text).ids
    return ids[1:][-most:] if len(ids) > 2 else []


def _align(
    offsets: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pair pieces and tokens that share a character: two arrays of indices, shape (n_pairs,)."""
    real = np.flatnonzero(offsets[:, 0] < offsets[:, 1])
    first = np.searchsorted(ends, offsets[real, 0], side="right")
    last = np.searchsorted(starts, offsets[real, 1], side="left")
    n = np.maximum(last - first, 0)
    pieces = np.repeat(real, n)
    within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
    return pieces, np.repeat(first, n) + within


# The length of a row is a multiple of ROW, and at most WIDEST unless a window is longer.
ROW = 32
WIDEST = 256
# The window that padding is of: it sees no other, and no other sees it.
NONE = -1


class Batch(NamedTuple):
    """Windows as the network takes them in training: arrays, or tensors of torch.

    ids (np.ndarray): Word pieces, padded, shape (n_rows, n_pieces).
    positions (np.ndarray): Where each piece is in its window, of the same shape.
    windows (np.ndarray): Which window of its row each piece is of, of the same shape, NONE for
        padding.
    pieces (np.ndarray), tokens (np.ndarray): Pairs of a piece, counted over all rows, and its
        token, shape (n_pairs,).
    """

    ids: Any
    positions: Any
    windows: Any
    pieces: Any
    tokens: Any

    @property
    def mask(self) -> Any:
        """RETURNS (np.ndarray): Whether a piece sees another, shape (n_rows, n_pieces, n_pieces)."""
        return self.windows[:, :, None] == self.windows[:, None, :]


class Strip(NamedTuple):
    """Windows one behind the other, the pieces of each, and pairs of a piece and its token."""

    ids: list[int]
    lengths: list[int]
    pieces: np.ndarray
    tokens: np.ndarray


def pack(windows: Iterable[Window], max_pieces: int, pad: int) -> Iterator[Batch]:
    """Lay windows out in rows for training, with at most `max_pieces` in a batch of several."""
    ordered = sorted(windows, key=lambda window: -len(window.ids))
    if not ordered:
        return
    least = -(-len(ordered[0].ids) // ROW) * ROW
    layouts = (
        (width, fill_rows(ordered, width)) for width in range(least, max(least, WIDEST) + 1, ROW)
    )
    width, rows = min(layouts, key=lambda layout: layout[0] * len(layout[1]))
    n_rows = max(1, max_pieces // width)
    for start in range(0, len(rows), n_rows):
        yield _lay_out(rows[start : start + n_rows], width, pad)


def fill_rows(windows: Iterable[Window], width: int) -> list[list[Window]]:
    """Put each window into the first row that has room for it."""
    rows: list[list[Window]] = []
    room: list[int] = []
    for window in windows:
        length = len(window.ids)
        row = next((i for i, free in enumerate(room) if free >= length), len(rows))
        if row == len(rows):
            rows.append([])
            room.append(width)
        rows[row].append(window)
        room[row] -= length
    return rows


def _lay_out(rows: Sequence[Sequence[Window]], width: int, pad: int) -> Batch:
    ids = np.full((len(rows), width), pad, dtype=np.int64)
    positions = np.zeros_like(ids)
    numbers = np.full_like(ids, NONE)
    pieces, tokens = [], []
    for i, row in enumerate(rows):
        start = 0
        for number, window in enumerate(row):
            end = start + len(window.ids)
            ids[i, start:end] = window.ids
            positions[i, start:end] = np.arange(end - start)
            numbers[i, start:end] = number
            pieces.append(window.pieces + (i * width + start))
            tokens.append(window.tokens)
            start = end
    return Batch(ids, positions, numbers, np.concatenate(pieces), np.concatenate(tokens))


def get_strips(windows: Iterable[Window], max_pieces: int) -> Iterator[Strip]:
    """Lay windows out in strips for a prediction, the shortest first, by their word pieces."""
    strip: list[Window] = []
    n_pieces = 0
    for window in sorted(windows, key=lambda window: len(window.ids)):
        if strip and n_pieces + len(window.ids) > max_pieces:
            check_interruption()
            yield _make_strip(strip)
            strip, n_pieces = [], 0
        strip.append(window)
        n_pieces += len(window.ids)
    if strip:
        yield _make_strip(strip)


def _make_strip(windows: Sequence[Window]) -> Strip:
    lengths = [len(window.ids) for window in windows]
    starts = np.cumsum([0, *lengths[:-1]]).tolist()
    return Strip(
        [piece for window in windows for piece in window.ids],
        lengths,
        np.concatenate([window.pieces + start for window, start in zip(windows, starts)]),
        np.concatenate([window.tokens for window in windows]),
    )


def count_pieces(windows: Iterable[Window], n_tokens: int) -> np.ndarray:
    """The number of word pieces of each token in all windows, shape (n_tokens,)."""
    counts = np.zeros(n_tokens, dtype=np.float32)
    for window in windows:
        np.add.at(counts, window.tokens, 1.0)
    return counts
