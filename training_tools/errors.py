"""Errors of the command lines of the scripts."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer


@contextmanager
def clean_errors() -> Iterator[None]:
    """End the script with one line on standard error where the data is wrong. A traceback may show
    the local variables, and with them a message.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        typer.echo(_describe(error), err=True)
        raise typer.Exit(1) from None


def _describe(error: Exception) -> str:
    if isinstance(error, FileNotFoundError) and error.filename is not None:
        return f"There is no {error.filename}: name a file or folder that is there."
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename} cannot be used ({error.strerror}): name another."
    return str(error)


def demand_pipeline(path: Path) -> None:
    """RAISES (ValueError): If a folder holds no trained pipeline."""
    if not (path / "meta.json").is_file():
        raise ValueError(
            f"There is no trained pipeline in {path}: train one (python -m spacy project run all), "
            "or name the folder of another."
        )
