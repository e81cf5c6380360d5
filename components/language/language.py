"""The pipeline itself: every message comes out again, and nothing of it stays in the pipeline."""

import multiprocessing
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from spacy import util
from spacy.lang.sv import Swedish
from spacy.language import Language
from spacy.tokens import Doc
from spacy.ty import ListenedToComponent
from spacy.util import SimpleFrozenList, registry
from thinc.api import Config

from ..model.evidence import EvidenceReader
from ..model.phi_ner import PhiNer
from ..shared.choices import check_choice
from ..shared.failures import SetupError, is_masked, mark_failed
from ..shared.find_pipes import get_encoder_names, get_names
from ..shared.interruption import check_interruption
from ..shared.labels import PHI_KEY
from ..text import message, sections
from ..text.cleaning.clean import DEFAULT_STEPS, parse_steps
from ..text.extensions import check_extensions
from ..text.hits import write_hits
from ..text.languages import is_foreign
from ..text.message import get_language, get_length
from .garbage import spare_old_objects
from .processes import (
    Marks,
    ProcessError,
    get_marks,
    is_plain,
    only_mark,
    pack,
    run_processes,
    set_marks,
    unpack,
)

POLICIES = ("flag", "rules", "mask", "reject")
# What the threshold of the `phi_ner` is multiplied by for a foreign message.
FOREIGN_FACTOR = 0.01


def apply_policy(doc: Doc, policy: str) -> bool:
    """Deal with a message in another language than Swedish, Norwegian, Danish or English, before the
    pipes read it. The policies:

    - flag: read with a far lower threshold (`doc._.threshold_factor`), since the model finds less
      in a language that it has not learnt. Who calls tells of `doc._.language` in the output.
    - rules: read by rules, lists and what is known alone, not by the model.
    - mask: not read. `doc._.withheld` says why, and the `surrogate_generator` masks the text whole.
    - reject: the same. Who calls leaves out what has `doc._.withheld`.

    RETURNS (bool): Whether the model is not to read it.
    """
    language = get_language(doc)
    if not is_foreign(language):
        return False
    if policy == "flag":
        doc._.threshold_factor = FOREIGN_FACTOR
    elif policy != "rules":
        doc._.withheld = f"language ({language})"
    return policy == "rules"


# A longer text is no message: it is masked whole.
MAX_LENGTH = 20_000_000
# Characters in a batch, however few messages that is.
MAX_BATCH = 100_000
HALF_PAIR = re.compile("[\ud800-\udfff]")
REPLACEMENT = "\ufffd"  # Unicode's sign for what cannot be read

CLEAN = ",".join(DEFAULT_STEPS)

Settings = Mapping[str, Mapping[str, Any]]


@registry.callbacks("sv_deid_chat.ChatLanguage.v1")
def configure_chat_language(
    clean: str = CLEAN, foreign: str = POLICIES[0]
) -> Callable[[Language], Language]:
    """Configure a callback for `[nlp.after_creation]` that makes a `ChatLanguage`."""

    def make_chat_language(nlp: Language) -> Language:
        made = ChatLanguage(
            nlp.vocab,
            max_length=MAX_LENGTH,
            meta=nlp._meta,
            create_tokenizer=lambda _: nlp.tokenizer,
            batch_size=nlp.batch_size,
        )
        made.clean = clean
        made.foreign = foreign
        return made

    return make_chat_language


