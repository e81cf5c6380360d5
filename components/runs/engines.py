"""Where blocks are processed: in this process, or in several."""

from collections.abc import Iterable, Iterator

from spacy.language import Language

from ..language.processes import ProcessError, run_processes
from .blocks import Task, Work
from .index import Block


class RunError(RuntimeError):
    """Why a run broke off, and what to do. What it had done is not lost."""


class TooManyRejects(RunError):
    """More rows are rejected than are allowed."""


Done = tuple[Block, bytes | None]


def run_here(nlp: Language, task: Task, works: Iterable[Work]) -> Iterator[Done]:
    """Process blocks one after the other."""
    processor = task.make_processor(nlp)
    for work in works:
        yield work.block, work.do(processor)


def run_in_processes(
    nlp: Language, task: Task, works: Iterable[Work], n_process: int, threads: int = 1
) -> Iterator[Done]:
    """Process blocks in several processes."""
    tasks = ((work.block, work) for work in works)
    try:
        yield from run_processes(nlp, task.make_work, tasks, n_process, threads)
    except ProcessError as error:
        raise RunError(str(error)) from None
