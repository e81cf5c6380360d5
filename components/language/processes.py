"""Processes that share the work on messages, and how documents travel between them. spaCy's own bytes
take longer than the whole pipeline; here only what its pipes read and write travels.
"""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup
from spacy.vocab import Vocab

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


# Pipes that write nothing but spans, entities, extension attributes and vectors.
KNOWN = (
    "known_matcher",
    "phi_entity_ruler",
    "gazetteer_matcher",
    "evidence_reader",
    "chat_encoder",
    "phi_ner",
    "span_merger",
    "custom_ruler",
    "surrogate_generator",
    "doc_cleaner",
)
ANNOTATIONS = ("SENT_START", "TAG", "POS", "MORPH", "LEMMA", "DEP")

# Tokens, label, knowledge base id, id.
Row = tuple[int, int, str, str, str]


class Marks(NamedTuple):
    """What pipes write, and on the way to them the tokens.

    groups (dict[str, tuple[list[Row], dict]]): The spans and the attributes of each group.
    ents (list[Row] | None): The entities, None where nobody has looked for any.
    tensor (Any): The vectors, None where they were cleaned away.
    words (list[str]), spaces (list[bool]): Tokens without annotation.
    """

    groups: dict[str, tuple[list[Row], dict[str, Any]]]
    ents: list[Row] | None
    user_data: dict[Any, Any]
    tensor: Any
    words: Sequence[str] = ()
    spaces: Sequence[bool] = ()


def only_mark(nlp: Language, names: Iterable[str]) -> bool:
    """Whether all that they write is what `Marks` hold."""
    return all(nlp.get_pipe_meta(name).factory in KNOWN for name in names)


def is_plain(doc: Doc) -> bool:
    """Whether no token is annotated. For very few tokens spaCy claims annotations."""
    names = ANNOTATIONS if len(doc) > 1 else ANNOTATIONS[1:] if len(doc) else ()
    return not any(doc.has_annotation(name) for name in names)


def pack(doc: Doc) -> Marks:
    """What makes a document again whose tokens have no annotation."""
    words, spaces = [t.text for t in doc], [bool(t.whitespace_) for t in doc]
    return get_marks(doc)._replace(words=words, spaces=spaces)


def unpack(vocab: Vocab, marks: Marks) -> Doc:
    """The document."""
    doc = Doc(vocab, words=[*marks.words], spaces=[*marks.spaces])
    set_marks(doc, marks)
    return doc


def get_marks(doc: Doc) -> Marks:
    """What pipes have written to it."""
    groups = {
        key: ([_get_row(span) for span in group], dict(group.attrs))
        for key, group in doc.spans.items()
    }
    ents = [_get_row(ent) for ent in doc.ents] if doc.has_annotation("ENT_IOB") else None
    return Marks(groups, ents, dict(doc.user_data), doc.tensor)


def set_marks(doc: Doc, marks: Marks) -> None:
    """Write to a document what pipes have written to the same one elsewhere."""
    doc.spans.clear()
    for key, (rows, attrs) in marks.groups.items():
        spans = [_make_span(doc, row) for row in rows]
        doc.spans[key] = SpanGroup(doc, name=key, spans=spans, attrs=attrs)
    if marks.ents is not None:
        doc.ents = [_make_span(doc, row) for row in marks.ents]
    doc.user_data = dict(marks.user_data)
    doc.tensor = marks.tensor


def _get_row(span: Span) -> Row:
    return span.start, span.end, span.label_, span.kb_id_, span.id_


def _make_span(doc: Doc, row: Row) -> Span:
    start, end, label, kb_id, id = row
    return Span(doc, start, end, label=label, kb_id=kb_id, span_id=id)