class ChatLanguage(Swedish):
    """A pipeline that can be left alone with a stream of messages.

    - Any string is a message. Half a surrogate pair becomes the sign for what cannot be read, in its
      place. A long message is read in overlapping sections.
    - Markup and the like is cleaned away before a text is read (`clean`), and a message in another
      language is dealt with by a policy (`foreign`). Both may be set on the loaded pipeline. The doc is
      that of the original: so are all offsets.
    - A message that a pipe fails on is given out all the same, with the pipe in `doc._.failed`; the
      `surrogate_generator` masks it whole. Only a pipeline that is set up wrongly stops the stream.
    - `pipe(…, n_process=2)` works however processes are started, and whatever ran before.
    - What is saved, or pickled, holds no word of any message.
    """

    _clean: tuple[str, ...] = DEFAULT_STEPS
    _foreign = POLICIES[0]

    @property
    def clean(self) -> str:
        """What is cleaned away before reading: steps with commas between them, "all" or "none"."""
        return ",".join(self._clean) or "none"

    @clean.setter
    def clean(self, steps: str) -> None:
        self._clean = parse_steps(steps)
        self._configure("clean", self.clean)

    @property
    def foreign(self) -> str:
        """What is done with messages in other languages: flag, rules, mask or reject."""
        return self._foreign

    @foreign.setter
    def foreign(self, policy: str) -> None:
        self._foreign = check_choice("foreign", policy, POLICIES)
        self._configure("foreign", policy)

    def _configure(self, name: str, value: str) -> None:
        """Keep an option for what is saved or pickled."""
        callback = self._config["nlp"].get("after_creation")
        if callback:
            callback[name] = value

    def _read_options(self) -> None:
        callback = self._config["nlp"].get("after_creation") or {}
        self.clean = callback.get("clean", CLEAN)
        self.foreign = callback.get("foreign", POLICIES[0])

    def _ensure_doc(self, doc_like: Any) -> Doc:
        return doc_like if isinstance(doc_like, Doc) else self.make_doc(doc_like)

    def make_doc(self, text: str) -> Doc:
        """Tokenize a string; a TypeError says what to do with anything else."""
        if not isinstance(text, str):
            raise TypeError(
                f"A message must be a string, not {type(text).__name__}. Where there is none (None, "
                "NaN), leave the message out, or give an empty string."
            )
        text = HALF_PAIR.sub(REPLACEMENT, text)
        if len(text) > self.max_length:
            doc = Doc(self.vocab, words=[text], spaces=[False])
            doc._.failed = f"tokenizer (longer than {self.max_length} characters)"
            return doc
        return message.make_doc(self.tokenizer, text, self._clean)

    def __call__(
        self,
        text: str | Doc,
        *,
        disable: Iterable[str] = SimpleFrozenList(),
        component_cfg: Settings | None = None,
    ) -> Doc:
        """Apply the pipeline to a message."""
        check_extensions()
        doc = self._ensure_doc(text)
        pipes = [(name, pipe) for name, pipe in self.pipeline if name not in disable]
        if get_length(doc):
            _check_model(pipes)
        settings = component_cfg or {}
        reading, writing = self._split(pipes)
        own, left_out = self._prepare(doc)
        if not is_masked(doc):
            reading = [(name, pipe) for name, pipe in reading if name not in left_out]
            if get_length(own) > sections.SIZE:
                self._read_sections(own, reading, settings)
                read = own
            else:
                read = _run(own, reading, settings)
            doc = _close(own, read, doc)
        return _run(doc, writing, settings)

    def _split(
        self, pipes: Sequence[tuple[str, Callable]]
    ) -> tuple[list[tuple[str, Callable]], list[tuple[str, Callable]]]:
        """The pipes that find, and those from the `surrogate_generator` on."""
        n_before = next(
            (i for i, (_, pipe) in enumerate(pipes) if getattr(pipe, "takes_failed", False)),
            len(pipes),
        )
        return [*pipes[:n_before]], [*pipes[n_before:]]

    def _prepare(self, doc: Doc) -> tuple[Doc, Sequence[str]]:
        """What the pipes read of a message, and the names of those that are not to read it."""
        if is_masked(doc):
            return doc, ()
        try:
            message.read_message(doc, self._clean)
            only_rules = apply_policy(doc, self._foreign)
            # Behind the policy, which sets what is copied to the doc that is read.
            own = message.open_doc(doc, self._clean)
        except Exception as error:  # noqa: BLE001
            mark_failed(doc, "cleaning", error)
            return doc, ()
        if only_rules:
            # That the model has found nothing is meant: the surrogate_generator asks for it.
            write_hits(own, PHI_KEY, ())
        model = (*get_encoder_names(self), *get_names(self, PhiNer)) if only_rules else ()
        return own, model

    def _read_sections(
        self, doc: Doc, pipes: Sequence[tuple[str, Callable]], settings: Settings
    ) -> None:
        parts = []
        for section in sections.get_sections(doc.text):
            check_interruption()
            part = self.tokenizer(doc.text[section.start : section.end])
            part._.conversation_id, part._.known = doc._.conversation_id, doc._.known
            part._.threshold_factor = doc._.threshold_factor
            parts.append((section, _run(part, pipes, settings)))
            doc._.failed = doc._.failed or part._.failed
            part.tensor = part._.evidence = None  # type: ignore[assignment]
        sections.merge_sections(doc, parts)

    def pipe(  # type: ignore[override]
        self,
        texts: Iterable[Any],
        *,
        as_tuples: bool = False,
        batch_size: int | None = None,
        disable: Iterable[str] = SimpleFrozenList(),
        component_cfg: Settings | None = None,
        n_process: int = 1,
    ) -> Iterator[Any]:
        """Apply the pipeline to a stream of messages.

        texts (Iterable[str | Doc]): The messages; with `as_tuples` pairs of one and what
            belongs to it. The other arguments are those of spaCy's `Language.pipe`.
        YIELDS (Doc | tuple[Doc, Any]): The documents in order, or pairs.
        """
        options: dict[str, Any] = {"disable": list(disable), "component_cfg": component_cfg}
        if as_tuples:
            yield from super().pipe(
                texts, as_tuples=True, batch_size=batch_size, n_process=n_process, **options
            )
            return
        docs = (self._ensure_doc(text) for text in texts)
        batches = _make_batches(docs, batch_size or self.batch_size)
        if n_process == 1:
            with spare_old_objects():
                for batch in batches:
                    yield from self._pipe_batch(batch, **options)
        else:
            n_process = multiprocessing.cpu_count() if n_process == -1 else n_process
            yield from self._pipe_processes(batches, n_process, options)

    def _pipe_batch(self, docs: Sequence[Doc], disable: list[str], component_cfg: Any) -> list[Doc]:
        check_extensions()
        if any(map(get_length, docs)):
            _check_model([(name, pipe) for name, pipe in self.pipeline if name not in disable])
        reading, writing = ([name for name, _ in some] for some in self._split(self.pipeline))
        ready = [self._prepare(doc) for doc in docs]
        short = [
            i
            for i, (own, _) in enumerate(ready)
            if get_length(own) <= sections.SIZE and not is_masked(docs[i])
        ]
        done: dict[int, Doc] = {}

        def run(some: Sequence[Doc], left_out: Iterable[str]) -> Iterator[Doc]:
            return super(ChatLanguage, self).pipe(
                some,
                batch_size=max(1, len(some)),
                disable=[*disable, *left_out],
                component_cfg=dict(component_cfg or {}),
            )

        try:
            for left_out in {left_out for _, left_out in ready}:
                some = [i for i in short if ready[i][1] == left_out]
                found = run([ready[i][0] for i in some], [*writing, *left_out])
                for i, read in zip(some, found):
                    done[i] = _close(ready[i][0], read, docs[i])
            done.update(zip(short, run([done[i] for i in short], reading)))
        except SetupError:
            raise
        except Exception:  # noqa: BLE001
            # One of them failed the batch: each goes its own way.
            done.clear()
        rest = (i for i in range(len(docs)) if i not in done)
        done.update((i, self(docs[i], disable=disable, component_cfg=component_cfg)) for i in rest)
        return [done[i] for i in range(len(docs))]

    def _pipe_processes(
        self, batches: Iterable[list[Doc]], n_process: int, options: dict[str, Any]
    ) -> Iterator[Doc]:
        if self._has_gpu_model(options["disable"]):
            raise ValueError("The pipeline is on a GPU, which processes cannot share: n_process=1.")
        names = [name for name in self.pipe_names if name not in options["disable"]]
        light = only_mark(self, names)
        tasks = (
            (
                batch,
                [pack(doc) if light and is_plain(doc) else doc.to_bytes() for doc in batch],
            )
            for batch in batches
        )
        try:
            for batch, done in run_processes(self, partial(_make_work, options), tasks, n_process):
                for doc, data in zip(batch, done):
                    if isinstance(data, Marks):
                        set_marks(doc, data)
                        yield doc
                    else:
                        result = Doc(self.vocab).from_bytes(data)
                        result._context = doc._context
                        yield result
        except ProcessError as error:
            raise ProcessError(
                f"{error} In a script, start it under `if __name__ == '__main__':`."
            ) from None

    # Serialisation. The vocabulary grows with each word of each message, and is none of it.

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = SimpleFrozenList()) -> None:
        """Save the pipeline, without the words that it has met."""
        super().to_disk(path, exclude=[*exclude, "strings"])

    def from_disk(
        self,
        path: str | Path,
        *,
        exclude: Iterable[str] = SimpleFrozenList(),
        overrides: Mapping[str, Any] = util.SimpleFrozenDict(),
    ) -> "ChatLanguage":
        """Load the pipeline from a folder. What `overrides` asks for beats what a pipe saved."""
        asked = {tuple(key.split(".")[1:3]) for key in overrides if key.startswith("components.")}
        wanted = {
            (name, setting): getattr(self.get_pipe(name), setting)
            for name, setting in asked
            if name in self.component_names and hasattr(self.get_pipe(name), setting)
        }
        super().from_disk(path, exclude=[*exclude, "strings"], overrides=dict(overrides))
        for (name, setting), value in wanted.items():
            _set(self.get_pipe(name), name, setting, value)
        self._read_options()
        return self

    def to_bytes(self, *, exclude: Iterable[str] = SimpleFrozenList()) -> bytes:
        """Serialise the pipeline, without the words that it has met."""
        return super().to_bytes(exclude=[*exclude, "strings"])

    def from_bytes(
        self, bytes_data: bytes, *, exclude: Iterable[str] = SimpleFrozenList()
    ) -> "ChatLanguage":
        """Load what `to_bytes` gave."""
        super().from_bytes(bytes_data, exclude=[*exclude, "strings"])
        self._read_options()
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.config.to_str(interpolate=False), self.to_bytes())


