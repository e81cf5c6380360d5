"""A stream as a file: its bytes are kept in a private temporary file without a name, which is gone with
the process.
"""

import io
import shutil
import tempfile
from typing import Any, BinaryIO, cast

from .places import Place
from .source import Opener


def spool(place: Place) -> Opener:
    """Read a stream to its end.

    place (Place): Standard input, a device or a pipe.
    RETURNS (Callable[[], BinaryIO]): Opens what was read, from its beginning, as often as needed.
    """
    kept = tempfile.TemporaryFile()  # noqa: SIM115
    with place.open() as stream:
        shutil.copyfileobj(stream, kept)
    return lambda: cast(BinaryIO, io.BufferedReader(_View(cast(BinaryIO, kept))))


class _View(io.RawIOBase):
    """A file that others read, too. It has a position of its own."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_CUR:
            offset, whence = self._at + offset, io.SEEK_SET
        self._at = self._file.seek(offset, whence)
        return self._at

    def readinto(self, buffer: Any) -> int:
        self._file.seek(self._at)
        size = self._file.readinto(buffer)  # type: ignore[attr-defined]
        self._at += size
        return size
