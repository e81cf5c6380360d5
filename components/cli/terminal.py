"""What the command lines have in common."""

import io
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from ..reports.before_after import fit_terminal, make_visible

# What only speaks of files and of the system.
SPEAKABLE = (OSError, ImportError, MemoryError)


class Terminal(typer.Typer):
    """A command line for any terminal: characters that it lacks are replaced. Of an error that nobody
    has thought of its own words are left out, as they may quote a message.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        try:
            return super().__call__(*args, **kwargs)
        except SPEAKABLE:
            raise
        except Exception as error:  # noqa: BLE001
            places = "".join(traceback.format_tb(error.__traceback__))
            typer.echo(
                f"{places}{type(error).__name__}: please report this. What the error says is left out: it "
                "may quote a message.",
                err=True,
            )
            sys.exit(1)


def show(text: str) -> None:
    """Print what may hold any character. Controls are drawn: a message does nothing to the terminal."""
    typer.echo(fit_terminal(make_visible(text)))


@contextmanager
def wrong_usage(*errors: type[Exception]) -> Iterator[None]:
    """End the command with what is to be done, and exit code 2."""
    try:
        yield
    except errors as error:
        raise typer.BadParameter(str(error)) from None