def _set(pipe: Any, name: str, setting: str, value: Any) -> None:
    has = getattr(pipe, setting)
    if has == value:
        return
    try:
        setattr(pipe, setting, value)
    except AttributeError:
        raise ValueError(
            f"The pipe {name!r} was trained with {setting} = {has!r}, which cannot be changed any "
            "more. Take it out of the config that you give to spacy.load."
        ) from None


def _check_model(pipes: Sequence[tuple[str, Any]]) -> None:
    """RAISES (SetupError): If the model would read what no pipe writes."""
    for name, pipe in pipes:
        if isinstance(pipe, PhiNer):
            needed = {"evidence_reader": EvidenceReader, "transformer": ListenedToComponent}
            for other, class_ in needed.items():
                is_there = any(isinstance(each, class_) for _, each in pipes)
                if not is_there and (class_ is EvidenceReader or _listens(pipe)):
                    raise SetupError(
                        f"The pipe {name!r} reads what the pipe {other!r} writes, which is excluded or "
                        f"disabled. Leave it in; or, to find by rules and lists alone, leave out "
                        f"{name!r}, too."
                    )


def _listens(pipe: PhiNer) -> bool:
    """RETURNS (bool): Whether its model reads the vectors of another pipe."""
    return any(hasattr(node, "upstream_name") for node in pipe.model.walk())


