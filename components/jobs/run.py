"""A run: files in, files out, and a list of what could not be processed."""

import json
import platform
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any, BinaryIO

import spacy
import torch
from spacy.language import Language

from ..tables.errors import FileError
from ..tables.formats import Format, Writer
from ..tables.source import Record, Source, demand_columns
from ..tables.storage import get_storage
from .blocks import InFile, Reader, Work, Works
from .engines import Done, TooManyRejects
from .index import Block, Index, Plan, Returns, stream_blocks
from .processing import Result
from .rows import read_row
from .settings import Settings
from .store import FolderStore, MemoryStore, Store
from .work import WorkFolder, digest_files, digest_lists

CHANGED = "IN was changed while it was read: OUT is not written. Start anew."
Progress = Callable[[int], None]
# Of a stream, and of files that can be read again.
StreamEngine = Callable[[Iterable[Work]], Iterator[Done]]
Engine = Callable[[Works], Iterator[Done]]


@dataclass(frozen=True)
class OutFile:
    """A file that is written.

    create (Callable[[], Any]): Opens it: a context manager.
    name (str): What it is called, for errors.
    format (Format): How it is written.
    """

    create: Callable[[], Any]
    name: str
    format: Format


@dataclass(frozen=True)
class Limit:
    """How many rows may be rejected before the run counts as failed.

    share (Fraction | None): So large a share of all rows.
    number (int | None): So many.
    """

    share: Fraction | None = None
    number: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """Read a limit.

        text (str): `1%`, or a number.
        RETURNS (Limit): The limit.
        RAISES (ValueError): If it is neither.
        """
        with suppress(ValueError, ZeroDivisionError):
            if text.endswith("%"):
                share = Fraction(text[:-1]) / 100
                if 0 <= share <= 1:
                    return cls(share=share)
            elif int(text) >= 0:
                return cls(number=int(text))
        raise ValueError(f"{text!r} is no limit: give a share of the rows (1%) or a number (20).")

    def is_passed(self, n_rejected: int, n_rows: int) -> bool:
        """n_rejected (int), n_rows (int): Rows that were rejected, and all of them.
        RETURNS (bool): Whether they are too many.
        """
        if self.number is not None:
            return n_rejected > self.number
        return n_rejected > (self.share or 0) * n_rows


def _pass() -> None:
    """Nothing is to be checked."""


class Outputs:
    """Where the rows of a run go.

    files (Sequence[OutFile]): A file for each that is read.
    rejected (BinaryIO): The list of what is rejected.
    sealed (BinaryIO | None): The vault.
    """

    def __init__(
        self, files: Sequence[OutFile], rejected: BinaryIO, sealed: BinaryIO | None = None
    ) -> None:
        self.files = files
        self.rejected = rejected
        self.sealed = sealed
        self.n_in = self.n_rows = self.n_rejected = 0
        self._writer: Writer | None = None

    def flush(self) -> None:
        """Hand on what is written: rows of a stream may be long in coming."""
        if self._writer is not None:
            self._writer.flush()

    def write(
        self,
        number: int,
        source: Source,
        settings: Settings,
        results: Iterable[tuple[Record, Result]],
        check: Callable[[], None] = _pass,
    ) -> None:
        """Write a file, in the order of the one that is read.

        number (int): Its number.
        source (Source): What is read.
        settings (Settings): Tell what comes and goes.
        results (Iterable[tuple[Record, Result]]): Its rows, and what became of them.
        check (Callable[[], None]): Called before the file gets its name, which an error prevents.
        """
        out = self.files[number]
        columns = source.columns or ()
        dropped = [settings.known_field]
        if source.columns is not None:
            dropped = [name for name in dropped if name in columns]
        with out.create() as file:
            writer = Writer(file, source, out.format, settings.added, dropped, settings.texts)
            self._writer = writer
            n_in = n_rejected = 0
            for record, result in results:
                n_in += 1
                if result.reason:
                    n_rejected += 1
                    self._reject(number, source, record.line, result.reason)
                    continue
                writer.target.write(record, result.changes)
                if self.sealed is not None:
                    row, token = result.entry
                    entry = {"row": row, "token": token}
                    self.sealed.write(json.dumps(entry).encode("ascii") + b"\n")
            self._writer = None
            writer.close()
            if writer.target.n_rows + n_rejected != n_in:
                raise RuntimeError(
                    f"{n_in} rows were read, {writer.target.n_rows} written and {n_rejected} rejected: "
                    "please report this. OUT is not written."
                )
            check()
        self.n_in += n_in
        self.n_rows += writer.target.n_rows
        self.n_rejected += n_rejected

    def list_rejects(
        self, number: int, source: Source, results: Iterable[tuple[Record, Result]]
    ) -> None:
        """Write no file, but what of it is rejected.

        number (int): Its number.
        source (Source): What is read.
        results (Iterable[tuple[Record, Result]]): Its rows, and what became of them.
        """
        for record, result in results:
            if result.reason:
                self._reject(number, source, record.line, result.reason)

    def _reject(self, number: int, source: Source, line: int, reason: str) -> None:
        where = {"file": self.files[number].name} if len(self.files) > 1 else {}
        reject = {**where, source.counts: line, "reason": reason}
        self.rejected.write(json.dumps(reject).encode("ascii") + b"\n")


