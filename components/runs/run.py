"""A run: files in, files out, and a list of what could not be processed."""

import platform
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import Any

import spacy
from spacy.language import Language

from ..conversations.configuration import FILES
from ..model.chat_encoder import describe_backend
from ..tables.errors import FileError
from ..tables.source import Record, Source
from .blocks import Done, Reader, RunError, Work
from .in_files import InFile
from .index import Block, Index, Plan
from .out_files import Outputs
from .processing import Result
from .result_store import FolderStore, Store
from .run_settings import Settings
from .work_folder import WorkFolder, digest_file, digest_lists, digest_pipeline

CHANGED = "IN was changed while it was read: OUT is not written. Start again."
NOT_WHOLE = "another text of its document is rejected"
# Told how many rows are done more, and the results so far.
Progress = Callable[[int, Store], None]
# Processes blocks.
Engine = Callable[[Iterable[Work]], Generator[Done]]


class TooManyRejects(RunError):
    """More rows are rejected than are allowed."""


def describe_job(
    nlp: Language, settings: Settings, files: Sequence[InFile], has_vault: bool, key: bytes
) -> dict[str, Any]:
    """Describe what the output of a run depends on, except the key."""
    return {
        "pipeline": digest_pipeline(nlp, key),
        "versions": {
            "spacy": spacy.__version__,
            "encoder": describe_backend(nlp),
            "machine": platform.machine(),
        },
        "settings": settings.describe(),
        "lists": digest_lists(
            {name: settings.custom[name] for name in FILES if name in settings.custom}, key
        ),
        "files": [digest_file(file.open_bytes) for file in files],
        "formats": [
            [*file.format, options.delimiter, options.encoding, options.has_header]
            for file in files
            for options in (file.options,)
        ],
        "vault": has_vault,
    }


def run_files(
    sources: Sequence[Source],
    index: Index,
    settings: Settings,
    engine: Engine,
    outputs: Outputs,
    work: WorkFolder | None,
    progress: Progress,
    check: Callable[[Store], None],
    look: Callable[[Reader, Store], None],
) -> Store:
    plan = Plan(index)
    store = Store()
    done_before: set[int] = set()
    if work is not None:
        store = kept = FolderStore(work.storage, work.path, len(index))
        done_before = kept.find_done()
        for number in sorted(done_before):
            block = plan.get(number)
            kept.find(block)
            progress(len(block.rows), store)
    todo = [number for number in range(len(plan)) if number not in done_before]
    reader = Reader(sources, index, settings)
    works = reader.read(map(plan.get, todo), plan.window)
    done = keep(engine(works), store, progress)
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
        outputs.write(number, source, settings, rows, partial(check, store) if is_last else None)
    store.close()
    return store


def keep(done: Generator[Done], store: Store, progress: Progress) -> Iterator[Block]:
    # The processes stop as soon as no more results are wanted.
    with closing(done):
        for block, data in done:
            store.put(block, data)
            progress(len(block.rows), store)
            yield block


def _join(
    index: Index, number: int, source: Source, store: Store, done: Iterator[Block]
) -> Iterator[tuple[Record, Result]]:
    """The rows of a file and what became of them, as soon as those of a document are there: it comes out
    whole or not at all.
    """
    for rows in _gather(index, number, source, store, done):
        is_whole = not any(result.reason for _, result in rows)
        for record, result in rows:
            if not is_whole and not result.reason:
                result = Result({}, NOT_WHOLE)
                store.summary.rows -= 1
                store.summary.add_reject(NOT_WHOLE)
            yield record, result


def _gather(
    index: Index, number: int, source: Source, store: Store, done: Iterator[Block]
) -> Iterator[list[tuple[Record, Result]]]:
    """The rows of each document."""
    records = source.scan()
    rows: list[tuple[Record, Result]] = []
    start, end = index.starts[number : number + 2]
    for row, position in enumerate(index.rows["position"][start:end].tolist(), start):
        while not store.has(row):
            if next(done, None) is None:
                raise RuntimeError(f"Row {row + 1} has no result: please report this.")
        record = next(records, None)
        if record is None or record.position != position:
            raise FileError(CHANGED)
        if rows and rows[0][0].document is not record.document:
            yield rows
            rows = []
        rows.append((record, store.get(row)))
    if rows:
        yield rows
    if next(records, None) is not None:
        raise FileError(CHANGED)
