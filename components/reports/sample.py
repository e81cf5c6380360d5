"""A sample of messages to read, before and after. It is PHI: it goes to a file of its own, never into
the report.
"""

import heapq
import hmac
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..tables.storage import Disk
from .before_after import Change
from .pages import render

TITLE = "Messages before and after"
WARNING = (
    "This file holds personal health information: messages as they were. Keep it where the messages "
    "are kept, show it to nobody who may not read them, and delete it when it has been read."
)


def choose_rows(n_rows: int, size: int, key: bytes) -> list[int]:
    """Choose rows at random: those whose number has the least hash under the key of the run. They are the
    same however the run is split or resumed.
    """

    def hash(number: int) -> bytes:
        return hmac.digest(key, f"sample {number}".encode(), "sha256")

    return sorted(heapq.nsmallest(size, range(n_rows), key=hash))


def write_sample(path: Path, rows: Iterable[tuple[int, Sequence[Change]]]) -> None:
    """Write rows for reading, as HTML, for its owner only. It holds PHI."""
    page = render("sample.html", title=TITLE, warning=WARNING, rows=rows)
    Disk().write(str(path), page.encode("utf8"))
