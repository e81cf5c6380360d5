"""What the command lines have in common."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer


def make_frame() -> typer.Typer:
    """Make a command line without commands: plain, as Rich would break what is to be copied from an
    error into boxed lines, and without tracebacks that show messages.

    RETURNS (Typer): The command line.
    """
    return typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@contextmanager
def wrong_usage(*errors: type[Exception]) -> Iterator[None]:
    """End the command with what is to be done, and exit code 2.

    *errors (type[Exception]): Errors whose message says that.
    """
    try:
        yield
    except errors as error:
        raise typer.BadParameter(str(error)) from None
