"""The formats of tables, and by what a file's name tells its own."""

from collections.abc import Callable
from typing import Any, BinaryIO, NamedTuple

from .chat import ChatSource, ChatTarget
from .delimited import CsvSource, CsvTarget
from .errors import FileError
from .excel import ExcelSource, ExcelTarget
from .jsonl import JsonlSource, JsonlTarget
from .lines import COMPRESSIONS, PLAIN, compress
from .parquet import ParquetSource, ParquetTarget
from .source import DEFAULTS, Edits, Opener, ReadOptions, Source, Target


class TableFormat(NamedTuple):
    """A format of tables.

    source (Callable[..., Source]): Reads a file: its opener, its name, `ReadOptions`.
    target (Callable[..., Target]): Writes one: a file, the source, `Edits`.
    endings (tuple[str, ...]): How names of such files end.
    delimiter (str): What stands between cells, of a format that knows nothing but strings.
    is_fixed (bool): Whether files to read have that delimiter, too. Otherwise it is guessed.
    is_packed (bool): Whether it compresses what it holds itself.
    """

    source: Callable[..., Source]
    target: Callable[..., Target]
    endings: tuple[str, ...]
    delimiter: str = ""
    is_fixed: bool = False
    is_packed: bool = False


JSONL, CHAT = "jsonl", "chat"
# All formats. Another one is a line here, with a source and a target that may be those of another.
FORMATS = {
    JSONL: TableFormat(JsonlSource, JsonlTarget, ("jsonl", "ndjson", "json")),
    "csv": TableFormat(CsvSource, CsvTarget, ("csv",), delimiter=","),
    "tsv": TableFormat(CsvSource, CsvTarget, ("tsv", "tab"), delimiter="\t", is_fixed=True),
    "parquet": TableFormat(ParquetSource, ParquetTarget, ("parquet", "pq"), is_packed=True),
    "xlsx": TableFormat(ExcelSource, ExcelTarget, ("xlsx",), is_packed=True),
    # No name tells it from other text.
    CHAT: TableFormat(ChatSource, ChatTarget, ()),
}


class Format(NamedTuple):
    """How a file is written."""

    kind: str
    compression: str = PLAIN

    @property
    def is_delimited(self) -> bool:
        """RETURNS (bool): Whether it has rows of cells between delimiters, as CSV."""
        return bool(FORMATS[self.kind].delimiter)


def guess_format(name: str, kind: str = "") -> Format | None:
    """Tell by its name how a file is written."""
    parts = name.lower().rsplit("/", 1)[-1].split(".")
    compression = parts.pop() if len(parts) > 1 and parts[-1] in COMPRESSIONS else PLAIN
    if not kind and len(parts) > 1:
        kind = next((name for name, each in FORMATS.items() if parts[-1] in each.endings), "")
    if not kind:
        return Format(JSONL, compression) if compression else None
    return Format(kind, PLAIN if FORMATS[kind].is_packed else compression)


def make_source(
    open_file: Opener, name: str, format: Format, options: ReadOptions = DEFAULTS
) -> Source:
    kind = FORMATS[format.kind]
    delimiter = kind.delimiter if kind.is_fixed else options.delimiter
    options = options._replace(compression=format.compression, delimiter=delimiter)
    source = kind.source(open_file, name, options)
    source.kind = format.kind
    return source


class Writer:
    """A table that is written, with its compression."""

    def __init__(self, file: BinaryIO, source: Source, format: Format, **edits: Any) -> None:
        self._file = file
        self._stream = compress(file, format.compression)
        kind = FORMATS[format.kind]
        given = Edits(**edits, delimiter="" if format.kind == source.kind else kind.delimiter)
        self.target = kind.target(self._stream, source, given)

    def close(self) -> None:
        """Write what is left. The file itself stays open."""
        self.target.finish()
        if self._stream is not self._file:
            self._stream.close()


def demand_same(source: Format, target: Format, name: str) -> None:
    """Refuse to turn one kind of table into another."""
    if FORMATS[source.kind].source is not FORMATS[target.kind].source:
        raise FileError(
            f"{name}: rows of {source.kind} are written as {source.kind}, not as {target.kind}: give OUT "
            f"an ending of {source.kind}."
        )
