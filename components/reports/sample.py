"""A sample of messages to read, before and after. It is PHI: it goes to a file of its own, never into
the report.
"""

import heapq
import hmac
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from ..shared.labels import LABELS
from ..tables.storage import Disk
from .before_after import Change, Piece
from .html_page import make_page

TITLE = "Messages before and after"
WARNING = (
    "This file holds personal health information: messages as they were. Keep it where the messages "
    "are kept, show it to nobody who may not read them, and delete it when it has been read."
)
# Those of the pages (components/serve/static/classes.css).
COLOURS = ("#cfe3ff", "#cdeed3", "#ffe0bd", "#ffd0d4", "#e4d6ff", "#c9eff2", "#fbe98f", "#f7d3ee")
OTHER_COLOUR = "#dfe2e6"
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


def choose_rows(n_rows: int, size: int, key: bytes) -> list[int]:
    """Choose rows at random: those whose number has the least hash under the key of the run. They are the
    same however the run is split or resumed.
    """

    def hash(number: int) -> bytes:
        return hmac.digest(key, f"sample {number}".encode(), "sha256")

    return sorted(heapq.nsmallest(size, range(n_rows), key=hash))


def write_sample(path: Path, rows: Iterable[tuple[int, Sequence[Change]]]) -> None:
    """Write rows for reading, as HTML, for its owner only. It holds PHI.

    path (Path): The file.
    rows (Iterable[tuple[int, Sequence[Change]]]): The number of each row, and its messages.
    """
    drawn = [_draw(number, change) for number, changes in rows for change in changes]
    warning = f'<p class="danger" role="alert">{WARNING}</p>'
    page = make_page(TITLE, [warning, *(drawn or ["<p>No row.</p>"])], STYLE)
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
