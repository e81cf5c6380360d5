"""The files of the command lines."""

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import typer

STDIO = Path("-")


class FileError(ValueError):
    """Why a file cannot be opened, and what to do."""


def is_stream(path: Path) -> bool:
    """path (Path): Where to write.
    RETURNS (bool): Whether that is no file that can take another's place, but standard output, a
        device or a pipe.
    """
    return path == STDIO or (path.exists() and not path.is_file())


@contextmanager
def open_source(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading.

    path (Path): The file, - for standard input.
    YIELDS (BinaryIO): The open file.
    RAISES (FileError): If it cannot be opened.
    """
    if path == STDIO:
        yield sys.stdin.buffer
    else:
        with _opening(path, "read"):
            file = path.open("rb")
        with file:
            yield file


@contextmanager
def open_target(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing. It gets its name only when it is complete, and is its owner's alone
    to read and write. What a stopped run has left of it is named on standard error.

    path (Path): The file, - for standard output.
    YIELDS (BinaryIO): The open file.
    RAISES (FileError): If it cannot be opened.
    """
    if path == STDIO:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif is_stream(path):
        with _opening(path, "written"):
            file = path.open("wb")
        with file:
            yield file
    else:
        for left in find_leftovers(path):
            typer.echo(
                f"{left} was left by a run that was stopped; it is safe to delete unless another "
                f"run is writing {path.name} now.",
                err=True,
            )
        with _opening(path, "written"):
            # A new name each time, which nobody can have planted a link at.
            handle, name = tempfile.mkstemp(
                prefix=f".{path.name}.", suffix=".part", dir=path.parent
            )
        part = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def find_leftovers(path: Path) -> list[Path]:
    """Find what runs that were stopped have left of a file.

    path (Path): The file.
    RETURNS (list[Path]): Its unfinished copies.
    """
    name = re.compile(rf"\.{re.escape(path.name)}\.[^.]+\.part")
    return sorted(left for left in path.parent.glob(".*.part") if name.fullmatch(left.name))


@contextmanager
def _opening(path: Path, action: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FileError(
            f"{path} cannot be {action} ({error.strerror}): name a file that can."
        ) from None
