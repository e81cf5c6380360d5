"""De-identification of whole conversations: what is found in one message is found in all."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span

from ..custom.custom_ruler import CustomRuler
from ..known.form_finders import CompoundFinder, InitialsFinder
from ..known.known_matcher import KnownMatcher, find_values, group_known, is_informative, read_known
from ..known.value_finder import ValueFinder
from ..known.words import get_words
from ..language.garbage import spare_old_objects
from ..language.language import ChatLanguage
from ..lists.gazetteer_matcher import GazetteerMatcher
from ..merging.facts import Facts
from ..merging.judge import MIN_SCORE, NUMBERS, Judge, seek_names
from ..merging.span_merger import SpanMerger
from ..shared.failures import SetupError, is_masked
from ..shared.find_pipes import find_pipe, find_pipes, get_names
from ..shared.interruption import check_interruption
from ..shared.labels import CONVERSATION_KEY, NAMES, SINGLE_CLASS
from ..surrogates.surrogate_generator import SurrogateGenerator
from ..text.cleaning.clean import parse_steps
from ..text.hits import get_tokens, make_span, write_hits
from ..text.message import close_doc, fold_doc, get_length, open_doc, read_message
from ..text.validators import digits_of

MIN_PID = 4  # digits
# Of initials and longer words.
FORM_SCORE = 0.9
# So many batches are held in memory to sort their messages by length.
BUFFER = 32
# So many characters of what was said before are given to the encoder with a message.
CONTEXT_LENGTH = 120


def deidentify(nlp: Language, text: str) -> str:
    """De-identify one message that stands alone. For what was found where, take the Doc: `nlp(text)`.

    nlp (Language): The pipeline.
    text (str): The message.
    RETURNS (str): The message with surrogates.
    """
    return nlp(text)._.deidentified


def deidentify_conversation(
    nlp: Language,
    messages: Sequence[str | Doc],
    *,
    conversation_id: str | None = None,
    known: Any = None,
) -> list[Doc]:
    """De-identify the messages of one conversation, in two passes: first everything that each
    message tells, then what it tells of the others. So a name that is found once is found in all
    messages, earlier ones included, and the same person gets the same surrogate.

    nlp (Language): The pipeline.
    messages (Sequence[str | Doc]): The messages in their order. Docs that no pipe has seen
        may bring `_.conversation_id` and `_.known`.
    conversation_id (str | None): The conversation's id; default: that of the docs.
    known (Any): What is known of the participants in addition to what the docs bring: a dict for
        each of them, such as {"name": "Anna Lind", "phone": "0701740605"}. It holds for all messages.
    RETURNS (list[Doc]): The documents, with `_.deidentified` and `_.replacements`.
    """
    docs = make_docs(nlp, messages, conversation_id=conversation_id, known=known)
    return next(process(nlp, [docs]))


def pipe_conversations(
    nlp: Language,
    conversations: Iterable[Sequence[str | Doc]],
    *,
    batch_size: int | None = None,
    n_process: int = 1,
    memory_zone: bool = False,
) -> Iterator[list[Doc]]:
    """De-identify a stream of conversations, each as `deidentify_conversation` does.

    The vocabulary grows with each new word. In a memory zone it does not: then read from the docs
    what you need before you ask for the next ones, since what they are made of is freed.

    nlp (Language): The pipeline.
    conversations (Iterable[Sequence[str | Doc]]): The messages of each conversation. Give
        docs to tell its id and its participants.
    batch_size (int | None): Messages in a batch; default: the pipeline's own.
    n_process (int): Processes for the first pass.
    memory_zone (bool): Whether to free the words of the messages, for a stream without end.
    YIELDS (list[Doc]): The documents of each conversation, in order.
    """
    with spare_old_objects():
        for buffer in fill_buffers(conversations, len, batch_size or nlp.batch_size):
            with nlp.memory_zone() if memory_zone else nullcontext():
                docs = [make_docs(nlp, messages) for messages in buffer]
                yield from process(nlp, docs, batch_size, n_process)


def fill_buffers(
    conversations: Iterable[Any], count: Callable[[Any], int], batch_size: int
) -> Iterator[list[Any]]:
    """Gather conversations to sort their messages by length. `count` counts those of one."""
    buffer: list[Any] = []
    n_messages = 0
    for conversation in conversations:
        buffer.append(conversation)
        n_messages += count(conversation)
        if n_messages >= BUFFER * batch_size:
            yield buffer
            buffer, n_messages = [], 0
    if buffer:
        yield buffer


def make_docs(
    nlp: Language,
    messages: Sequence[str | Doc],
    *,
    conversation_id: str | None = None,
    known: Any = None,
) -> list[Doc]:
    """Make the documents of one conversation, which share its id and what is known; each has what
    was said before it as context. A ValueError tells of several ids.
    """
    if isinstance(messages, (str, Doc)):
        raise TypeError("A conversation is a list of messages, not a single one.")
    docs = [nlp.make_doc(item) if isinstance(item, str) else item for item in messages]
    # An empty id is none.
    ids = ({doc._.conversation_id for doc in docs} | {conversation_id}) - {None, ""}
    if len(ids) > 1:
        raise ValueError("The messages are of several conversations: give each one alone.")
    shared = next(iter(ids), None)
    sources = [known, *(doc._.known for doc in docs)]
    values = group_known(pair for source in sources for pair in read_known(source))
    if docs and values and not find_pipe(nlp, KnownMatcher):
        raise SetupError(
            "Participants are known, but the pipeline has no 'known_matcher' to find them. Add it: "
            "nlp.add_pipe('known_matcher', first=True)."
        )
    steps = parse_steps(nlp.clean) if isinstance(nlp, ChatLanguage) else ()
    contexts = get_contexts(read_message(doc, steps).cleaned.text for doc in docs)
    for doc, context in zip(docs, contexts):
        doc._.conversation_id = shared
        doc._.known = values
        if doc._.context is None:
            doc._.context = context
    return docs


def get_contexts(texts: Iterable[str]) -> Iterator[str | None]:
    """For each message of a conversation the end of what was said before it, None before the first."""
    said = ""
    for text in texts:
        yield said or None
        said = f"{said}\n{text}"[-CONTEXT_LENGTH:].strip()


def process(
    nlp: Language,
    conversations: Sequence[Sequence[Doc]],
    batch_size: int | None = None,
    n_process: int = 1,
) -> Iterator[list[Doc]]:
    """De-identify conversations (`make_docs`), in order. Processes are for the first pass."""
    docs = [doc for conversation in conversations for doc in conversation]
    docs = read_docs(nlp, docs, batch_size, n_process)
    start = 0
    for conversation in conversations:
        check_interruption()
        own = docs[start : start + len(conversation)]
        finish_conversation(nlp, own)
        yield own
        start += len(own)


def read_docs(
    nlp: Language,
    docs: Sequence[Doc],
    batch_size: int | None = None,
    n_process: int = 1,
    count: Callable[[], None] = lambda: None,
) -> list[Doc]:
    """The first pass: all pipes but the `surrogate_generator`, on messages of like length together.
    `count` is called for each message, to show how far it is.
    """
    order = sorted(range(len(docs)), key=lambda i: get_length(docs[i]))

    def feed() -> Iterator[Doc]:
        for i in order:
            check_interruption()
            count()
            yield docs[i]

    found = nlp.pipe(
        feed(),
        batch_size=batch_size,
        n_process=n_process,
        disable=get_names(nlp, SurrogateGenerator),
    )
    read = dict(zip(order, found))
    return [read[i] for i in range(len(docs))]


def finish_conversation(nlp: Language, docs: Sequence[Doc]) -> None:
    """The second pass, after `read_docs`: find what other messages tell, write surrogates."""
    generator = find_pipe(nlp, SurrogateGenerator)
    if generator is None:
        raise SetupError("The pipeline has no surrogate_generator.")
    if len(docs) == 1 and not docs[0]._.conversation_id:
        generator(docs[0])
        return
    propagate(nlp, [doc for doc in docs if not is_masked(doc)])
    generator.replace_conversation(docs)


def propagate(nlp: Language, docs: Sequence[Doc]) -> None:
    """Find what one message tells in all of them: names and their forms, initials, numbers."""
    opened = [open_doc(doc) for doc in docs]
    values = [value for own in opened for value in _get_values(own)]
    if not values:
        return
    finder = ValueFinder(values, errors=1)
    compounds, initials = _make_form_finders(nlp, values)
    for doc, own in zip(docs, opened):
        covered = get_tokens(own.ents)
        new = [
            (span, score)
            for span, score in (*find_values(own, finder), *_find_forms(own, compounds, initials))
            if not covered.issuperset(range(span.start, span.end))
        ]
        if new:
            # The doc_cleaner took away what tells how ordinary a word is.
            for matcher in find_pipes(nlp, GazetteerMatcher):
                matcher.weigh(own)
            judge = Judge(Facts(own))
            write_hits(own, CONVERSATION_KEY, (hit for hit in new if judge.is_name(hit[0])))
            for merger in find_pipes(nlp, SpanMerger):
                merger(own)
            # The merger has made new entities, without what was asked for besides.
            for ruler in find_pipes(nlp, CustomRuler):
                ruler(own)
            own._.commonness = None
            close_doc(own, doc)


def _make_form_finders(
    nlp: Language, values: Sequence[tuple[str, str]]
) -> tuple[CompoundFinder, InitialsFinder]:
    """What finds longer words that begin with a name which is no ordinary word itself, and initials."""
    lists = find_pipe(nlp, GazetteerMatcher)
    names = ((label, word) for label, text in values if label in NAMES for word in get_words(text))
    return (
        CompoundFinder(
            (label, word.key)
            for label, word in names
            if not (lists and lists.is_ordinary(word.key))
        ),
        InitialsFinder(text for label, text in values if label == "PERSON"),
    )


def _find_forms(
    doc: Doc, compounds: CompoundFinder, initials: InitialsFinder
) -> Iterator[tuple[Span, float]]:
    if not compounds and not initials:
        return
    folded = fold_doc(doc)
    hits = initials.find(folded.text)
    if compounds:
        hits += compounds.find(get_words(folded.text))
    for start, end, label, kind in hits:
        yield make_span(doc, *folded.to_original(start, end), label, kind), FORM_SCORE


def _get_values(doc: Doc) -> Iterator[tuple[str, str]]:
    """What to look for in other messages, without a title in front and with and without an s."""
    if not doc.ents:
        return
    titles = Facts(doc).in_titles
    for ent in doc.ents:
        text, label = ent.text, ent.label_
        if label == SINGLE_CLASS and not any(char.isdigit() or char == "@" for char in text):
            # Of a model with one class: what may be a name.
            label = "PERSON"
        if ent._.score < MIN_SCORE or label not in NAMES + NUMBERS:
            continue
        if label in NUMBERS:
            # A mistyped personnummer is looked for, too.
            if is_informative(label, text) or (label == "PID" and len(digits_of(text)) >= MIN_PID):
                yield label, text
            continue
        yield from ((label, name) for name in seek_names(ent, label, titles))
