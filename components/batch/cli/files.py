"""The files of the command lines."""

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import typer

from ..tables.errors import FileError
from ..tables.storage import UMASK, Disk, get_storage, opening

STDIO = Path("-")


def is_stream(path: Path) -> bool:
    """Whether that is no file that can take another's place, but standard output, a device or a
    pipe.
    """
    try:
        return path == STDIO or (path.exists() and not path.is_file())
    except OSError:  # a name that is too long: whoever opens it says so
        return False


def demand_new(paths: Iterable[str]) -> None:
    """Refuse to take the place of a file that is there. An empty one has nothing to lose.

    paths (Iterable[str]): Where files are to be written: paths or addresses.
    RAISES (FileError): If there is one.
    """
    for path in paths:
        storage, inner = get_storage(path)
        if not is_stream(Path(path)) and storage.exists(inner) and storage.get_size(inner):
            raise FileError(f"{path} is there: name another, or add --overwrite.")


@contextmanager
def open_source(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading."""
    if path == STDIO:
        yield sys.stdin.buffer
    else:
        with opening(path, "read"):
            file = path.open("rb")
        with file:
            yield file


@contextmanager
def open_target(path: Path, umask: int = UMASK) -> Iterator[BinaryIO]:
    """Open a file for writing. It gets its name only when it is complete, and is, unless said
    otherwise, its owner's alone to read and write. What a stopped run has left of it is named on standard error.

    path (Path): The file, - for standard output.
    umask (int): Bits that it lacks: all but the owner's.
    YIELDS (BinaryIO): The open file.
    RAISES (FileError): If it cannot be opened.
    """
    if path == STDIO:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif is_stream(path):
        with opening(path, "written"):
            device = path.open("wb")
        with device:
            yield device
    else:
        for left in find_leftovers(path):
            typer.echo(
                f"{left} was left by a run that was stopped; it is safe to delete unless another "
                f"run is writing {path.name} now.",
                err=True,
            )
        with Disk(umask).create(str(path)) as file:
            yield file


def find_leftovers(path: Path) -> list[Path]:
    """Find what runs that were stopped have left of a file."""
    name = re.compile(rf"\.{re.escape(path.name)}\.[^.]+\.part")
    return sorted(left for left in path.parent.glob(".*.part") if name.fullmatch(left.name))
