"""Where files lie: on disk, or in an object store (`s3://…`, `gs://…`, `abfss://…`, `hdfs://…`) that
pyarrow reads.
"""

import io
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from ..shared.extras import load_extra
from .errors import FileError

URI = re.compile(r"[a-z][a-z0-9+.-]+://")
WILDCARDS = "*?"
# Where a file that is broken off in writing never appears. Elsewhere it gets its name at the end.
ATOMIC = ("abfs", "gcs", "s3")
# Bytes that are read at a time: each time is a request.
BUFFER = 1 << 19
# What only its owner may read and write: the bits that are taken from those of a new file.
UMASK = 0o077


def get_storage(path: str, umask: int = UMASK) -> "tuple[Storage, str]":
    """Find out where a path leads."""
    if not URI.match(path):
        return Disk(umask), path
    fs = load_extra("pyarrow.fs", "parquet")
    try:
        remote, inner = fs.FileSystem.from_uri(path)
    except (ValueError, OSError, NotImplementedError):
        raise FileError(
            f"{path.split('://')[0]}:// is no place that pyarrow can read here: name a path, s3://, "
            "gs://, abfss:// or hdfs://."
        ) from None
    return Remote(remote), inner


def find_pattern(storage: "Storage", pattern: str) -> tuple[str, list[str]]:
    """Find the files that a pattern stands for."""
    parts = pattern.split("/")
    first = next(n for n, part in enumerate(parts) if any(sign in part for sign in WILDCARDS))
    root = "/".join(parts[:first]) or ("/" if pattern.startswith("/") else ".")
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", "/".join(parts[first:]))
    rule = re.compile("".join(signs.get(piece) or re.escape(piece) for piece in pieces))
    start = len(root.rstrip("/")) + 1
    return root, [path for path in storage.find(root) if rule.fullmatch(path[start:])]


def take_lock(path: str) -> BinaryIO | None:
    """Lock a file of its own, until it is closed or the process ends."""
    try:
        import fcntl
    except ImportError:
        return None
    while True:
        with opening(path, "written"):
            file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb")
        try:
            # Not flock: the processes of a run that was killed would hold it on.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return file
        except FileNotFoundError:
            pass  # its holder has just removed it
        except OSError:
            file.close()
            raise BlockingIOError(path) from None
        file.close()


class Disk:
    """The disks of this machine. Paths are strings, with `/` between.

    umask (int): Bits that new files lack.
    """

    def __init__(self, umask: int = UMASK) -> None:
        self.umask = umask

    def open(self, path: str) -> BinaryIO:
        with opening(path, "read"):
            return Path(path).open("rb")

    @contextmanager
    def create(self, path: str) -> Iterator[BinaryIO]:
        """Open a file for writing, which has its name only when it is complete."""
        target = Path(path)
        # A new name each time, which nobody can have planted a link at.
        part = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
        with opening(path, "written"):
            handle = os.open(
                part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600
            )
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(handle)
            part.chmod(0o666 & ~self.umask)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)

    def write(self, path: str, data: bytes) -> None:
        """Write a small file at one stroke."""
        with self.create(path) as file:
            file.write(data)

    def exists(self, path: str) -> bool:
        return os.path.exists(path)  # False for a name that is too long

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(path)

    def find(self, folder: str) -> list[str]:
        """The paths of all files in a folder and in its folders, sorted, without hidden ones."""
        root = Path(folder)
        start = "" if folder == "/" else folder.rstrip("/")
        inner = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
        return sorted(
            f"{start}/{path.as_posix()}"
            for path in inner
            if not any(part.startswith(".") for part in path.parts)
        )

    def get_size(self, path: str) -> int:
        return Path(path).stat().st_size

    def make_folder(self, path: str) -> None:
        """Make a folder, if it is not there."""
        folder = Path(path)
        if folder.is_dir():
            return
        if folder.parent != folder:
            self.make_folder(str(folder.parent))
        with opening(path, "made"):
            folder.mkdir(mode=0o700, exist_ok=True)
            folder.chmod(0o777 & ~self.umask)

    def remove(self, path: str) -> None:
        """Remove a file or a whole folder, if it is there."""
        target = Path(path)
        if target.is_dir():
            for inner in target.iterdir():
                self.remove(str(inner))
            target.rmdir()
        else:
            target.unlink(missing_ok=True)


class Remote:
    """An object store, with the methods of `Disk`. What is written appears when it is complete."""

    def __init__(self, fs: Any) -> None:
        self._fs = fs
        self._pyarrow = load_extra("pyarrow.fs", "parquet")

    def open(self, path: str) -> BinaryIO:
        with opening(path, "read"):
            return cast(BinaryIO, io.BufferedReader(self._fs.open_input_file(path), BUFFER))

    @contextmanager
    def create(self, path: str) -> Iterator[BinaryIO]:
        part = f"{path}.{secrets.token_hex(6)}.part"
        try:
            with opening(path, "written"):
                stream = self._fs.open_output_stream(part)
            with stream:
                yield stream
            self._fs.move(part, path)
        finally:
            # What is broken off appears, too, under the other name.
            if self.exists(part):
                self._fs.delete_file(part)

    def write(self, path: str, data: bytes) -> None:
        with opening(path, "written"):
            if self._fs.type_name in ATOMIC:
                with self._fs.open_output_stream(path) as file:
                    file.write(data)
            else:
                with self.create(path) as file:
                    file.write(data)

    def _get_type(self, path: str) -> Any:
        with opening(path, "read"):
            return self._fs.get_file_info(path).type

    def exists(self, path: str) -> bool:
        return self._get_type(path) != self._pyarrow.FileType.NotFound

    def is_folder(self, path: str) -> bool:
        return self._get_type(path) == self._pyarrow.FileType.Directory

    def find(self, folder: str) -> list[str]:
        selector = self._pyarrow.FileSelector(folder, allow_not_found=True, recursive=True)
        start = len(folder.rstrip("/")) + 1
        with opening(folder, "read"):
            found = self._fs.get_file_info(selector)
        return sorted(
            info.path
            for info in found
            if info.is_file
            and not any(part.startswith(".") for part in info.path[start:].split("/"))
        )

    def get_size(self, path: str) -> int:
        return self._fs.get_file_info(path).size

    def make_folder(self, path: str) -> None:
        with opening(path, "made"):
            self._fs.create_dir(path, recursive=True)

    def remove(self, path: str) -> None:
        kind = self._get_type(path)
        if kind == self._pyarrow.FileType.Directory:
            self._fs.delete_dir(path)
        elif kind != self._pyarrow.FileType.NotFound:
            self._fs.delete_file(path)


Storage = Disk | Remote


@contextmanager
def opening(path: object, action: str) -> Iterator[None]:
    """Say what to do about a file that the system refuses."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FileError(f"{path} cannot be {action} ({reason}): name a file that can.") from None
