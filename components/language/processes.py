"""Processes that share the work on messages: they are started, fed and stopped here."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import Any

from spacy.language import Language

from ..model.backend import set_threads
from .garbage import spare_for_good

_work: list[Callable[[Any], Any]] = []


class ProcessError(RuntimeError):
    """A process came to a sudden end."""


def run_processes(
    nlp: Language,
    make_work: Callable[[Language], Callable[[Any], Any]],
    tasks: Iterable[tuple[Any, Any]],
    n_process: int,
    threads: int = 1,
) -> Iterator[tuple[Any, Any]]:
    """Work in several processes. Each has a copy of the pipeline and the same key.

    make_work (Callable[[Language], Callable[[Any], Any]]): Makes the function that works, in each process.
        It is pickled.
    tasks (Iterable[tuple[Any, Any]]): Pairs of what stays here and what is sent to a process.
    YIELDS (tuple[Any, Any]): Pairs of what stayed here and the result, in order.
    RAISES (ProcessError): If a process comes to a sudden end.
    """
    pending: deque[tuple[Any, Future]] = deque()
    others = {*multiprocessing.active_children()}
    pool = make_pool(nlp, make_work, n_process, threads)
    try:
        for kept, sent in tasks:
            pending.append((kept, pool.submit(do_work, sent)))
            while len(pending) > 2 * n_process or (pending and pending[0][1].done()):
                kept, future = pending.popleft()
                yield kept, future.result()
        while pending:
            kept, future = pending.popleft()
            yield kept, future.result()
    except BrokenProcessPool:
        raise ProcessError(
            "A process came to a sudden end, most often because memory has run out. Use fewer processes."
        ) from None
    except BaseException:
        # Nobody waits for the rest.
        for process in {*multiprocessing.active_children()} - others:
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def make_pool(
    nlp: Language,
    make_work: Callable[[Language], Callable[[Any], Any]],
    n_process: int,
    threads: int = 1,
    method: str | None = None,
) -> ProcessPoolExecutor:
    """Make processes that work (`do_work`), as `run_processes` describes them.

    method (str | None): How a process is started; default: as Python does. A "fork" shares the memory of
        this process.
    """
    # A pickled pipe has no key.
    keys = {name: pipe._key for name, pipe in nlp.pipeline if hasattr(pipe, "_key")}
    return ProcessPoolExecutor(
        n_process,
        mp_context=multiprocessing.get_context(method),
        initializer=_begin,
        initargs=(nlp, make_work, keys, threads),
    )


def _begin(nlp: Language, make_work: Callable, keys: dict[str, bytes], threads: int) -> None:
    # Ctrl-C reaches all processes: the parent stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_follow_parent, daemon=True).start()
    # Forked from a process in which torch ran with several threads, it would wait for them for ever.
    set_threads(threads)
    for name, pipe in nlp.pipeline:
        if name in keys:
            pipe._key = keys[name]  # type: ignore[attr-defined]
    _work[:] = [make_work(nlp)]
    spare_for_good()


def _follow_parent() -> None:
    """End this process when its parent ends, which may be killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def do_work(sent: Any) -> Any:
    """What a process of a pool does: what `make_work` has made there."""
    return _work[0](sent)
