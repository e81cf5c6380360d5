"""Where blocks are processed: in this process, or in several."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import Any, cast

import torch
from spacy.language import Language

from ...messages.conversation import GENERATOR
from .blocks import Task, Work
from .index import Block
from .processing import Processor


class RunError(RuntimeError):
    """Why a run broke off, and what to do. What it had done is not lost."""


class TooManyRejects(RunError):
    """More rows are rejected than are allowed."""


Done = tuple[Block, bytes | None]


def run_here(nlp: Language, task: Task, works: Iterable[Work]) -> Iterator[Done]:
    """Process blocks one after the other.

    nlp (Language): The pipeline, set up.
    task (Task): How.
    works (Iterable[Work]): The blocks.
    YIELDS (Done): The blocks, and what became of their rows.
    """
    processor = task.make_processor(nlp)
    for work in works:
        yield work.block, work.do(processor)


def run_processes(
    nlp: Language, task: Task, works: Iterable[Work], n_process: int, threads: int = 1
) -> Iterator[Done]:
    """Process blocks in several processes.

    nlp (Language): The pipeline, set up.
    task (Task): How.
    works (Iterable[Work]): The blocks.
    n_process (int): How many processes.
    threads (int): Threads of each.
    YIELDS (Done): The blocks as they are done, and what became of their rows.
    RAISES (RunError): If a process comes to a sudden end.
    """
    key = cast(Any, nlp.get_pipe(GENERATOR))._key
    pending: deque[tuple[Block, Future]] = deque()
    others = {*multiprocessing.active_children()}
    pool = ProcessPoolExecutor(n_process, initializer=_begin, initargs=(nlp, task, key, threads))
    try:
        for work in works:
            pending.append((work.block, pool.submit(_do, work)))
            while len(pending) > 2 * n_process or (pending and pending[0][1].done()):
                block, future = pending.popleft()
                yield block, future.result()
        while pending:
            block, future = pending.popleft()
            yield block, future.result()
    except BrokenProcessPool:
        raise RunError(
            "A process came to a sudden end: as a rule, memory has run out. Give it fewer processes."
        ) from None
    except BaseException:
        # Whoever stops the run does not want to wait for blocks that nobody will write.
        for process in {*multiprocessing.active_children()} - others:
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_processor: list[Processor] = []


def _begin(nlp: Language, task: Task, key: bytes, threads: int) -> None:
    # Ctrl-C reaches all processes, but the one that began the run ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_follow_parent, daemon=True).start()
    # Forked from a process in which torch ran with several threads, it would wait for them for ever.
    torch.set_num_threads(threads)
    cast(Any, nlp.get_pipe(GENERATOR))._key = key
    _processor[:] = [task.make_processor(nlp)]


def _follow_parent() -> None:
    """End this process with the one that began it, which may be killed: else it would wait for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _do(work: Work) -> bytes:
    return work.do(_processor[0])
