"""Runs the pipeline for all who ask at once: a queue in front of workers, which refuses instead of growing."""

import asyncio
import gc
import logging
import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, NamedTuple

import torch
from spacy.language import Language
from spacy.tokens import Doc

from ..failures import describe_error, is_masked
from ..hits import iter_hits
from ..labels import DOUBTED_KEY, VETOES_KEY
from ..languages import is_foreign
from ..messages.configuration import configured
from ..messages.conversation import make_docs, process
from ..messages.garbage import spare_old_objects
from ..messages.processes import do_work, make_pool
from ..reading.cleaned_doc import get_language

# What is told of a message (`describe`).
Result = dict[str, Any]

logger = logging.getLogger("sv_deid_chat")

# Messages that are read together.
BATCH = 64
WARM_UP = "Hej, jag heter Anna Berg, 900101-2385, och bor i Lund. Ring 070-174 06 05 den 3 maj."


class Work(NamedTuple):
    """What is asked of the pipeline.

    texts (Sequence[str]): The messages.
    conversation (str): The id of the conversation that they are; empty: each stands alone.
    known (Any): What is known of the participants (`read_known`).
    settings (Mapping[str, Any]): What is set for it (`components.messages.configuration.SETTINGS`). A
        string is the name of a file for some of them: let no client name one.
    """

    texts: Sequence[str]
    conversation: str = ""
    known: Any = None
    settings: Mapping[str, Any] = {}


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


class WorkError(RuntimeError):
    """The pipeline could not do it. It quotes nothing."""


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
        self.is_broken = False
        # Called with what became of the messages of a request, to count them.
        self.observe: Callable[[Iterable[Result]], None] = lambda results: None
        self._waiting: deque[Waiting] = deque()
        # What is read when it is first needed is read before the workers are made, so they share it.
        do_all(nlp, [Work([WARM_UP])])
        self._executor, self._do = _start(nlp, workers)
        self._n_free = max(workers, 1)

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
        for results in done:
            self.observe(results)
        return done

    def close(self) -> None:
        """Let the workers end when they have done what they do."""
        self._executor.shutdown(cancel_futures=True)

    def _feed(self) -> None:
        """Give free workers what waits: as much together as has the same settings and makes a batch."""
        while self._n_free and self._waiting:
            batch: list[Waiting] = []
            n_texts = 0
            while self._waiting:
                first = self._waiting[0]
                if batch and (
                    first.settings != batch[0].settings or n_texts + first.n_texts > BATCH
                ):
                    break
                self._waiting.popleft()
                if not first.future.done():  # else who asked has gone
                    batch.append(first)
                    n_texts += first.n_texts
            if batch:
                self._n_free -= 1
                works = [waiting.works for waiting in batch]
                try:
                    submitted = self._executor.submit(self._do, works)
                except RuntimeError as error:  # broken, or closed
                    self._settle(batch, error)
                    continue
                done = asyncio.wrap_future(submitted)
                done.add_done_callback(partial(self._finish, batch))

    def _finish(self, batch: Sequence[Waiting], done: asyncio.Future) -> None:
        """Take what a worker has done, and give it more."""
        try:
            self._settle(batch, done.result())
        except Exception as error:  # noqa: BLE001
            self._settle(batch, error)
        self._feed()

    def _settle(self, batch: Sequence[Waiting], done: Sequence[Any] | Exception) -> None:
        self._n_free += 1
        if isinstance(done, Exception):
            self.is_broken = self.is_broken or isinstance(done, BrokenProcessPool)
            done = [describe_error(done)] * len(batch)
        for waiting, result in zip(batch, done):
            if isinstance(result, str):
                logger.error("The pipeline failed on a request: %s", result)
            if waiting.future.done():
                continue
            if isinstance(result, str):
                waiting.future.set_exception(WorkError(result))
            else:
                waiting.future.set_result(result)


