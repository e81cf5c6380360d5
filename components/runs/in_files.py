"""The files that a run reads."""

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, BinaryIO

from ..reports.copied_columns import find_nested, get_form
from ..shared.labels import LABELS
from ..tables.errors import FileError, RowError
from ..tables.formats import FORMATS, JSONL, Format, guess_format, make_source
from ..tables.places import Place
from ..tables.source import (
    DEFAULTS,
    FIND_ENCODING,
    Opener,
    ReadOptions,
    Source,
    name_fields,
)
from ..tables.spool import spool
from .run_settings import Settings

# So many files are held open: each goes on where it was read last. Some systems allow 256 in all.
OPEN_SOURCES = 16
# Rows that are looked at to find out whether their fields are those that are asked for.
LOOKED_AT = 100
# How files of spreadsheets end that are not read, and how those begin that Excel keeps beside what is open.
WORKBOOK = re.compile(r"\.(?:xl[st][xmb]?|ods|numbers)$(?<!\.xlsx)", re.IGNORECASE)
LOCK = "~$"


@dataclass(frozen=True)
class InFile:
    """A file that is read.

    name (str): What it is called, for errors.
    opener (Callable[[], BinaryIO] | None): Opens what was read of a stream.
    """

    path: str
    name: str
    format: Format
    options: ReadOptions = DEFAULTS
    opener: Opener | None = None

    def open_bytes(self) -> BinaryIO:
        if self.opener is not None:
            return self.opener()
        place = Place(self.path)
        return place.storage.open(place.path)

    def open(self) -> Source:
        return make_source(self.open_bytes, self.name, self.format, self.options)


@dataclass(frozen=True)
class Reading:
    """How files are to be read, where their names do not tell.

    kind (str): The format; empty: by the name.
    """

    kind: str = ""
    options: ReadOptions = FIND_ENCODING

    def describe(self, place: Place, name: str) -> InFile:
        format = guess_format(place.address, self.kind) or Format(JSONL)
        return InFile(place.text, name, format, self.options)


def find_files(
    place: Place, reading: Reading, without: Place | None = None
) -> tuple[list[InFile], list[str]]:
    """Find the files that IN stands for, but for the list of rejects of a run before. Of a folder or a
    pattern their paths in it are told, too.
    """
    if place.is_stream and not place.is_pattern:
        return [replace(reading.describe(place, "The input"), opener=spool(place))], []
    if not place.is_pattern:
        if not place.exists:
            raise FileError(f"IN: there is no file {place}.")
        if not place.is_folder and not reading.kind and WORKBOOK.search(place.address):
            raise FileError(
                f"IN: {place} is a workbook of another kind: save it as .xlsx, or its sheet as CSV in UTF-8, "
                "and name that."
            )
        if not place.is_folder:
            return [reading.describe(place, place.text)], []
    found = place.find()
    if not place.is_pattern:
        found = [pair for pair in found if reading.kind or guess_format(pair[1])]
    found = [pair for pair in found if not pair[1].rpartition("/")[2].startswith(LOCK)]
    if without is not None and not place.is_uri:
        found = [pair for pair in found if pair[0].identity != without.identity]
    if not found:
        names = ", ".join(f".{name}" for name, each in FORMATS.items() if each.endings)
        raise FileError(f"IN: there is no file to read in {place}. Formats: {names}.")
    return [reading.describe(*pair) for pair in found], [name for _, name in found]


def demand_apart(source: Place, target: Place) -> None:
    """Refuse a folder of outputs that the next run would read."""
    folder = source
    if source.is_pattern:
        if "**" not in source.text:
            return
        folder = Place(source.text[: source.text.index("**")].rpartition("/")[0] or ".")
    if target.identity.startswith(f"{folder.identity.rstrip('/')}/"):
        raise FileError(
            "OUT lies in IN, so that the next run would read it: name a folder that is not in "
            f"{folder}."
        )


