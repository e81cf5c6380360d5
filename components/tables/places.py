"""Where files are read and written: IN, OUT and what lies beside them."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote, unquote

import typer

from .errors import FileError
from .storage import UMASK, URI, WILDCARDS, Disk, Storage, find_pattern, get_storage, opening

STDIO = "-"


@dataclass(frozen=True)
class Place:
    """A path, an address in an object store, a pattern for several files, or `-` for standard input and
    output.

    umask (int): Bits that new files there lack.
    """

    text: str
    umask: int = UMASK

    def __str__(self) -> str:
        return self.text

    @cached_property
    def is_uri(self) -> bool:
        """RETURNS (bool): Whether it is an address in an object store."""
        return URI.match(self.text) is not None

    @cached_property
    def _parts(self) -> tuple[str, str]:
        """An address, and how its store is reached: `?endpoint_override=…`. A path stays whole."""
        if not self.is_uri:
            return self.text, ""
        address, mark, query = self.text.partition("?")
        return address, mark + query

    @property
    def address(self) -> str:
        """RETURNS (str): The path or address alone."""
        return self._parts[0]

    @cached_property
    def _found(self) -> tuple[Storage, str]:
        return get_storage(self.text, self.umask)

    @property
    def storage(self) -> Storage:
        return self._found[0]

    @property
    def path(self) -> str:
        return self._found[1]

    @property
    def is_stream(self) -> bool:
        """RETURNS (bool): Whether it is standard input or output, a device or a pipe: no file that another
        can take the place of.
        """
        path = Path(self.text)
        try:
            is_other = path.exists() and not path.is_file() and not path.is_dir()
        except OSError:  # a name that is too long: opening it says so
            is_other = False
        return self.text == STDIO or (not self.is_uri and is_other)

    @property
    def is_folder(self) -> bool:
        return self.storage.is_folder(self.path)

    @property
    def exists(self) -> bool:
        return self.storage.exists(self.path)

    @property
    def is_pattern(self) -> bool:
        """RETURNS (bool): Whether it stands for several files: `chats/*.jsonl`."""
        has_sign = any(sign in self.address for sign in WILDCARDS)
        return has_sign and (self.is_uri or not Path(self.text).exists())

    @property
    def identity(self) -> str:
        """RETURNS (str): The same for the same file."""
        return unquote(self.address) if self.is_uri else str(Path(self.text).resolve())

    def inside(self, name: str) -> "Place":
        """RETURNS (Place): A file in this folder."""
        if not self.is_uri:
            return Place(os.path.join(self.text, name), self.umask)
        address, query = self._parts
        return Place(f"{address.rstrip('/')}/{quote(name)}{query}", self.umask)

    def make_folder(self) -> None:
        """Make the folder that it lies in, if it is not there."""
        self.storage.make_folder(self.path.rsplit("/", 1)[0])

    def beside(self, name: str) -> "Place":
        """RETURNS (Place): A file in the same folder; {} in its name is the name of this one."""
        address, query = self._parts
        folder, slash, own = address.rstrip("/").rpartition("/")
        return Place(f"{folder}{slash}{name.format(own)}{query}", self.umask)

    def find(self) -> list[tuple["Place", str]]:
        """RETURNS (list[tuple[Place, str]]): The files of a folder or a pattern, with their paths in it."""
        if self.is_pattern:
            root, found = find_pattern(self.storage, self.path)
        else:
            root, found = self.path, self.storage.find(self.path)
        start = len(root.rstrip("/")) + 1
        if not self.is_uri:
            return [(Place(path, self.umask), path[start:]) for path in found]
        address, query = self._parts
        parts = address.split("/")
        is_sign = (n for n, part in enumerate(parts) if any(sign in part for sign in WILDCARDS))
        folder = Place("/".join(parts[: next(is_sign, len(parts))]) + query, self.umask)
        return [(folder.inside(path[start:]), path[start:]) for path in found]

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open it for reading.

        RAISES (FileError): If it cannot be opened.
        """
        if self.text == STDIO:
            yield sys.stdin.buffer
        else:
            with self.storage.open(self.path) as file:
                yield file

    @contextmanager
    def create(self) -> Iterator[BinaryIO]:
        """Open it for writing. A file gets its name only when it is complete. What a stopped run has left of
        it is named on standard error.

        RAISES (FileError): If it cannot be opened.
        """
        if self.text == STDIO:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        elif self.is_stream or (not self.is_uri and self.is_folder):
            path = Path(self.text)
            with opening(path, "written"):
                device = path.open("wb")
            with device:
                yield device
        else:
            if isinstance(self.storage, Disk):
                _name_leftovers(Path(self.text))
            with self.storage.create(self.path) as file:
                yield file


def _name_leftovers(path: Path) -> None:
    """Name the unfinished copies that stopped runs have left of a file."""
    name = re.compile(rf"\.{re.escape(path.name)}\.[^.]+\.part")
    for left in sorted(left for left in path.parent.glob(".*.part") if name.fullmatch(left.name)):
        typer.echo(
            f"{left} was left by a run that was stopped; it is safe to delete unless another "
            f"run is writing {path.name} now.",
            err=True,
        )


def demand_other(written: Iterable[object], read: Iterable[object]) -> None:
    """Refuse to write a file that is read, or two files in one place: --overwrite means neither.

    written (Iterable[str | Path | Place]): Where files are to be written.
    RAISES (FileError): If there is one.
    """
    taken = {Place(str(path)).identity for path in read}
    for place in (Place(str(path)) for path in written):
        if place.is_stream:
            continue
        if place.identity in taken:
            raise FileError(f"{place} is read, or written for something else: name another file.")
        taken.add(place.identity)


def demand_new(paths: Iterable[object], overwrite: bool = False) -> None:
    """Refuse to take the place of a file that is there. An empty one has nothing to lose.

    paths (Iterable[str | Path | Place]): Where files are to be written.
    overwrite (bool): Whether the user has allowed it.
    RAISES (FileError): If there is one.
    """
    if overwrite:
        return
    for place in (Place(str(path)) for path in paths):
        is_file = not place.is_stream and place.exists and not place.is_folder
        if is_file and place.storage.get_size(place.path):
            raise FileError(f"{place} is there: name another, or add --overwrite.")
