"""A sample of messages to read, before and after. It is PHI: it goes to a file of its own, never into
the report.
"""

import heapq
import hmac
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import NoReturn

from ...labels import LABELS
from ..tables.storage import Disk
from .before_after import Change, Piece
from .html_page import make_page

TITLE = "Messages before and after"
WARNING = (
    "This file holds personal health information: messages as they were. Keep it where the messages "
    "are kept, show it to nobody who may not read them, and delete it when it has been read."
)
COLOURS = ("#f4b6c2", "#b7d7f0", "#f7d9a8", "#cfc1ec", "#bfe3c0", "#f2e394", "#a9dfd8", "#e2c9b4")
OTHER_COLOUR = "#d8d8d8"
STYLE = """
body { max-width: 84rem; }
.danger { background: #b3261e; border-radius: .4rem; color: #fff; font-weight: 600; padding: .8rem 1rem; }
article { border: 1px solid var(--line); border-radius: .4rem; margin: 1rem 0; padding: .2rem 1rem .8rem; }
h2 { border: 0; font-size: 1rem; margin: .4rem 0; padding: 0; }
.pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }
.pair h3 { font-size: .85rem; margin: .4rem 0; }
.message { line-height: 2; max-width: none; white-space: pre-wrap; }
mark { border-radius: .3rem; color: #111; padding: .1rem .3rem; }
mark small { font-weight: 600; margin-left: .3rem; }
"""


class Sample:
    """Rows to read, chosen at random: those whose number has the least hash under the key. They are
    the same however the run is split. The messages are in memory only until they are written.

    size (int): How many rows at most.
    key (bytes): The key of the run (`read_key`). Who has it can tell which rows were chosen.
    """

    def __init__(self, size: int, key: bytes) -> None:
        self.size = size
        self._key = key
        self._chosen: dict[int, list[Change]] = {}
        # The hashes of the chosen ones, the greatest first.
        self._heap: list[tuple[int, int]] = []

    def add(self, number: int, changes: Iterable[Change]) -> None:
        """Add a row, if it is chosen."""
        hash = self._hash(number)
        is_full = len(self._heap) >= self.size
        if number in self._chosen or not self.size or is_full and -hash < self._heap[0][0]:
            return
        self._chosen[number] = [*changes]
        heapq.heappush(self._heap, (-hash, number))
        if is_full:
            _, left_out = heapq.heappop(self._heap)
            del self._chosen[left_out]

    def merge(self, rows: Iterable[tuple[int, Sequence[Change]]]) -> None:
        """Add the rows of another part of the run."""
        for number, changes in rows:
            self.add(number, changes)

    def choose(self, numbers: Iterable[int]) -> list[int]:
        """Choose after the run, where the messages are in its files only, as those of its first
        part are if it was resumed.
        """
        return sorted(heapq.nsmallest(self.size, numbers, key=self._hash))

    def __iter__(self) -> Iterator[tuple[int, list[Change]]]:
        return iter(sorted(self._chosen.items()))

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "A sample holds a key, so it is not pickled. Hand its rows on, list(sample), and merge them."
        )

    def _hash(self, number: int) -> int:
        return int.from_bytes(hmac.digest(self._key, f"sample {number}".encode(), "sha256"), "big")


def write_sample(path: Path, sample: Sample) -> None:
    """Write a sample for reading, as HTML, for its owner only. It holds PHI."""
    rows = [_draw(number, change) for number, changes in sample for change in changes]
    warning = f'<p class="danger" role="alert">{WARNING}</p>'
    page = make_page(TITLE, [warning, *(rows or ["<p>No row.</p>"])], STYLE)
    Disk().write(str(path), page.encode("utf8"))


def _draw(number: int, change: Change) -> str:
    name = f", {escape(change.name)}" if change.name else ""
    sides = "".join(
        f'<section><h3>{title}</h3><p class="message" dir="auto">{_mark(pieces)}</p></section>'
        for title, pieces in (("Before", change.before), ("After", change.after))
    )
    return f'<article><h2>Row {number:,}{name}</h2><div class="pair">{sides}</div></article>'


def _mark(pieces: Iterable[Piece]) -> str:
    return "".join(
        f'<mark style="background: {get_colour(piece.label)}">{escape(piece.text)}'
        f"<small>{escape(piece.label)}{', kept' if piece.kept else ''}</small></mark>"
        if piece.label
        else escape(piece.text)
        for piece in pieces
    )


def get_colour(label: str) -> str:
    """The colour of a class, light enough for dark letters."""
    return COLOURS[LABELS.index(label)] if label in LABELS else OTHER_COLOUR
