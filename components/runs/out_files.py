"""Where the rows of a run go."""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from typing import Any, BinaryIO, NamedTuple

from ..tables.errors import FileError
from ..tables.formats import Format, Writer, demand_same, guess_format
from ..tables.places import STDIO, Place
from ..tables.source import Record, Source
from ..vault import dump_entry
from .in_files import InFile
from .processing import Result
from .run_settings import Settings


class OutFile(NamedTuple):
    """A file that is written, what it is called for errors, and whether its folder may have to be made."""

    place: Place
    name: str
    format: Format
    is_inside: bool = False


def make_outputs(place: Place, files: Sequence[InFile], names: Sequence[str]) -> list[OutFile]:
    """Tell where the rows of files go. The names are their paths in a folder; a single file has none."""
    if not names:
        (file,) = files
        if place.is_folder:
            raise FileError(f"IN is one file, so OUT must be one, and {place} is a folder.")
        format = guess_format(place.address) or file.format._replace(compression="")
        if place.is_stream:
            format = file.format._replace(compression="")
        demand_same(file.format, format, place.text)
        return [OutFile(place, place.text, format)]
    if place.exists and not place.is_folder:
        raise FileError(f"IN is several files, so OUT must be a folder, and {place} is a file.")
    if place.text == STDIO:
        raise FileError("IN is several files, so OUT must be a folder, not standard output.")
    places = [place.inside(name) for name in names]
    if not {Place(file.path).identity for file in files}.isdisjoint(
        each.identity for each in places
    ):
        raise FileError("OUT would take the place of IN: name another folder.")
    return [
        OutFile(each, name, file.format, True) for file, name, each in zip(files, names, places)
    ]


class Outputs:
    """Where the rows of a run go.

    files (Sequence[OutFile]): A file for each that is read.
    rejected (BinaryIO): The list of what is rejected.
    open_vault (Callable[[], Any]): Opens the vault: a context manager. It is whole before the file is
        that it leads back from.
    """

    def __init__(self, files: Sequence[OutFile], rejected: BinaryIO) -> None:
        self.files = files
        self.rejected = rejected
        self.open_vault: Callable[[], Any] = nullcontext
        self.n_in = self.n_rows = self.n_rejected = 0

    def write(
        self,
        number: int,
        source: Source,
        settings: Settings,
        results: Iterable[tuple[Record, Result]],
        check: Callable[[], None] | None,
    ) -> None:
        """Write a file, in the order of the one that is read."""
        out = self.files[number]
        columns = source.columns or ()
        dropped = settings.dropped_columns
        if source.columns is not None:
            dropped = [name for name in dropped if name in columns]
        if out.is_inside:
            out.place.make_folder()
        with out.place.create() as file, self.open_vault() as sealed:
            writer = Writer(
                file,
                source,
                out.format,
                added=settings.new_columns,
                dropped=dropped,
                texts=[*settings.text_columns, *settings.time_fields],
                no_formulas=settings.no_formulas,
            )
            n_in = n_rejected = 0
            for record, result in results:
                n_in += 1
                if result.reason:
                    n_rejected += 1
                    self._reject(number, source, record, result.reason)
                    continue
                writer.target.write(record, result.changes)
                if sealed is not None:
                    sealed.write(dump_entry(*result.entry))
            writer.close()
            if writer.target.n_rows + n_rejected != n_in:
                raise RuntimeError(
                    f"{n_in} rows were read, {writer.target.n_rows} written and {n_rejected} rejected: "
                    "please report this. OUT is not written."
                )
            if check is not None:
                check()
        self.n_in += n_in
        self.n_rows += writer.target.n_rows
        self.n_rejected += n_rejected

    def list_rejects(
        self, number: int, source: Source, results: Iterable[tuple[Record, Result]]
    ) -> None:
        """Write no file, but what of it is rejected."""
        for record, result in results:
            if result.reason:
                self._reject(number, source, record, result.reason)

    def _reject(self, number: int, source: Source, record: Record, reason: str) -> None:
        where = {"file": self.files[number].name} if len(self.files) > 1 else {}
        reject = {**where, **source.locate(record), "reason": reason}
        self.rejected.write(json.dumps(reject, ensure_ascii=False).encode("utf8") + b"\n")
