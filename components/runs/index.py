"""Which rows make a conversation, wherever they lie, and how they are dealt into blocks."""

import hashlib
import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


class Index:
    """Where the rows of files lie and what conversations they belong to: a few numbers a row, nothing of
    a text.

    positions (array): Of each row in its file.
    lines (array): Of each row, for people.
    sizes (array): Bytes of each row, about.
    groups (array): The conversation of each row, by number in the order in which they begin; a row
        that stands alone is one.
    times (array): The time of each row; NaN for none.
    has_known (array): Whether a row may tell who takes part in its conversation: 1 or 0.
    starts (list[int]): The first row of each file, and how many rows there are in all.
    sampled (set[int]): Rows of which it is kept what was replaced where, for the sample.
    unseen (set[str]): Columns that no row has, of those that are looked for.
    """

    def __init__(self) -> None:
        self.sampled: set[int] = set()
        self.positions = array("q")
        self.lines = array("q")
        self.sizes = array("q")
        self.groups = array("q")
        self.times = array("d")
        self.has_known = array("b")
        self.starts = [0]
        self.unseen: set[str] = set()
        self._numbers: dict[bytes, int] = {}
        self._n_groups = 0

    def __len__(self) -> int:
        return len(self.positions)

    def add(self, source: Source, settings: Settings) -> None:
        """Read the ids and times of a file."""
        for record in source.scan(get_columns(source, settings)):
            conversation, time, has_known = _place(record, settings, self.unseen)
            self.positions.append(record.position)
            self.lines.append(record.line)
            self.sizes.append(record.size)
            self.groups.append(self._get_number(conversation))
            self.times.append(time)
            self.has_known.append(has_known)
        self.starts.append(len(self))

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
        times = np.frombuffer(self.times, float) if len(self) else np.zeros(0)
        groups = np.frombuffer(self.groups, np.int64) if len(self) else np.zeros(0, np.int64)
        if np.isnan(times).all():
            return np.argsort(groups, kind="stable")
        return np.lexsort((_fill(times, groups), groups))

    def get_file(self, row: int) -> int:
        """The number of the file of a row."""
        return int(np.searchsorted(self.starts, row, side="right")) - 1


def get_columns(source: Source, settings: Settings) -> list[str] | None:
    """Tell which columns of a file are read."""
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
        conversation = read_conversation(values, settings.conversation_field)
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
        groups = np.frombuffer(index.groups, np.int64) if len(index) else np.zeros(0, np.int64)
        self._groups = groups[self.order]
        has_known = np.frombuffer(index.has_known, np.int8) if len(index) else np.zeros(0, np.int8)
        # The places, in this order, of rows that tell of participants.
        self._known_places = np.flatnonzero(has_known[self.order])
        self._known_groups = self._groups[self._known_places]
        self.bounds = self._deal()
        # How many blocks are read at a time: one where conversations lie one behind the other.
        self.window = 1 if (np.diff(self.order) == 1).all() else WINDOW

    def _deal(self) -> list[int]:
        """Where blocks begin and end in the order of the rows."""
        bounds = [0]
        n_rows = size = 0
        last = -1
        for place, (row, group) in enumerate(zip(self.order.tolist(), self._groups.tolist())):
            if n_rows and is_full(n_rows, size, group == last):
                bounds.append(place)
                n_rows = size = 0
            n_rows += 1
            size += self.index.sizes[row]
            last = group
        return [*bounds, len(self.order)] if len(self.order) else bounds

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def get(self, number: int) -> Block:
        """Get a block by its number."""
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
        groups = [self.index.groups[row] for row in rows]
        return Block(0, self.order[np.isin(self._groups, groups)].tolist())


def is_full(n_rows: int, size: int, goes_on: bool) -> bool:
    """Tell whether a block takes no more rows."""
    fill = max(n_rows / BLOCK_ROWS, size / BLOCK_BYTES)
    return fill >= (BLOCK_GROWTH if goes_on else 1)