def open_files(
    files: Sequence[InFile], settings: Settings, demanded: Iterable[str] = ()
) -> list[Source]:
    """Open the files of a run, and look whether they have the columns that are asked for.

    files (Sequence[InFile]): The files.
    settings (Settings): Name the columns.
    demanded (Iterable[str]): Other columns that were named, and so must be there.
    RETURNS (list[Source]): Their rows.
    RAISES (FileError): If a file is not what its name says, or lacks a column.
    """
    sources = []
    for file in files:
        source = file.open()
        check_columns(source, file.name, settings, demanded)
        sources.append(source)
    return sources


def check_columns(
    source: Source, name: str, settings: Settings, demanded: Iterable[str] = ()
) -> None:
    """Look whether a table has the columns that are asked for, and room for those that come to it.

    source (Source): The table.
    name (str): What it is called, for errors.
    settings (Settings): Name the columns.
    demanded (Iterable[str]): Other columns that were named, and so must be there.
    RAISES (FileError): If it has not.
    """
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


def describe_job(
    nlp: Language, settings: Settings, files: Sequence[InFile], has_vault: bool, key: bytes
) -> dict[str, Any]:
    """Describe a run: what its output hangs on, but for the key.

    nlp (Language): The pipeline.
    settings (Settings): What is asked.
    files (Sequence[InFile]): What is read.
    has_vault (bool): Whether originals are kept.
    key (bytes): The key, so that nobody without it can try out what lists hold.
    RETURNS (dict[str, Any]): The description, for JSON.
    """
    return {
        "pipeline": f"{nlp.meta.get('name')} {nlp.meta.get('version')}",
        "versions": {
            "spacy": spacy.__version__,
            "torch": torch.__version__,
            "machine": platform.machine(),
        },
        "settings": settings.describe(),
        "lists": digest_lists(settings.custom, key),
        "files": digest_files([get_storage(file.path) for file in files]),
        "formats": [[*file.format, file.delimiter, file.encoding] for file in files],
        "vault": has_vault,
    }


def read_index(sources: Sequence[Source], settings: Settings) -> Index:
    """Read which rows make a conversation.

    sources (Sequence[Source]): The files.
    settings (Settings): Name the columns.
    RETURNS (Index): Where they lie.
    """
    index = Index()
    for source in sources:
        index.add(source, settings)
    return index


