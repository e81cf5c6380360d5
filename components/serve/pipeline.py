"""Runs the pipeline for all who ask at once: a queue in front of workers, which refuses instead of growing."""

import asyncio
import gc
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, NamedTuple

from spacy.language import Language

from ..language.garbage import spare_for_good
from ..model.backend import set_threads
from ..shared.failures import describe_error
from ..shared.interruption import Stopped
from .work import BATCH, Result, Work, Worker, WorkError, do_all

logger = logging.getLogger("sv_deid_chat")

WARM_UP = "Hej, jag heter Anna Berg, 900101-2385, och bor i Lund. Ring 070-174 06 05 den 3 maj."


# A request with more characters has a worker of its own, so that no other waits for it.
LONG = 20_000


class Waiting(NamedTuple):
    """A request that waits for its turn: works with the same settings, and their results to come."""

    works: Sequence[Work]
    future: asyncio.Future

    @property
    def settings(self) -> Mapping[str, Any]:
        """RETURNS (Mapping[str, Any]): The settings of its works."""
        return self.works[0].settings if self.works else {}

    @property
    def n_texts(self) -> int:
        """RETURNS (int): Its messages."""
        return sum(len(work.texts) for work in self.works)


class Lane:
    """Requests that wait for the same workers."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self.workers = workers
        self.waiting: deque[Waiting] = deque()
        self.free = [*workers]
        # What a worker does, and since when.
        self.busy: dict[Worker, tuple[Sequence[Waiting], float]] = {}

    @property
    def n_waiting(self) -> int:
        """RETURNS (int): Requests that wait."""
        return sum(not waiting.future.done() for waiting in self.waiting)

    def get_delay(self) -> float:
        """RETURNS (float): For how many seconds no worker has taken anything; 0 if one is free."""
        if self.free:
            return 0.0
        return time.monotonic() - max(since for _, since in self.busy.values())

    def take(self) -> list[Waiting]:
        """RETURNS (list[Waiting]): The next requests that have the same settings and make a batch together."""
        batch: list[Waiting] = []
        n_texts = 0
        while self.waiting:
            first = self.waiting[0]
            if batch and (first.settings != batch[0].settings or n_texts + first.n_texts > BATCH):
                break
            self.waiting.popleft()
            if not first.future.done():  # else who asked has gone
                batch.append(first)
                n_texts += first.n_texts
        return batch


class QueueFull(RuntimeError):
    """So much waits that more is refused."""


class WorkerDied(RuntimeError):
    """The worker process crashed. Another takes its place: try again."""


class PipelineQueue:
    """Runs the pipeline in a thread of this process, or in processes that share its memory. Then one more
    process takes what is long.

    workers (int): Processes; 0: a thread.
    size (int): Requests that may wait, beside those that are being worked on: long ones, and others.
    seconds (float): How long a request may take, with its waiting.
    """

    def __init__(
        self, nlp: Language, workers: int = 0, size: int = 64, seconds: float = 60.0
    ) -> None:
        self.nlp = nlp
        self.size = size
        self.seconds = seconds
        # Whether a worker that crashed could not be restarted.
        self.is_broken = False
        # Requests that nobody waited for any longer: they took too long, or the client was gone.
        self.n_left = 0
        # Called with what became of the messages of a request, to count them.
        self.observe: Callable[[Iterable[Result]], None] = lambda results: None
        if workers:
            # A process that has run torch with several threads cannot be forked.
            set_threads(1)
        # What is read when it is first needed is read before the workers are made, so they share it.
        do_all(nlp, [Work([WARM_UP])])
        if workers:
            gc.collect()
            spare_for_good()
        self._lane = Lane([Worker(nlp, workers > 0) for _ in range(max(workers, 1))])
        self._long_lane = Lane([Worker(nlp, True)]) if workers else self._lane

    @property
    def _lanes(self) -> set[Lane]:
        return {self._lane, self._long_lane}

    @property
    def _workers(self) -> list[Worker]:
        return [worker for lane in self._lanes for worker in lane.workers]

    @property
    def n_died(self) -> int:
        """RETURNS (int): How often a worker has crashed."""
        return sum(worker.n_died for worker in self._workers)

    @property
    def n_waiting(self) -> int:
        """RETURNS (int): Requests that wait."""
        return sum(lane.n_waiting for lane in self._lanes)

    @property
    def is_ready(self) -> bool:
        """RETURNS (bool): Whether the next request, if it is not long, is most likely answered in time."""
        lane = self._lane
        is_late = lane.get_delay() > self.seconds / 2
        return not (self.is_broken or is_late or lane.n_waiting >= self.size)

    async def run(self, work: Work) -> list[Result]:
        """Run the pipeline on one work, as `run_all`."""
        (results,) = await self.run_all([work])
        return results

    async def run_all(self, works: Sequence[Work]) -> list[list[Result]]:
        """Run the pipeline on works with the same settings: for each the results of its messages.

        RAISES (QueueFull | TimeoutError | WorkError | WorkerDied): If it cannot be done, or not
            now.
        """
        n_chars = sum(len(text) for work in works for text in work.texts)
        lane = self._long_lane if n_chars > LONG else self._lane
        if lane.n_waiting >= self.size:
            raise QueueFull
        waiting = Waiting(works, asyncio.get_running_loop().create_future())
        lane.waiting.append(waiting)
        self._feed(lane)
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
        for lane in self._lanes:
            for worker, (batch, _) in lane.busy.items():
                if all(waiting.future.cancelled() for waiting in batch):
                    worker.stop()

    def _feed(self, lane: Lane) -> None:
        """Give free workers what waits."""
        while lane.free and (batch := lane.take()):
            worker = lane.free.pop()
            try:
                submitted = worker.submit([waiting.works for waiting in batch])
            except (RuntimeError, OSError) as error:  # closed, or it cannot be restarted
                self.is_broken = True
                lane.free.append(worker)
                self._settle(batch, [WorkerDied(describe_error(error))] * len(batch))
                continue
            self.is_broken = False
            lane.busy[worker] = batch, time.monotonic()
            asyncio.wrap_future(submitted).add_done_callback(partial(self._finish, lane, worker))

    def _finish(self, lane: Lane, worker: Worker, done: asyncio.Future) -> None:
        """Take what a worker has done, and give it more."""
        batch, _ = lane.busy.pop(worker)
        lane.free.append(worker)
        try:
            results = done.result()
        except BrokenProcessPool:
            results = [WorkerDied("its process crashed")] * len(batch)
        except (Exception, Stopped) as error:  # noqa: BLE001
            results = [WorkError(describe_error(error))] * len(batch)
        self._settle(batch, results)
        self._feed(lane)

    def _settle(self, batch: Sequence[Waiting], results: Sequence[Any]) -> None:
        for waiting, result in zip(batch, results):
            if waiting.future.done():
                continue
            if isinstance(result, Exception):
                logger.error("The pipeline failed on a request: %s", result)
                waiting.future.set_exception(result)
            else:
                waiting.future.set_result(result)