def _unpickle(config: str, data: bytes) -> Language:
    nlp = util.load_model_from_config(Config().from_str(config, interpolate=False), auto_fill=True)
    return nlp.from_bytes(data)


def _close(own: Doc, read: Doc, doc: Doc) -> Doc:
    """Write to a message what was found in what the pipes read of it."""
    if own is doc:
        return read
    message.close_doc(read, doc)
    return doc


def _run(doc: Doc, pipes: Iterable[tuple[str, Callable]], settings: Settings) -> Doc:
    """Apply pipes to a document. After one that fails, only those that take failed ones."""
    for name, pipe in pipes:
        if doc._.failed is not None and not getattr(pipe, "takes_failed", False):
            continue
        try:
            doc = pipe(doc, **settings.get(name, {}))
        except SetupError:
            raise
        except Exception as error:  # noqa: BLE001
            mark_failed(doc, name, error)
    return doc


def _make_batches(docs: Iterable[Doc], size: int) -> Iterator[list[Doc]]:
    batch: list[Doc] = []
    n_chars = 0
    for doc in docs:
        length = get_length(doc)
        n_chars += length
        if batch and (len(batch) >= size or n_chars > MAX_BATCH):
            yield batch
            batch, n_chars = [], length
        batch.append(doc)
    if batch:
        yield batch


def _make_work(options: dict[str, Any], nlp: Language) -> Callable[[Any], Any]:
    """What a process does with a batch of documents."""

    def work(data: Sequence[bytes | Marks]) -> list[bytes | Marks]:
        with nlp.memory_zone():
            docs = [
                Doc(nlp.vocab).from_bytes(item)
                if isinstance(item, bytes)
                else unpack(nlp.vocab, item)
                for item in data
            ]
            done = nlp.pipe(docs, batch_size=len(docs), **options)
            return [
                doc.to_bytes() if isinstance(item, bytes) else get_marks(doc)
                for item, doc in zip(data, done)
            ]

    return work
