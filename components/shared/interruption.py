"""Work that is ended midway, because nobody waits for it any longer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_check: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


class Stopped(BaseException):
    """Nobody waits for what is done. It is no failure of a message, so no `except Exception` takes it."""


@contextmanager
def interruptible(check: Callable[[], None]) -> Iterator[None]:
    """Do work that may end midway: between its steps `check` may raise Stopped."""
    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def check_interruption() -> None:
    """Tell that a step of the work begins. It raises Stopped if the work is to end."""
    check = _check.get()
    if check is not None:
        check()
