"""Files that are read line by line."""

import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, BinaryIO, cast

from ..shared.extras import load_extra
from .errors import FileError
from .source import Opener, ReadOptions, Record, Source, demand_small

PLAIN, GZIP, ZSTD = "", "gz", "zst"
COMPRESSIONS = (GZIP, ZSTD)
# The same rows give the same bytes: no time of writing and no name of a file stands in them.
GZIP_LEVEL, ZSTD_LEVEL = 6, 3
# What `zstd --long=31` needs to be read.
MAX_WINDOW = 1 << 31
# Bytes that are read at a time; of Zstandard so few that memory has room for what they unpack to.
BUFFER = 1 << 20
ZSTD_BUFFER = 1 << 10
# A longer line is no row: a small compressed file may unpack to one that no memory holds.
MAX_LINE = 1 << 28
BOM = b"\xef\xbb\xbf"
PARQUET = "Parquet"
OLD_WORKBOOK = "an old workbook"
# How files begin that are no lines of text.
MAGIC = {
    b"PAR1": PARQUET,
    b"\x1f\x8b": "compressed by gzip (.gz)",
    b"\x28\xb5\x2f\xfd": "compressed by Zstandard (.zst)",
    b"PK\x03\x04": "a workbook or another archive",
    b"\xd0\xcf\x11\xe0": OLD_WORKBOOK,
}


class LineSource(Source):
    """A file of lines, plain or compressed.

    shift (int): How many bits of a position tell which row of a line it is.
    """

    shift = 0

    def __init__(self, open_file: Opener, name: str, options: ReadOptions) -> None:
        self._open_file = open_file
        self.name = name
        self.compression = options.compression
        self._file: BinaryIO | None = None
        self._reader: Iterator[Record] = iter(())

    def _open(self) -> BinaryIO:
        file = self._open_file()
        if self.compression:
            file = io.BufferedReader(cast(io.RawIOBase, file))
            # Without a byte it is no compressed file, not even one of nothing.
            if not file.peek(1):
                raise FileError(describe_damage(self.name, self.compression, EOFError()))
        return decompress(file, self.compression)

    def _iter_records(self, file: BinaryIO, position: int) -> Iterator[Record]:
        """The rows from where the file stands."""
        raise NotImplementedError

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[Record]:
        with self._open() as file:
            yield from self._guard(self._iter_records(file, 0))

    def read(
        self,
        positions: Sequence[int],
        columns: Sequence[str] | None = None,
        others: Sequence[str] = (),
    ) -> Iterator[Record]:
        return map(self._find, positions)

    def _find(self, position: int) -> Record:
        record = next(self._reader, None)
        is_apart = record is None or record.position >> self.shift != position >> self.shift
        if record is None or record.position > position or (is_apart and not self.compression):
            record = self._start(0 if self.compression else position >> self.shift)
        while record is not None and record.position < position:
            record = next(self._reader, None)
        if record is None or record.position != position:
            raise FileError(f"{self.name} was changed while it was read: start again.")
        return record

    def _start(self, offset: int) -> Record | None:
        self.close()
        self._file = self._open()
        if offset:
            self._file.seek(offset)
        self._reader = self._guard(self._iter_records(self._file, offset))
        return next(self._reader, None)

    def close(self) -> None:
        self._reader = iter(())
        if self._file is not None:
            self._file.close()
            self._file = None

    def _guard(self, records: Iterator[Record]) -> Iterator[Record]:
        """Say what is wrong with a file that cannot be read to its end."""
        try:
            yield from records
        except (EOFError, OSError, zlib.error) as error:
            raise FileError(describe_damage(self.name, self.compression, error)) from None


def read_lines(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Read the lines of a file, each with its end.

    RAISES (FileError): If one has no end in sight.
    """
    for line in iter(partial(file.readline, MAX_LINE + 1), b""):
        if len(line) > MAX_LINE:
            raise FileError(f"{name} has a line of over {MAX_LINE >> 20} MiB: look what it is.")
        yield line


def unpack(data: bytes, compression: str, limit: int, name: str) -> bytes:
    """Unpack a compressed file in memory, as far as a limit.

    limit (int): The most bytes that it may unpack to.
    RAISES (FileError): If it is damaged, or holds more.
    """
    if not compression:
        return data
    try:
        with decompress(cast(BinaryIO, io.BytesIO(data)), compression) as file:
            unpacked = file.read(limit + 1)
    except (EOFError, OSError, zlib.error) as error:
        raise FileError(describe_damage(name, compression, error)) from None
    demand_small(len(unpacked), limit, name)
    return unpacked


def tell_kind(head: bytes) -> str:
    """What it is, if it is known and no text; else empty."""
    return next((kind for magic, kind in MAGIC.items() if head.startswith(magic)), "")


def describe_damage(name: str, compression: str, error: Exception) -> str:
    """Say what is wrong with a file."""
    if not compression:
        reason = getattr(error, "strerror", None) or type(error).__name__
        return f"{name} cannot be read ({reason}): look whether it is whole."
    kind = {GZIP: "gzip", ZSTD: "Zstandard"}[compression]
    return f"{name} is no whole {kind} file: name it by what it is, or fetch it again."


def decompress(file: BinaryIO, compression: str) -> BinaryIO:
    if compression == GZIP:
        return cast(BinaryIO, _GzipReader(file))
    if compression == ZSTD:
        return io.BufferedReader(_ZstdReader(file), BUFFER)
    return file


class _GzipReader(gzip.GzipFile):
    """Reads gzip, and closes the file."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__(fileobj=file)
        self._below = file

    def close(self) -> None:
        super().close()
        self._below.close()


class _ZstdReader(io.RawIOBase):
    """Reads one frame after the other. The package's own reader takes a file that is cut off for a
    whole one.
    """

    def __init__(self, file: BinaryIO) -> None:
        zstandard = load_extra("zstandard", "zstd")
        self._file = file
        self._make = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW).decompressobj
        self._error = zstandard.ZstdError
        self._frame: Any = None
        self._left = b""
        self._out = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._out:
            data = self._left or self._file.read(ZSTD_BUFFER)
            self._left = b""
            if not data:
                if self._frame is not None:
                    raise EOFError
                return 0
            self._frame = self._frame or self._make()
            try:
                self._out = memoryview(self._frame.decompress(data))
            except self._error:
                raise OSError from None
            if self._frame.eof:
                self._left, self._frame = self._frame.unused_data, None
        size = min(len(buffer), len(self._out))
        buffer[:size] = self._out[:size]
        self._out = self._out[size:]
        return size

    def close(self) -> None:
        self._file.close()
        super().close()


def compress(file: BinaryIO, compression: str) -> BinaryIO:
    if compression == GZIP:
        return cast(
            BinaryIO,
            gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=GZIP_LEVEL, mtime=0),
        )
    if compression == ZSTD:
        zstandard = load_extra("zstandard", "zstd")
        return zstandard.ZstdCompressor(level=ZSTD_LEVEL).stream_writer(file, closefd=False)
    return file