def run_files(
    sources: Sequence[Source],
    index: Index,
    settings: Settings,
    engine: Engine,
    outputs: Outputs,
    work: WorkFolder | None,
    progress: Progress,
    check: Callable[[Store], None] = lambda store: None,
    look: Callable[[Reader, Store], None] = lambda reader, store: None,
) -> Store:
    """Run over files that can be read again.

    sources (Sequence[Source]): The files.
    index (Index): Their rows.
    settings (Settings): What is asked.
    engine (Engine): Processes blocks.
    outputs (Outputs): Where rows go.
    work (WorkFolder | None): Keeps what is done; None: memory does, and rows are written as soon as
        they can.
    progress (Callable[[int], None]): Told how many rows are done more.
    check (Callable[[Store], None]): Looks at the results before anything is written.
    look (Callable[[Reader, Store], None]): Looks at rows and their results, where a work folder keeps
        them.
    RETURNS (Store): The results.
    """
    plan = Plan(index)
    store: Store = MemoryStore()
    done_before: set[int] = set()
    if work is not None:
        store = FolderStore(work.storage, work.path, len(index))
        done_before = store.find_done()
        for number in sorted(done_before):
            block = plan.get(number)
            store.put(block, None)
            progress(len(block.rows))
        store.n_before = store.n_done
    todo = [number for number in range(len(plan)) if number not in done_before]
    reader = Reader(sources, index, settings)
    done = keep(engine(Works(reader, plan, todo)), store, progress)
    if work is not None:
        for _ in done:
            pass
        try:
            check(store)
        except TooManyRejects:
            for number, source in enumerate(sources):
                outputs.list_rejects(number, source, _join(index, number, source, store, done))
            raise
        look(reader, store)
    for number, source in enumerate(sources):
        rows = _join(index, number, source, store, done)
        is_last = number == len(sources) - 1
        outputs.write(number, source, settings, rows, partial(check, store) if is_last else _pass)
    return store


def run_stream(
    source: Source,
    records: Iterable[Record],
    settings: Settings,
    engine: StreamEngine,
    outputs: Outputs,
    progress: Progress,
    check: Callable[[Store], None] = lambda store: None,
) -> tuple[Store, int]:
    """Run over a stream, which is read once: rows come out as soon as they can.

    source (Source): The stream.
    records (Iterable[Record]): Its rows.
    settings (Settings): What is asked.
    engine (Engine): Processes blocks.
    outputs (Outputs): Where rows go.
    progress (Callable[[int], None]): Told how many rows are done more.
    check (Callable[[Store], None]): Looks at the results before OUT gets its name.
    RETURNS (tuple[Store, int]): The results, and how many rows came back to a conversation that had
        ended: what is found in them is not found in those before.
    """
    store = MemoryStore()
    returns = Returns()
    held: deque[Record] = deque()

    def read() -> Iterator[Work]:
        for block in stream_blocks(records, settings, returns):
            held.extend(block.records)
            rows = [read_row(record, record.line, settings) for record in block.records]
            yield Work(block, rows, block.told)

    def follow() -> Iterator[tuple[Record, Result]]:
        for row in count():
            while not store.has(row):
                outputs.flush()
                if next(done, None) is None:
                    if held:
                        raise RuntimeError(f"Row {row + 1} has no result: please report this.")
                    return
            yield held.popleft(), store.get(row)

    done = keep(engine(read()), store, progress)
    outputs.write(0, source, settings, follow(), partial(check, store))
    return store, returns.n_rows


def keep(done: Iterator[Done], store: Store, progress: Progress) -> Iterator[Block]:
    """Keep what is done.

    done (Iterator[Done]): Blocks, and what became of their rows.
    store (Store): Where it is kept.
    progress (Callable[[int], None]): Told how many rows are done more.
    YIELDS (Block): The blocks.
    """
    for block, data in done:
        store.put(block, data)
        progress(len(block.rows))
        yield block


def _join(
    index: Index, number: int, source: Source, store: Store, done: Iterator[Block]
) -> Iterator[tuple[Record, Result]]:
    """The rows of a file and what became of them, each as soon as it is there."""
    records = source.scan()
    for row in range(index.starts[number], index.starts[number + 1]):
        while not store.has(row):
            if next(done, None) is None:
                raise RuntimeError(f"Row {row + 1} has no result: please report this.")
        record = next(records, None)
        if record is None or record.position != index.positions[row]:
            raise FileError(CHANGED)
        yield record, store.get(row)
    if next(records, None) is not None:
        raise FileError(CHANGED)
