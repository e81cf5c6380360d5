"""Runs the pipeline for all who ask at once: a queue in front of workers, which refuses instead of growing."""

import asyncio
import gc
import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, NamedTuple

from spacy.language import Language

from ..failures import describe_error
from ..messages.garbage import spare_for_good
from ..model.backend import set_threads
from .work import BATCH, Result, Work, WorkError, do_all
from .worker import Worker

logger = logging.getLogger("sv_deid_chat")

WARM_UP = "Hej, jag heter Anna Berg, 900101-2385, och bor i Lund. Ring 070-174 06 05 den 3 maj."


class Waiting(NamedTuple):
    """A request that waits for its turn.

    works (Sequence[Work]): What is asked, all with the same settings.
    future (asyncio.Future): What comes of it.
    """

    works: Sequence[Work]
    future: asyncio.Future

    @property
    def settings(self) -> Mapping[str, Any]:
        """RETURNS (Mapping[str, Any]): What is set for it."""
        return self.works[0].settings if self.works else {}

    @property
    def n_texts(self) -> int:
        """RETURNS (int): Its messages."""
        return sum(len(work.texts) for work in self.works)


class QueueFull(RuntimeError):
    """So much waits that more is refused."""


class WorkerDied(RuntimeError):
    """The process that did it has died. Another takes its place: ask again."""


class PipelineQueue:
    """Runs the pipeline in a thread of this process, or in processes that share its memory.

    nlp (Language): The pipeline, set up.
    workers (int): Processes; 0: a thread.
    size (int): Requests that may wait, beside those that are being worked on.
    seconds (float): How long a request may take, with its waiting.
    """

    def __init__(
        self, nlp: Language, workers: int = 0, size: int = 64, seconds: float = 60.0
    ) -> None:
        self.nlp = nlp
        self.size = size
        self.seconds = seconds
        # Whether a worker that has died could not be started anew.
        self.is_broken = False
        # Requests that nobody waited for any longer: they took too long, or the client had gone.
        self.n_left = 0
        # Called with what became of the messages of a request, to count them.
        self.observe: Callable[[Iterable[Result]], None] = lambda results: None
        self._waiting: deque[Waiting] = deque()
        if workers:
            # A process that has run torch with several threads cannot be forked.
            set_threads(1)
        # What is read when it is first needed is read before the workers are made, so they share it.
        do_all(nlp, [Work([WARM_UP])])
        if workers:
            gc.collect()
            spare_for_good()
        self._workers = [Worker(nlp, workers > 0) for _ in range(max(workers, 1))]
        self._free = [*self._workers]
        self._busy: dict[Worker, Sequence[Waiting]] = {}

    @property
    def n_died(self) -> int:
        """RETURNS (int): How often a worker has died."""
        return sum(worker.n_died for worker in self._workers)

    @property
    def n_waiting(self) -> int:
        """RETURNS (int): Requests that wait."""
        return sum(not waiting.future.done() for waiting in self._waiting)

    @property
    def is_full(self) -> bool:
        """RETURNS (bool): Whether the next request is refused."""
        return self.n_waiting >= self.size

    async def run(self, work: Work) -> list[Result]:
        """Run the pipeline on the messages of one conversation, or on messages that stand alone.

        work (Work): What is asked.
        RETURNS (list[Result]): What `describe` tells of each message.
        RAISES (QueueFull): If too much waits.
        RAISES (TimeoutError): If it takes too long.
        RAISES (WorkError): If the pipeline cannot do it.
        RAISES (WorkerDied): If a worker dies while it does it.
        """
        (results,) = await self.run_all([work])
        return results

    async def run_all(self, works: Sequence[Work]) -> list[list[Result]]:
        """Run the pipeline, as `run`, on several conversations with the same settings."""
        if self.is_full:
            raise QueueFull
        waiting = Waiting(works, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._feed()
        try:
            done: list[list[Result]] = await asyncio.wait_for(waiting.future, self.seconds)
        except asyncio.TimeoutError:  # before Python 3.11 another than Python's own
            raise TimeoutError from None
        finally:
            if waiting.future.cancelled():
                self.n_left += 1
                self._stop_unwanted()
        for results in done:
            self.observe(results)
        return done

    def close(self) -> None:
        """Let the workers end when they have done what they do."""
        for worker in self._workers:
            worker.close()

    def _stop_unwanted(self) -> None:
        """End what workers do for nobody."""
        for worker, batch in self._busy.items():
            if all(waiting.future.cancelled() for waiting in batch):
                worker.stop()

    def _feed(self) -> None:
        """Give free workers what waits."""
        while self._free and (batch := self._take()):
            worker = self._free.pop()
            try:
                submitted = worker.submit([waiting.works for waiting in batch])
            except (RuntimeError, OSError) as error:  # closed, or it cannot be started anew
                self.is_broken = True
                self._free.append(worker)
                self._settle(batch, [WorkerDied(describe_error(error))] * len(batch))
                continue
            self.is_broken = False
            self._busy[worker] = batch
            asyncio.wrap_future(submitted).add_done_callback(partial(self._finish, worker))

    def _take(self) -> list[Waiting]:
        """What is next: as much together as has the same settings and makes a batch."""
        batch: list[Waiting] = []
        n_texts = 0
        while self._waiting:
            first = self._waiting[0]
            if batch and (first.settings != batch[0].settings or n_texts + first.n_texts > BATCH):
                break
            self._waiting.popleft()
            if not first.future.done():  # else who asked has gone
                batch.append(first)
                n_texts += first.n_texts
        return batch

    def _finish(self, worker: Worker, done: asyncio.Future) -> None:
        """Take what a worker has done, and give it more."""
        batch = self._busy.pop(worker)
        self._free.append(worker)
        try:
            results = done.result()
        except BrokenProcessPool:
            results = [WorkerDied("its process has died")] * len(batch)
        except Exception as error:  # noqa: BLE001
            results = [WorkError(describe_error(error))] * len(batch)
        self._settle(batch, results)
        self._feed()

    def _settle(self, batch: Sequence[Waiting], results: Sequence[Any]) -> None:
        for waiting, result in zip(batch, results):
            if waiting.future.done():
                continue
            if isinstance(result, Exception):
                logger.error("The pipeline failed on a request: %s", result)
                waiting.future.set_exception(result)
            else:
                waiting.future.set_result(result)
