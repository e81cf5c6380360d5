"""The formats of tables, and by what a file's name tells its own."""

from collections.abc import Sequence
from typing import BinaryIO, NamedTuple

from .delimited import CsvSource, CsvTarget
from .errors import FileError
from .jsonl import JsonlSource, JsonlTarget
from .lines import COMPRESSIONS, PLAIN, compress
from .parquet import ParquetSource, ParquetTarget
from .source import Opener, Source, Target

JSONL, CSV, TSV, PARQUET = FORMATS = ("jsonl", "csv", "tsv", "parquet")
ENDINGS = {
    "jsonl": JSONL,
    "ndjson": JSONL,
    "json": JSONL,
    "csv": CSV,
    "tsv": TSV,
    "tab": TSV,
    "parquet": PARQUET,
    "pq": PARQUET,
}
TAB = "\t"


class Format(NamedTuple):
    """How a file is written.

    kind (str): One of `FORMATS`.
    compression (str): "", "gz" or "zst".
    """

    kind: str
    compression: str = PLAIN


def guess_format(name: str, kind: str = "") -> Format | None:
    """Tell by its name how a file is written."""
    parts = name.lower().rsplit("/", 1)[-1].split(".")
    compression = parts.pop() if len(parts) > 1 and parts[-1] in COMPRESSIONS else PLAIN
    found = kind or (ENDINGS.get(parts[-1], "") if len(parts) > 1 else "")
    if not found:
        return Format(JSONL, compression) if compression else None
    return Format(found, PLAIN if found == PARQUET else compression)


def make_source(
    open_file: Opener,
    name: str,
    format: Format,
    delimiter: str = "",
    encoding: str = "utf-8",
    is_stream: bool = False,
    has_header: bool = True,
    limit: int = 0,
) -> Source:
    """Make what reads a file.

    open_file (Callable[[], BinaryIO]): Opens the file.
    name (str): What it is called, for errors.
    format (Format): How it is written.
    delimiter (str), encoding (str): Of CSV; empty: what fits.
    is_stream (bool): Whether it is read only once.
    limit (int): The most bytes that Parquet may unpack to; 0: any. For lines, see `unpack`.
    RETURNS (Source): The rows.
    """
    if format.kind == PARQUET:
        return ParquetSource(open_file, name, limit)
    if format.kind == JSONL:
        return JsonlSource(open_file, name, format.compression)
    delimiter = TAB if format.kind == TSV else delimiter
    source = CsvSource(
        open_file, name, format.compression, delimiter, encoding, is_stream, has_header
    )
    source.kind = format.kind
    return source


class Writer:
    """A table that is written, with its compression.

    file (BinaryIO): The file.
    source (Source): What is read.
    format (Format): How to write it.
    added (Sequence[str]): Columns that come to it.
    dropped (Sequence[str]): Columns that are left out.
    texts (Sequence[str]): Columns that may get other values.
    no_formulas (bool): Whether no cell of a CSV file is one that a spreadsheet calculates.
    """

    def __init__(
        self,
        file: BinaryIO,
        source: Source,
        format: Format,
        added: Sequence[str] = (),
        dropped: Sequence[str] = (),
        texts: Sequence[str] = (),
        no_formulas: bool = False,
    ) -> None:
        self._file = file
        self._no_formulas = no_formulas
        self._stream = compress(file, format.compression)
        self.target = self._make(source, format, added, dropped, texts)

    def _make(
        self,
        source: Source,
        format: Format,
        added: Sequence[str],
        dropped: Sequence[str],
        texts: Sequence[str],
    ) -> Target:
        if isinstance(source, ParquetSource):
            return ParquetTarget(self._stream, source, added, dropped, texts)
        if isinstance(source, JsonlSource):
            return JsonlTarget(self._stream, dropped)
        columns = [name for name in source.columns or () if name not in dropped]
        assert isinstance(source, CsvSource)
        other = {TSV: TAB, CSV: ","}[format.kind] if format.kind != source.kind else ""
        return CsvTarget(self._stream, [*columns, *added], source, other, self._no_formulas)

    def flush(self) -> None:
        """Hand on what is written, so that somebody who reads along sees it."""
        if self._stream is self._file:
            self._file.flush()

    def close(self) -> None:
        """Write what is left. The file itself stays open."""
        self.target.finish()
        if self._stream is not self._file:
            self._stream.close()


def demand_same(source: Format, target: Format, name: str) -> None:
    """Refuse to turn one kind of table into another."""
    kinds = {CSV: CSV, TSV: CSV}
    if kinds.get(source.kind, source.kind) != kinds.get(target.kind, target.kind):
        raise FileError(
            f"{name}: rows of {source.kind} are written as {source.kind}, not as {target.kind}: give OUT "
            f"an ending of {source.kind}."
        )
