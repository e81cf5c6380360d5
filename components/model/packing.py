"""How windows are laid out for the network.

For a prediction they are laid out in strips: one window behind the other, without padding.

For a training they are laid out in rows: several windows in one row, none of which sees another.
Messages are short and differ in length. Padded to one length they would give the network another
shape in each step, and on a CPU oneDNN compiles its programs for each new shape, which takes longer
than running them. Rows of a few lengths have few shapes (Krell et al. 2021, Efficient Sequence Packing
without Cross-contamination).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..shared.interruption import check_interruption
from .windows import Window

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
    """Windows one behind the other, for a prediction.

    pieces (np.ndarray), tokens (np.ndarray): Pairs of a piece, counted over all windows, and its
        token, each of shape (n_pairs,).
    """

    ids: list[int]
    lengths: list[int]
    pieces: np.ndarray
    tokens: np.ndarray


def pack(windows: Iterable[Window], max_pieces: int, pad: int) -> Iterator[Batch]:
    """Lay windows out for the network in training, in rows of the length that leaves least padding. All rows of
    a batch have the same number of pieces; one of several rows has at most `max_pieces`, padding included.
    """
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
