"""Runs the pipeline for all who ask at once: a queue in front of workers, which refuses instead of growing."""

import asyncio
import gc
import multiprocessing
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any, NamedTuple

import torch
from spacy.language import Language
from spacy.tokens import Doc

from ..failures import describe_error, is_masked
from ..hits import iter_hits
from ..labels import DOUBTED_KEY
from ..languages import is_foreign
from ..messages.configuration import configured
from ..messages.conversation import make_docs, process
from ..messages.garbage import spare_old_objects
from ..messages.processes import do_work, make_pool
from ..reading.cleaned_doc import get_language

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
        self.size = size
        self.seconds = seconds
        self.is_broken = False
        self._waiting: deque[tuple[Work, asyncio.Future]] = deque()
        # What is read when it is first needed is read before the workers are made, so they share it.
        do_all(nlp, [Work([WARM_UP])])
        self._executor, self._do = _start(nlp, workers)
        self._n_free = max(workers, 1)

    @property
    def n_waiting(self) -> int:
        """RETURNS (int): Requests that wait."""
        return len(self._waiting)

    async def run(self, work: Work) -> list[dict[str, Any]]:
        """Run the pipeline.

        work (Work): What is asked.
        RETURNS (list[dict[str, Any]]): What `describe` tells of each message.
        RAISES (QueueFull): If too much waits.
        RAISES (TimeoutError): If it takes too long.
        RAISES (WorkError): If the pipeline cannot do it.
        """
        if len(self._waiting) >= self.size:
            raise QueueFull
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((work, future))
        self._feed()
        try:
            return await asyncio.wait_for(future, self.seconds)
        except asyncio.TimeoutError:  # before Python 3.11 another than Python's own
            raise TimeoutError from None

    def close(self) -> None:
        """Let the workers end when they have done what they do."""
        self._executor.shutdown(cancel_futures=True)

    def _feed(self) -> None:
        """Give free workers what waits: as much together as has the same settings and makes a batch."""
        while self._n_free and self._waiting:
            batch: list[tuple[Work, asyncio.Future]] = []
            n_texts = 0
            while self._waiting:
                work, future = self._waiting[0]
                if batch and (work.settings != batch[0][0].settings or n_texts >= BATCH):
                    break
                self._waiting.popleft()
                if not future.done():  # else who asked has gone
                    batch.append((work, future))
                    n_texts += len(work.texts)
            if batch:
                self._n_free -= 1
                done = asyncio.wrap_future(
                    self._executor.submit(self._do, [work for work, _ in batch])
                )
                done.add_done_callback(partial(self._settle, [future for _, future in batch]))

    def _settle(self, futures: Sequence[asyncio.Future], done: asyncio.Future) -> None:
        self._n_free += 1
        try:
            results: Sequence[Any] = done.result()
        except BaseException as error:  # noqa: BLE001
            self.is_broken = self.is_broken or isinstance(error, BrokenProcessPool)
            results = [describe_error(error)] * len(futures)
        for future, result in zip(futures, results):
            if future.done():
                continue
            if isinstance(result, str):
                future.set_exception(WorkError(result))
            else:
                future.set_result(result)
        if not self.is_broken:
            self._feed()


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


def make_work(nlp: Language) -> Callable[[Sequence[Work]], list[Any]]:
    """RETURNS (Callable[[Sequence[Work]], list[Any]]): `do_all` with a pipeline."""
    return partial(do_all, nlp)


def do_all(nlp: Language, works: Sequence[Work]) -> list[list[dict[str, Any]] | str]:
    """Run the pipeline on what several have asked.

    nlp (Language): The pipeline.
    works (Sequence[Work]): What is asked, all with the same settings.
    RETURNS (list[list[dict[str, Any]] | str]): For each what `describe` tells of its messages, or why it
        cannot be done.
    """
    if not works:
        return []
    # What a zone's texts bring to the vocabulary is gone after it: memory stays constant.
    with configured(nlp, works[0].settings), nlp.memory_zone(), spare_old_objects():
        conversations = [conversation for work in works for conversation in _make(nlp, work)]
        done = process(nlp, conversations, BATCH)
        return [
            [
                describe(doc)
                for _ in (work.texts if not work.conversation else [None])
                for doc in next(done)
            ]
            for work in works
        ]


def _make(nlp: Language, work: Work) -> list[list[Doc]]:
    """The documents of each conversation."""
    if work.conversation:
        return [make_docs(nlp, work.texts, conversation_id=work.conversation, known=work.known)]
    return [make_docs(nlp, [text], known=work.known) for text in work.texts]


def describe(doc: Doc) -> dict[str, Any]:
    """Tell what became of a message, as JSON knows it.

    doc (Doc): A doc that the pipeline has processed.
    RETURNS (dict[str, Any]): `text`: what comes out. `replacements`: what stands where, as in
        `doc._.replacements`. `spans`: what was found, each with start, end, label, source, score, trace.
        `doubted`: what was found and dropped, each with start, end, label, score, rule. `language`:
        that of a message in another than Swedish, else empty. `failed`: why the message is masked whole; empty if it is not.
    """
    failed = str(doc._.failed or doc._.withheld) if is_masked(doc) else ""
    language = get_language(doc)
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
            for ent in doc.ents
        ]
        if not failed
        else [],
        "doubted": [
            {**_place(span), "score": float(score), "rule": span.id_}
            for span, score in iter_hits(doc, DOUBTED_KEY)
        ]
        if not failed
        else [],
        "language": language if is_foreign(language) else "",
        "failed": failed,
    }


def _place(span: Any) -> dict[str, Any]:
    return {"start": span.start_char, "end": span.end_char, "label": span.label_}