def settle_encodings(files: Iterable[InFile]) -> list[InFile]:
    """Find out how the characters of files are written, once for all who read them."""
    settled = []
    for file in files:
        if not file.options.encoding and file.format.is_delimited:
            source = file.open()
            file = replace(file, options=file.options._replace(encoding=source.encoding))
            source.close()
        settled.append(file)
    return settled


class Sources(Sequence[Source]):
    """The rows of files, opened when they are needed. The last ones stay open."""

    def __init__(self, files: Sequence[InFile]) -> None:
        self.files = files
        self._open: OrderedDict[int, Source] = OrderedDict()

    def __len__(self) -> int:
        return len(self.files)

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        if not 0 <= number < len(self):
            raise IndexError(number)
        source = self._open.pop(number, None)
        if source is None:
            source = self.files[number].open()
            if len(self._open) >= OPEN_SOURCES:
                self._open.popitem(last=False)[1].close()
        self._open[number] = source
        return source

    def close(self) -> None:
        while self._open:
            self._open.popitem()[1].close()


@contextmanager
def open_files(
    files: Sequence[InFile], settings: Settings, demanded: Iterable[str] = ()
) -> Iterator[Sources]:
    """Open the files of a run, and look whether they have the columns that are asked for."""
    files = [
        replace(file, options=file.options._replace(texts=settings.text_columns)) for file in files
    ]
    sources = Sources(files)
    try:
        for file, source in zip(files, sources):
            check_columns(source, file.name, settings, demanded)
            if source.columns is None:
                check_fields(source, file.name, settings)
        yield sources
    finally:
        sources.close()


def check_fields(source: Source, name: str, settings: Settings) -> None:
    """Look whether the first rows of a table, each with fields of its own, have any text that is
    asked for.
    """
    there: dict[str, None] = {}
    rows: list[dict[str, Any]] = []
    n_rows, reason = 0, ""
    for record in islice(source.scan(), LOOKED_AT):
        n_rows += 1
        try:
            values = record.get_values()
        except RowError as error:
            reason = reason or str(error)
            continue
        there.update(dict.fromkeys(values))
        if not there.keys().isdisjoint(settings.text_fields):
            return
        rows.append(values)
    if source.paths is not None and reason:
        where = f"its first {n_rows} documents" if n_rows > 1 else "it"
        raise FileError(f"{name} has no text in {where}: {reason}.")
    if there:
        wanted = ", ".join(map(repr, settings.text_fields))
        nested = next(iter(find_nested(rows)), "")
        way = f" If it stands deeper: --text-field '{nested}'." if nested else ""
        raise FileError(
            f"{name} has no field {wanted} in its first {n_rows} rows. They have "
            f"{name_fields(there)}: name the one that you mean (--text-field).{way}"
        )


def check_columns(
    source: Source, name: str, settings: Settings, demanded: Iterable[str] = ()
) -> None:
    """Look whether a table has the columns that are asked for, and room for those that come to it."""
    columns = source.columns or ()
    wanted = [*settings.required_columns, *demanded] if source.columns is not None else []
    missing = [name for name in wanted if name not in columns]
    if missing and source.has_header is not None:
        way = (
            f"name those that you mean by number, 1 to {len(columns)}"
            if not source.has_header
            else f"look at its first row of {len(columns)} cells, and name the one that you mean "
            "(--text-field and so on). If that row is a message as the others are, say --no-header"
        )
        raise FileError(f"{name} has no column {missing[0]!r}: {way}.")
    if missing:
        raise FileError(
            f"{name} has no column {missing[0]!r}. It has {name_fields(columns)}: name the one that you "
            "mean (--text-field and so on)."
        )
    if number := next((n for n, column in enumerate(columns, 1) if get_form(column) in LABELS), 0):
        raise FileError(
            f"{name} has a personnummer, a phone number or an address as the name of its column "
            f"{number}: rename it. If the first row of a CSV file is a message, say --no-header."
        )
    taken = [column for column in settings.new_columns if column in columns]
    if taken:
        way = (
            ", or name another ([run] language_field in the file of --config)"
            if taken[0] == settings.language_field
            else ""
        )
        raise FileError(
            f"{name} has a column {taken[0]!r}, which the output needs: rename it{way}."
        )
