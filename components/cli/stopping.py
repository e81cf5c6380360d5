"""How the command ends when something stops it."""

import errno
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

import typer

# As a shell tells of a program that a signal ended.
INTERRUPTED, TERMINATED = 130, 143
STDOUT = 1


class Terminated(BaseException):
    """Somebody has asked the process to end."""


@contextmanager
def ending_cleanly(tell: Callable[[], str]) -> Iterator[None]:
    """End a run with one line of what can be done, whatever stops it: Ctrl-C, SIGTERM, a disk that
    is full, a reader of the output that is gone.
    """

    def terminate(number: int, frame: FrameType | None) -> NoReturn:
        raise Terminated

    try:
        old = signal.signal(signal.SIGTERM, terminate)
    except ValueError:  # not in the main thread, where no signal arrives
        old = None
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"\nStopped. {tell()}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except Terminated:
        typer.echo(f"Stopped by SIGTERM. {tell()}", err=True)
        raise typer.Exit(TERMINATED) from None
    except BrokenPipeError:
        # What is held of the output cannot be written any more, not at the end of Python either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
        typer.echo(f"Nobody reads the output any more. {tell()}".rstrip(), err=True)
        raise typer.Exit(1) from None
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        typer.echo(f"The disk is full. Make room. {tell()}", err=True)
        raise typer.Exit(1) from None
    finally:
        if old is not None:
            signal.signal(signal.SIGTERM, old)
