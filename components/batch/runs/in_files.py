"""The files that a run reads."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain, islice

from ..tables.delimited import CsvSource
from ..tables.encodings import UTF_8
from ..tables.errors import FileError, RowError
from ..tables.formats import CSV, TSV, Format, make_source
from ..tables.source import Record, Source, demand_columns
from ..tables.storage import get_storage
from .run_settings import Settings

# So many files are held open: each goes on where it was read last. Some systems allow 256 in all.
OPEN_SOURCES = 16
# Rows that are looked at to find out whether their fields are those that are asked for.
LOOKED_AT = 100


@dataclass(frozen=True)
class InFile:
    """A file that is read.

    path (str): Its path or address.
    name (str): What it is called, for errors.
    format (Format): How it is written.
    delimiter (str), encoding (str): Of a CSV file; empty: what fits.
    """

    path: str
    name: str
    format: Format
    delimiter: str = ""
    encoding: str = "utf-8"

    def open(self) -> Source:
        """RETURNS (Source): Its rows."""
        storage, path = get_storage(self.path)
        return make_source(
            lambda: storage.open(path), self.name, self.format, self.delimiter, self.encoding
        )


def get_encoding(source: Source) -> str:
    """The encoding of a table."""
    return source.encoding if isinstance(source, CsvSource) else UTF_8


def settle_encodings(files: Iterable[InFile]) -> list[InFile]:
    """Find out how the characters of files are written, once for all who read them."""
    settled = []
    for file in files:
        if not file.encoding and file.format.kind in (CSV, TSV):
            source = file.open()
            file = replace(file, encoding=get_encoding(source))
            source.close()
        settled.append(file)
    return settled


class Sources(Sequence[Source]):
    """The rows of files, opened when they are needed. The last ones stay open.

    files (Sequence[InFile]): The files.
    open_file (Callable[[int], Source] | None): Opens one by its number; None: as it is.
    """

    def __init__(
        self, files: Sequence[InFile], open_file: Callable[[int], Source] | None = None
    ) -> None:
        self.files = files
        self._open_file = open_file or (lambda number: files[number].open())
        self._open: OrderedDict[int, Source] = OrderedDict()

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        if not 0 <= number < len(self):
            raise IndexError(number)
        source = self._open.pop(number, None)
        if source is None:
            source = self._open_file(number)
            if len(self._open) >= OPEN_SOURCES:
                self._open.popitem(last=False)[1].close()
        self._open[number] = source
        return source

    def close(self) -> None:
        """Let go of all files."""
        while self._open:
            self._open.popitem()[1].close()


@contextmanager
def open_files(
    files: Sequence[InFile], settings: Settings, demanded: Iterable[str] = ()
) -> Iterator[Sources]:
    """Open the files of a run, and look whether they have the columns that are asked for."""
    sources = Sources(files)
    try:
        for file, source in zip(files, sources):
            check_columns(source, file.name, settings, demanded)
            if source.columns is None:
                check_fields(source.scan(), file.name, settings)
        yield sources
    finally:
        sources.close()


def check_fields(records: Iterator[Record], name: str, settings: Settings) -> Iterator[Record]:
    """Look whether the first rows of a table, each with fields of its own, have any text that is
    asked for.
    """
    seen: list[Record] = []
    there: dict[str, None] = {}
    for record in islice(records, LOOKED_AT):
        seen.append(record)
        with suppress(RowError):
            there.update(dict.fromkeys(record.get_values()))
        if not there.keys().isdisjoint(settings.text_fields):
            return chain(seen, records)
    if there:
        wanted = ", ".join(map(repr, settings.text_fields))
        raise FileError(
            f"{name} has no field {wanted} in its first {len(seen)} rows. They have "
            f"{', '.join(map(repr, there))}: name the one that you mean (--text-field)."
        )
    return chain(seen, records)


def check_columns(
    source: Source, name: str, settings: Settings, demanded: Iterable[str] = ()
) -> None:
    """Look whether a table has the columns that are asked for, and room for those that come to it."""
    missing = demand_columns(source.columns, [*settings.asked, *demanded])
    if missing:
        there = ", ".join(map(repr, source.columns or ()))
        raise FileError(
            f"{name} has no column {missing[0]!r}. It has {there}: name the one that you mean "
            "(--text-field and so on)."
        )
    taken = [column for column in settings.added if column in (source.columns or ())]
    if taken:
        way = ", or name another (--language-field)" if taken[0] == settings.language_field else ""
        raise FileError(
            f"{name} has a column {taken[0]!r}, which the output needs: rename it{way}."
        )