def _start(nlp: Language, workers: int) -> tuple[Executor, Callable[[Any], Any]]:
    if not workers:
        return ThreadPoolExecutor(1), make_work(nlp)
    # A process that has run torch with several threads cannot be forked.
    torch.set_num_threads(1)
    # Forked, the processes share the memory of this one; where that is not known, each has a copy.
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else None
    gc.collect()
    gc.freeze()
    pool = make_pool(nlp, make_work, workers, method=method)
    # All of them start with the first task: now, while this process has no other threads.
    pool.submit(do_work, []).result()
    return pool, do_work


def make_work(nlp: Language) -> Callable[[Sequence[Sequence[Work]]], list[Any]]:
    """RETURNS (Callable[[Sequence[Sequence[Work]]], list[Any]]): `do_requests` with a pipeline."""
    return partial(do_requests, nlp)


def do_requests(
    nlp: Language, requests: Sequence[Sequence[Work]]
) -> list[list[list[Result]] | str]:
    """Run the pipeline on several requests at once.

    nlp (Language): The pipeline.
    requests (Sequence[Sequence[Work]]): What is asked, all with the same settings.
    RETURNS (list[list[list[Result]] | str]): What `do_all` tells of each request, or why it cannot be done.
    """
    try:
        done = iter(do_all(nlp, [work for request in requests for work in request]))
        return [[next(done) for _ in request] for request in requests]
    except Exception as error:  # noqa: BLE001
        if len(requests) == 1:
            return [describe_error(error)]
        # One of them is to blame, and the others are not to suffer for it.
        return [result for request in requests for result in do_requests(nlp, [request])]


def do_all(nlp: Language, works: Sequence[Work]) -> list[list[Result]]:
    """Run the pipeline.

    nlp (Language): The pipeline.
    works (Sequence[Work]): What is asked, all with the same settings.
    RETURNS (list[list[Result]]): For each what `describe` tells of its messages.
    """
    if not works:
        return []
    # What a zone's texts bring to the vocabulary is gone after it: memory stays constant.
    with configured(nlp, works[0].settings), nlp.memory_zone(), spare_old_objects():
        made = [_make_conversations(nlp, work) for work in works]
        done = process(nlp, [docs for conversations in made for docs in conversations], BATCH)
        return [
            [describe(doc) for _ in conversations for doc in next(done)] for conversations in made
        ]


def _make_conversations(nlp: Language, work: Work) -> list[list[Doc]]:
    """The documents of a conversation, or of as many as there are messages that stand alone."""
    if work.conversation:
        return [make_docs(nlp, work.texts, conversation_id=work.conversation, known=work.known)]
    return [make_docs(nlp, [text], known=work.known) for text in work.texts]


def describe(doc: Doc) -> Result:
    """Tell what became of a message, as JSON knows it.

    doc (Doc): A doc that the pipeline has processed.
    RETURNS (Result): `text`: what comes out. `replacements`: what stands where, as in
        `doc._.replacements`. `spans`: what was found, each with start, end, label, source, score, trace.
        `doubted`: what was found and dropped, each with start, end, label, score, rule. `vetoes`: what a
        pattern says is of no class, each with start, end, rule. `language`:
        that of a message in another than Swedish, else empty. `failed`: why the message is masked whole; empty if it is not.
    """
    failed = str(doc._.failed or doc._.withheld) if is_masked(doc) else ""
    language = get_language(doc)
    # A message that is masked whole tells of nothing in it.
    ents = () if failed else doc.ents
    doubted = () if failed else iter_hits(doc, DOUBTED_KEY)
    vetoes = () if failed else doc.spans.get(VETOES_KEY, ())
    return {
        "text": doc._.deidentified,
        "replacements": [dict(entry) for entry in doc._.replacements],
        "spans": [
            {
                **_place(ent),
                "source": ent._.source,
                "score": float(ent._.score),
                "trace": [dict(step) for step in ent._.trace],
            }
            for ent in ents
        ],
        "doubted": [
            {**_place(span), "score": float(score), "rule": span.id_} for span, score in doubted
        ],
        "vetoes": [
            {"start": span.start_char, "end": span.end_char, "rule": span.id_} for span in vetoes
        ],
        "language": language if is_foreign(language) else "",
        "failed": failed,
    }


def _place(span: Any) -> dict[str, Any]:
    return {"start": span.start_char, "end": span.end_char, "label": span.label_}
