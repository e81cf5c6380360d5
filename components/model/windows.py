"""Windows of a message that the encoder reads in one go: the word pieces, and which token each is of."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, repeat
from typing import NamedTuple

import numpy as np
from spacy.tokens import Doc, Span
from spacy.util import registry
from tokenizers import Tokenizer

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
    """Configure what `TransformerModel` of spacy-transformers reads in one go: the windows of `get_windows`, in bytes
    of UTF-8 (500 at most for 512 word pieces). Its own strided spans are counted in tokens.
    """

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
    """Cut documents into windows of at most so many bytes, and these into at most so many word pieces, with the
    last word pieces of the context in front of each. Tokens are counted over all documents.
    """
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
