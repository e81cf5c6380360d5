"""How far a run is: a bar on a terminal, a line a minute in a log."""

import os
import sys
import time
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
    """Tells once a minute how far a run is, in a line on standard error. A context manager.

    total (int): How many rows there are.
    initial (int): How many of them an earlier run had done.
    """

    def __init__(self, total: int) -> None:
        self.total = total
        self.n = self.initial = 0
        self._start = time.monotonic()
        self._ended = Event()
        self._thread = Thread(target=self._tell, daemon=True)

    def update(self, n_rows: int) -> None:
        """n_rows (int): How many rows are done more."""
        self.n += n_rows

    def __enter__(self) -> "Log":  # noqa: PYI034
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()

    def __str__(self) -> str:
        rate = (self.n - self.initial) / max(time.monotonic() - self._start, 0.001)
        said = f"{self.n:,} of {self.total:,} rows"
        if self.n == self.total:
            return f"{said}: they are being written."
        if not rate:
            return f"{said}."
        minutes = round((self.total - self.n) / rate / 60)
        return f"{said}, {rate:,.0f} a second, about {minutes // 60} h {minutes % 60:02} min left."

    def _tell(self) -> None:
        while not self._ended.wait(PAUSE):
            typer.echo(str(self), err=True)


class Bar(tqdm):
    """Tells each second how many messages are read, too: a block of rows takes longer."""

    def __init__(self, counter: Any, **options: Any) -> None:
        super().__init__(**options)
        self._counter = counter
        self._ended = Event()
        self._thread = Thread(target=self._tell, daemon=True)
        self._thread.start()

    def _tell(self) -> None:
        while not self._ended.wait(TICK):
            self.set_postfix_str(f"{self._counter.value:,} messages read")

    def close(self) -> None:
        """End the bar."""
        if hasattr(self, "_thread"):
            self._ended.set()
            self._thread.join()
        super().close()


def make_progress(total: int, counter: Any) -> Any:
    """Make what tells how far a run is.

    total (int): How many rows there are.
    counter (Any): Counts the messages that are read: `multiprocessing.Value("q")`.
    RETURNS (Any): A context manager, whose `update` takes how many rows are done more.
    """
    if not sys.stderr.isatty():
        return Log(total)
    size = os.get_terminal_size(sys.stderr.fileno())
    columns, lines = size.columns or COLUMNS, size.lines or LINES
    return Bar(counter, unit=" rows", total=total, ncols=columns, nrows=lines)
