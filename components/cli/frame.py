"""What the command lines have in common."""

import typer


def make_frame() -> typer.Typer:
    """Make a command line without commands: plain, as Rich would break what is to be copied from an
    error into boxed lines, and without tracebacks that show messages.

    RETURNS (Typer): The command line.
    """
    return typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
