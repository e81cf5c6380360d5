"""How blocks are read and processed, in this process or in several."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from spacy.language import Language

from ..language.processes import ProcessError, run_processes
from ..tables.source import Record, Source
from ..vault import Vault
from .index import WINDOW, Block, Index, get_columns
from .processing import Processor
from .result_store import dump_results
from .rows import Row, read_row
from .run_settings import Settings

Done = tuple[Block, bytes]


class RunError(RuntimeError):
    """Why a run broke off, and what to do. What it had done is not lost."""


@dataclass(frozen=True)
class Task:
    """How the blocks of a run are processed. It can be pickled, and holds no key.

    make_vault (Callable[[], Vault] | None): Makes the vault, with the key of the environment.
    run (str): The name of the run, for the vault.
    counter (Any): Counts the messages that are read, in all processes:
        `multiprocessing.Value("q")`. Nobody counts by default.
    processor (type[Processor]): What processes the rows.
    """

    settings: Settings
    make_vault: Callable[[], Vault] | None = None
    run: str = ""
    counter: Any = None
    processor: type[Processor] = Processor

    def make_work(self, nlp: Language) -> "Callable[[Work], bytes]":
        """Make what a process does with the rows of a block, with a pipeline that is set up."""
        vault = self.make_vault() if self.make_vault else None
        processor = self.processor(nlp, self.settings, vault, self.run, self.counter)
        return lambda work: work.do(processor)


@dataclass(frozen=True)
class Work:
    """The rows of a block, read.

    others (Sequence[Row]): Those of its conversations that are in other blocks.
    """

    block: Block
    rows: Sequence[Row]
    others: Sequence[Row] = ()

    def do(self, processor: Processor) -> bytes:
        """What became of the rows, as it is stored."""
        return dump_results(*processor.process(self.rows, self.others))


class Reader:
    """Reads the rows of blocks.

    read_row (Callable[[Record, int, Settings], Row]): Takes what is wanted of a row.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        index: Index,
        settings: Settings,
        read_row: Callable[[Record, int, Settings], Row] = read_row,
    ) -> None:
        self.sources = sources
        self.index = index
        self.settings = settings
        self._read_row = read_row

    def read(self, blocks: Iterable[Block], window: int = WINDOW) -> Iterator[Work]:
        left = iter(blocks)
        while held := [*islice(left, window)]:
            yield from self._read(held)

    def _read(self, blocks: Sequence[Block]) -> Iterator[Work]:
        wanted = sorted({row for block in blocks for row in (*block.rows, *block.others)})
        records = dict(zip(wanted, self.read_rows(wanted)))
        for block in blocks:
            yield Work(
                block,
                [self._make(records[row], row) for row in block.rows],
                [self._make(records[row], row) for row in block.others],
            )

    def _make(self, record: Record, row: int) -> Row:
        made = self._read_row(record, int(self.index.rows["line"][row]), self.settings)
        made.is_sampled = row in self.index.sampled
        return made

    def read_rows(self, rows: Sequence[int]) -> Iterator[Record]:
        for number, own in groupby(rows, self.index.get_file):
            source = self.sources[number]
            columns = get_columns(source, self.settings)
            others = [name for name in source.others if name not in self.settings.read_columns]
            positions = self.index.rows["position"][[*own]].tolist()
            yield from source.read(positions, columns, others)


def run_blocks(
    nlp: Language, task: Task, works: Iterable[Work], n_process: int = 1, threads: int = 1
) -> Generator[Done]:
    """Process blocks: one after the other, or in several processes.

    n_process (int), threads (int): Processes, and the threads of each.
    YIELDS (tuple[Block, bytes]): Each block, and what became of its rows, as it is stored.
    RAISES (RunError): If a process crashes.
    """
    if n_process == 1:
        do = task.make_work(nlp)
        yield from ((work.block, do(work)) for work in works)
        return
    tasks = ((work.block, work) for work in works)
    try:
        yield from run_processes(nlp, task.make_work, tasks, n_process, threads)
    except ProcessError as error:
        raise RunError(str(error)) from None
