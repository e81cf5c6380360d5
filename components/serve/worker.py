"""What runs the pipeline: a thread of this process, or a process that shares its memory."""

import os
import stat
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from ctypes import c_bool
from functools import partial
from multiprocessing.sharedctypes import RawValue
from typing import Any

from spacy.language import Language

from ..language.processes import do_work, make_pool
from ..shared.interruption import Stopped
from .work import do_requests

# Forked, a process shares the memory of this one; where that is not safe, it has a copy.
METHOD = "fork" if sys.platform == "linux" else None


class Worker:
    """Runs `do_requests`, one call after the other, in a process or a thread. A process that crashes is restarted."""

    def __init__(self, nlp: Language, is_process: bool) -> None:
        self.nlp = nlp
        self.is_process = is_process
        # How often the process has crashed.
        self.n_died = 0
        # A process sees it, too.
        self._is_stopped = RawValue(c_bool)
        self._executor: Executor
        self._do: Callable[[Any], Any]
        self._start().result()

    def _start(self) -> Future:
        # A process begins with its first task.
        if self.is_process:
            begin = partial(_begin, self._is_stopped)
            self._executor = make_pool(self.nlp, begin, 1, method=METHOD)
            self._do = do_work
        else:
            self._executor = ThreadPoolExecutor(1)
            self._do = _make_work(self._is_stopped, self.nlp)
        return self._executor.submit(self._do, [])

    def submit(self, requests: Any) -> Future:
        """Begin with requests. OSError: The process cannot be restarted."""
        self._is_stopped.value = False
        try:
            return self._executor.submit(self._do, requests)
        except BrokenProcessPool:
            self.n_died += 1
            self._executor.shutdown(wait=False)
            self._start()
            return self._executor.submit(self._do, requests)

    def stop(self) -> None:
        """End the current work before its next step."""
        self._is_stopped.value = True

    def close(self) -> None:
        """End when the current work is done."""
        self._executor.shutdown(cancel_futures=True)


def _make_work(is_stopped: Any, nlp: Language) -> Callable[[Any], Any]:
    def check() -> None:
        if is_stopped.value:
            raise Stopped

    return partial(do_requests, nlp, check)


def _begin(is_stopped: Any, nlp: Language) -> Callable[[Any], Any]:
    """Begin in a process. Forked while the server runs, it would keep the connections of clients open."""
    if METHOD == "fork":
        for name in os.listdir("/proc/self/fd"):
            with suppress(OSError):
                if int(name) > 2 and stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                    os.close(int(name))
    return _make_work(is_stopped, nlp)
