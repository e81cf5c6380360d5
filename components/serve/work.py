"""Work for the pipeline, its results, and what does it: a thread, or a process."""

import os
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from ctypes import c_bool
from functools import partial
from multiprocessing.sharedctypes import RawValue
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from ..conversations.configuration import configured
from ..conversations.conversation import make_docs, process
from ..language.garbage import spare_old_objects
from ..language.processes import do_work, make_pool
from ..shared.failures import describe_error, is_masked
from ..shared.interruption import Stopped, interruptible
from ..shared.labels import DOUBTED_KEY, VETOES_KEY
from ..text.hits import iter_hits
from ..text.languages import is_foreign
from ..text.message import get_language

# The result of a message, as `describe` gives it.
Result = dict[str, Any]
# Raises Stopped where the work is to end.
Check = Callable[[], None]

# Messages that are read together.
BATCH = 64


class Work(NamedTuple):
    """Messages for the pipeline.

    known (Any): What is known of the participants (`read_known`).
    settings (Mapping[str, Any]): Settings, as `configure` takes them. A string is the name of a file for some of
        them: let no client name one.
    """

    texts: Sequence[str]
    conversation: str = ""
    known: Any = None
    settings: Mapping[str, Any] = {}


class WorkError(RuntimeError):
    """The pipeline could not do it. It quotes nothing."""


def do_requests(
    nlp: Language, check: Check, requests: Sequence[Sequence[Work]]
) -> list[list[list[Result]] | WorkError]:
    """Run several requests with the same settings at once: each gets its results or its error."""
    try:
        done = iter(do_all(nlp, [work for request in requests for work in request], check))
        return [[next(done) for _ in request] for request in requests]
    except Exception as error:  # noqa: BLE001
        if len(requests) == 1:
            return [WorkError(describe_error(error))]
        # One of them is to blame, and the others must not suffer for it.
        return [result for request in requests for result in do_requests(nlp, check, [request])]


def do_all(nlp: Language, works: Sequence[Work], check: Check = lambda: None) -> list[list[Result]]:
    """Run works with the same settings: for each the results of its messages."""
    if not works:
        return []
    # The words of a zone's texts leave the vocabulary after it: memory stays constant.
    settings = configured(nlp, works[0].settings)
    with interruptible(check), settings, nlp.memory_zone(), spare_old_objects():
        made = [_make_conversations(nlp, work) for work in works]
        docs = [each for conversations in made for each in conversations]
        done = process(nlp, docs, BATCH)
        return [
            [describe(doc) for _ in conversations for doc in next(done)] for conversations in made
        ]


def _make_conversations(nlp: Language, work: Work) -> list[list[Doc]]:
    """The documents of a conversation, or of as many as there are messages that stand alone."""
    if work.conversation:
        return [make_docs(nlp, work.texts, conversation_id=work.conversation, known=work.known)]
    return [make_docs(nlp, [text], known=work.known) for text in work.texts]


def describe(doc: Doc) -> Result:
    """Describe what became of a message, as JSON.

    RETURNS (Result): `text`: the de-identified text. `replacements`: those of `doc._.replacements`. `spans`: what
        was found, each with start, end, label, source, score, trace. `doubted`: what was found and dropped, each
        with start, end, label, score, rule; and what a pattern says is of no class, with the label "".
        `language`: that of a message in another than Swedish, else empty. `failed`: why the message is masked
        whole; empty if it is not.
    """
    failed = str(doc._.failed or doc._.withheld) if is_masked(doc) else ""
    language = get_language(doc)
    # A message that is masked whole tells of nothing in it.
    ents = () if failed else doc.ents
    vetoes = ((span, 0.0) for span in doc.spans.get(VETOES_KEY, ()))
    doubted = () if failed else (*iter_hits(doc, DOUBTED_KEY), *vetoes)
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
        "language": language if is_foreign(language) else "",
        "failed": failed,
    }


def _place(span: Any) -> dict[str, Any]:
    return {"start": span.start_char, "end": span.end_char, "label": span.label_}


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
