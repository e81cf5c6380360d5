"""Errors of the command lines of the scripts."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer


@contextmanager
def clean_errors(*more: type[Exception]) -> Iterator[None]:
    """End the script with one line on standard error where the data is wrong. A traceback may show
    the local variables, and with them a message.

    *more (type[Exception]): errors, beside OSError and ValueError, whose message says what is
        wrong.
    """
    try:
        yield
    except (OSError, ValueError, *more) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
