"""How far a run is: a bar on a terminal, a line a minute in a log."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import typer
from tqdm import tqdm

# Seconds between two lines of a log.
PAUSE = 60.0
# Seconds between two looks of a bar.
TICK = 1.0
# Of a terminal that does not tell its own, as in a container.
COLUMNS, LINES = 80, 24


class Log:
    """Counts rows, and says how far a run is.

    initial (int): How many rows an earlier run had done.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.n = self.initial = 0
        self._start = time.monotonic()

    def update(self, n_rows: int) -> None:
        self.n += n_rows

    def __str__(self) -> str:
        rate = (self.n - self.initial) / max(time.monotonic() - self._start, 0.001)
        said = f"{self.n:,} of {self.total:,} rows"
        if self.n == self.total:
            return f"{said}: they are being written."
        if not rate:
            return f"{said}."
        minutes = round((self.total - self.n) / rate / 60)
        return f"{said}, {rate:,.0f} a second, about {minutes // 60} h {minutes % 60:02} min left."


@contextmanager
def make_progress(total: int, counter: Any) -> Iterator[Any]:
    """Tell on standard error how far a run is.

    total (int): How many rows there are.
    counter (Any): Counts the messages that are read: `multiprocessing.Value("q")`. A block of rows takes
        longer than a message.
    YIELDS (Any): What counts rows: its `update` takes how many more are done.
    """
    if not sys.stderr.isatty():
        log = Log(total)
        with _ticking(PAUSE, lambda: typer.echo(str(log), err=True)):
            yield log
        return
    size = os.get_terminal_size(sys.stderr.fileno())
    columns, lines = size.columns or COLUMNS, size.lines or LINES
    with (
        tqdm(unit=" rows", total=total, ncols=columns, nrows=lines) as bar,
        _ticking(TICK, lambda: bar.set_postfix_str(f"{counter.value:,} messages read")),
    ):
        yield bar


@contextmanager
def _ticking(pause: float, tell: Callable[[], None]) -> Iterator[None]:
    ended = Event()

    def tick() -> None:
        while not ended.wait(pause):
            tell()

    thread = Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
