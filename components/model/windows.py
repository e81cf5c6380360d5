"""Windows of a message that the encoder reads in one go."""

from typing import NamedTuple

import numpy as np
from spacy.tokens import Doc

from ..length import get_length


class Window(NamedTuple):
    """What the encoder reads in one go.

    ids (List[int]): Its word pieces.
    pieces (np.ndarray), tokens (np.ndarray): Which piece belongs to which token of the batch, in
        pairs, shape (n_pairs,).
    """

    ids: list[int]
    pieces: np.ndarray
    tokens: np.ndarray


def get_windows(doc: Doc, size: int, overlap: int) -> list[tuple[int, int]]:
    """Cut a document into overlapping windows of at most so many characters.

    A window counted in tokens can hold more than the 512 word pieces that BERT reads (long
    numbers), and what is beyond is cut in silence: tokens without a vector, names never found.
    A word piece has at least one character, so 500 characters always fit.

    doc (Doc): The document.
    size (int): The most characters in a window. A longer token has a window to itself.
    overlap (int): Characters that a window shares with the one before.
    RETURNS (List[Tuple[int, int]]): First token and last token (exclusive) of each window.
    """
    if len(doc) == 0:
        return []
    if get_length(doc) <= size:
        return [(0, len(doc))]
    starts = [token.idx for token in doc]
    ends = [token.idx + len(token) for token in doc]
    windows: list[tuple[int, int]] = []
    start = end = 0
    while end < len(doc):
        end = max(end, start + 1)
        while end < len(doc) and ends[end] - starts[start] <= size:
            end += 1
        windows.append((start, end))
        first, start = start, end
        while start - 1 > first and ends[end - 1] - starts[start - 1] <= overlap:
            start -= 1
    return windows
