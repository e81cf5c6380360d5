"""The files of the command lines."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

STDIO = Path("-")


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
    """
    if path == STDIO:
        yield sys.stdin.buffer
    else:
        with path.open("rb") as file:
            yield file


@contextmanager
def open_target(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing. It gets its name only when it is complete.

    path (Path): The file, - for standard output.
    YIELDS (BinaryIO): The open file.
    """
    if path == STDIO:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif is_stream(path):
        with path.open("wb") as file:
            yield file
    else:
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as file:
                yield file
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
