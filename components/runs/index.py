"""Which rows make a conversation, wherever they lie, and how they are dealt into blocks."""

import hashlib
import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..tables.errors import RowError
from ..tables.source import Record, Source
from ..tables.times import read_time
from .rows import read_conversation
from .run_settings import Settings

# A block is all that is held in memory; within it, texts are sorted by length for speed.
BLOCK_ROWS = 2000
BLOCK_BYTES = 4_000_000
# A conversation stays in one block as long as that is no more than so many times as large.
BLOCK_GROWTH = 2
# Blocks of rows that lie all over the files are read so many at a time, in the order of the files.
WINDOW = 32


@dataclass(frozen=True)
class Block:
    """Rows that are processed together: whole conversations, unless one is too long.

    rows (Sequence[int]): The rows, counted through all files from 0, those of a conversation next to
        each other.
    others (Sequence[int]): Those of the other rows of a conversation that is cut that may tell who
        takes part in it.
    """

    number: int
    rows: Sequence[int]
    others: Sequence[int] = ()


# What is kept of a row: a few numbers, nothing of a text.
ROW = np.dtype(
    [
        ("position", np.int64),  # in its file
        ("line", np.int64),  # for people
        ("size", np.int64),  # bytes, about
        ("group", np.int64),  # its conversation, by number in the order in which they begin
        ("time", float),  # NaN for none
        ("has_known", bool),  # whether it may tell who takes part in its conversation
    ]
)


class Index:
    """Where the rows of files lie and what conversations they belong to.

    rows (np.ndarray): What is kept of each row (`ROW`), through all files; of shape (n_rows,). A row that
        stands alone is a conversation.
    starts (list[int]): The first row of each file, and how many rows there are in all.
    sampled (set[int]): Rows of which it is kept what was replaced where, for the sample.
    unseen (set[str]): Columns that no row has, of those that are looked for.
    """

    def __init__(self, sources: Iterable[Source], settings: Settings) -> None:
        self.sampled: set[int] = set()
        self.starts = [0]
        self.unseen = {*settings.read_columns}
        self._numbers: dict[bytes, int] = {}
        self._n_groups = 0
        self.rows = np.fromiter(self._scan(sources, settings), ROW)

    def __len__(self) -> int:
        return len(self.rows)

    def _scan(self, sources: Iterable[Source], settings: Settings) -> Iterator[tuple[Any, ...]]:
        n_rows = 0
        for source in sources:
            for record in source.scan(get_columns(source, settings)):
                conversation, *more = _place(record, settings, self.unseen)
                group = self._get_number(conversation)
                n_rows += 1
                yield (record.position, record.line, record.size, group, *more)
            self.starts.append(n_rows)

    def _get_number(self, conversation: str | None) -> int:
        if conversation is not None:
            number = self._numbers.setdefault(digest_id(conversation), self._n_groups)
            if number < self._n_groups:
                return number
        self._n_groups += 1
        return self._n_groups - 1

    def order(self) -> np.ndarray:
        """RETURNS (np.ndarray): All rows, conversation by conversation, each in the order of its times,
        then of the files; of shape (n_rows,).
        """
        times, groups = self.rows["time"], self.rows["group"]
        if np.isnan(times).all():
            return np.argsort(groups, kind="stable")
        return np.lexsort((_fill(times, groups), groups))

    def get_file(self, row: int) -> int:
        """The number of the file of a row."""
        return bisect_right(self.starts, row) - 1


def get_columns(source: Source, settings: Settings) -> list[str] | None:
    if source.columns is None:
        return None
    return [name for name in settings.read_columns if name in source.columns]


def digest_id(conversation: str) -> bytes:
    """A digest, so that ids of any length take the same place."""
    data = conversation.encode("utf8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).digest()


def _fill(times: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Give a message without a time that of the one before it in the conversation."""
    filled = times.copy()
    last: dict[int, float] = {}
    for i in np.argsort(groups, kind="stable"):
        group = int(groups[i])
        if np.isnan(filled[i]):
            filled[i] = last.get(group, -np.inf)
        last[group] = filled[i]
    return filled


def _place(record: Record, settings: Settings, unseen: set[str]) -> tuple[str | None, float, bool]:
    """The conversation and the time of a row, and whether it may tell who takes part; one that cannot
    be read stands alone.
    """
    try:
        values = record.get_values()
        if unseen:
            unseen.difference_update(values)
        conversation = read_conversation(record, values, settings.conversation_field)
    except RowError:
        return None, math.nan, False
    known = (settings.known_field, *(column for _, column in settings.known_columns))
    has_known = any(values.get(name) for name in known)
    try:
        time = read_time(values, settings.time_fields[0]) if settings.time_fields else math.nan
        return conversation, time, has_known
    except RowError:
        return conversation, math.nan, has_known


class Plan:
    """The rows of files, dealt into blocks. The same files give the same blocks."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.order = index.order()
        self._groups = index.rows["group"][self.order]
        # The places, in this order, of rows that tell of participants.
        self._known_places = np.flatnonzero(index.rows["has_known"][self.order])
        self._known_groups = self._groups[self._known_places]
        self.bounds = self._deal()
        # How many blocks are read at a time: one where conversations lie one behind the other.
        self.window = 1 if (np.diff(self.order) == 1).all() else WINDOW

    def _deal(self) -> list[int]:
        """Where blocks begin and end in the order of the rows."""
        bounds = [0]
        n_rows = size = 0
        last = -1
        sizes = self.index.rows["size"][self.order].tolist()
        for place, (own, group) in enumerate(zip(sizes, self._groups.tolist())):
            if n_rows and is_full(n_rows, size, group == last):
                bounds.append(place)
                n_rows = size = 0
            n_rows += 1
            size += own
            last = group
        return [*bounds, len(self.order)] if len(self.order) else bounds

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def get(self, number: int) -> Block:
        start, end = self.bounds[number : number + 2]
        others: list[int] = []
        for edge in {int(self._groups[start]), int(self._groups[end - 1])}:
            # Only those that tell of the participants: a conversation of all rows has many blocks.
            first, last = np.searchsorted(self._known_groups, (edge, edge + 1))
            places = self._known_places[first:last]
            others += self.order[places[(places < start) | (places >= end)]].tolist()
        return Block(number, self.order[start:end].tolist(), sorted(others))

    def find(self, rows: Iterable[int]) -> Block:
        """Get the whole conversations of some rows, to be processed alone."""
        groups = self.index.rows["group"][[*rows]]
        return Block(0, self.order[np.isin(self._groups, groups)].tolist())


def is_full(n_rows: int, size: int, goes_on: bool) -> bool:
    """Tell whether a block takes no more rows."""
    fill = max(n_rows / BLOCK_ROWS, size / BLOCK_BYTES)
    return fill >= (BLOCK_GROWTH if goes_on else 1)
