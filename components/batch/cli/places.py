"""What IN and OUT stand for: a file, a folder, several files, a stream."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote

from ..runs.in_files import InFile, get_encoding
from ..runs.out_files import OutFile
from ..tables.errors import FileError
from ..tables.formats import JSONL, PARQUET, Format, demand_same, guess_format, make_source
from ..tables.source import Source
from ..tables.storage import (
    URI,
    Storage,
    find_pattern,
    get_storage,
    is_pattern,
    join_address,
    split_query,
)
from .files import STDIO, is_stream, open_source, open_target

# So much of a stream is held, to look at it before it is read.
HEAD = 1 << 23


@dataclass(frozen=True)
class Reading:
    """How files are to be read, where their names do not tell.

    kind (str): The format; empty: by the name.
    delimiter (str), encoding (str): Of CSV files; empty: what fits.
    """

    kind: str = ""
    delimiter: str = ""
    encoding: str = ""

    def describe(self, path: str, name: str) -> InFile:
        """How it is read."""
        format = guess_format(split_query(path)[0], self.kind) or Format(JSONL)
        return InFile(path, name, format, self.delimiter, self.encoding)


def is_uri(path: str) -> bool:
    """Whether it is an address, of an object store."""
    return URI.match(path) is not None


def is_read_once(path: str) -> bool:
    """Whether it is a stream."""
    return not is_uri(path) and not is_pattern(path) and is_stream_like(path)


def is_stream_like(path: str) -> bool:
    """Whether it is standard input or output, a device or a pipe."""
    return not is_uri(path) and is_stream(Path(path)) and not Path(path).is_dir()


def find_files(path: str, reading: Reading, without: str = "") -> tuple[list[InFile], list[str]]:
    """Find the files that IN stands for."""
    if is_pattern(path) and not (not is_uri(path) and Path(path).exists()):
        storage, inner = get_storage(path)
        root, found = find_pattern(storage, inner)
    else:
        storage, inner = get_storage(path)
        if not storage.exists(inner):
            raise FileError(f"IN: there is no file {path}.")
        if not storage.is_folder(inner):
            return [reading.describe(path, path)], []
        root, found = inner, storage.find(inner)
        found = [name for name in found if reading.kind or guess_format(name)]
    found = [name for name in found if is_uri(path) or get_identity(name) != get_identity(without)]
    if not found:
        raise FileError(f"IN: there is no file to read in {path}: .jsonl, .csv, .tsv or .parquet.")
    start = len(root.rstrip("/")) + 1
    names = [name[start:] for name in found]
    if is_uri(path):
        folder = _get_root(path)
        found = [join_address(folder, name) for name in names]
    return [reading.describe(each, name) for each, name in zip(found, names)], names


def _get_root(path: str) -> str:
    """The folder before the first wildcard of an address."""
    address, query = split_query(path)
    parts = address.split("/")
    first = next((n for n, part in enumerate(parts) if is_pattern(part)), len(parts))
    return "/".join(parts[:first]) + query


def make_outputs(path: str, files: list[InFile], names: list[str], umask: int) -> list[OutFile]:
    """Tell where the rows of files go."""
    storage, inner = get_storage(path, umask)
    if not names:
        (file,) = files
        if storage.is_folder(inner):
            raise FileError(f"IN is one file, so OUT must be one, and {path} is a folder.")
        format = guess_format(split_query(path)[0]) or file.format._replace(compression="")
        if is_stream_like(path):
            format = file.format._replace(compression="")
        demand_same(file.format, format, path)
        return [OutFile(partial(open_out, storage, path, inner, umask), path, format, path)]
    if storage.exists(inner) and not storage.is_folder(inner):
        raise FileError(f"IN is several files, so OUT must be a folder, and {path} is a file.")
    if path == str(STDIO):
        raise FileError("IN is several files, so OUT must be a folder, not standard output.")
    join = join_address if is_uri(path) else os.path.join
    inputs = {get_identity(file.path) for file in files}
    if any(get_identity(join(path, name)) in inputs for name in names):
        raise FileError("OUT would take the place of IN: name another folder.")
    return [
        OutFile(
            partial(_create_in, storage, f"{inner.rstrip('/')}/{name}"),
            name,
            file.format,
            join(path, name),
        )
        for file, name in zip(files, names)
    ]


def demand_apart(in_path: str, out_path: str) -> None:
    """Refuse a folder of outputs that the next run would read."""
    if is_pattern(in_path):
        if "**" not in in_path:
            return
        in_path = in_path[: in_path.index("**")].rpartition("/")[0] or "."
    folder = get_identity(in_path).rstrip("/")
    if get_identity(out_path).startswith(f"{folder}/"):
        raise FileError(
            "OUT lies in IN, so that the next run would read it: name a folder that is not in "
            f"{in_path}."
        )


def get_identity(path: str) -> str:
    """The same for the same file."""
    return unquote(split_query(path)[0]) if is_uri(path) else str(Path(path).resolve())


@contextmanager
def open_out(storage: Storage, path: str, inner: str, umask: int) -> Iterator[BinaryIO]:
    """Open OUT, or a file beside it."""
    if is_uri(path):
        with storage.create(inner) as file:
            yield file
    else:
        with open_target(Path(path), umask) as file:
            yield file


@contextmanager
def _create_in(storage: Storage, target: str) -> Iterator[BinaryIO]:
    storage.make_folder(target.rsplit("/", 1)[0])
    with storage.create(target) as file:
        yield file


def put_beside(path: str, name: str) -> str:
    """Name a file beside OUT."""
    address, query = split_query(path)
    folder, slash, own = address.rstrip("/").rpartition("/")
    return f"{folder}{slash}{name.format(own)}{query}"


class Rewind(io.RawIOBase):
    """A stream that is looked at before it is read: what was read when it is opened the first time is
    there once more the second time.

    file (BinaryIO): The stream.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._head = b""
        self._at = 0
        self._looks = True

    def open(self) -> BinaryIO:
        """RETURNS (BinaryIO): The stream from its beginning."""
        if self._at > len(self._head):
            raise FileError("The first lines of the input are too long for CSV: name its format.")
        self._looks = not self._at
        self._at = 0
        return io.BufferedReader(self, 1 << 16)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._at < len(self._head):
            data = self._head[self._at : self._at + len(buffer)]
        else:
            data = self._file.read1(len(buffer))  # type: ignore[attr-defined]
            if self._looks and len(self._head) < HEAD:
                self._head += data
        self._at += len(data)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """What is open is the stream's, which others close."""


@contextmanager
def open_stream(path: str, reading: Reading) -> Iterator[tuple[InFile, Source]]:
    """Open IN that is read once."""
    file = reading.describe(path, "The input")
    if file.format.kind == PARQUET:
        raise FileError("Parquet cannot be read from a stream: name a file.")
    with open_source(Path(path)) as stream:
        rewind = Rewind(stream)
        source = make_source(
            rewind.open, file.name, file.format, file.delimiter, file.encoding, is_stream=True
        )
        yield replace(file, encoding=get_encoding(source)), source
