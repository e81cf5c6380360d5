"""De-identification of conversations whose messages lie anywhere in a table."""

from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from ..messages.conversation import BUFFER, finish_conversation
from ..messages.language import GENERATOR
from ..pipes.known_matcher import group_known


class Conversation(NamedTuple):
    """The messages of a conversation in their order; the id is None for what stands alone."""

    id: str | None
    texts: list[str]
    known: list[tuple[str, str]]


class Message(NamedTuple):
    """What became of a message, and whether a pipe failed on it, so that it is masked whole."""

    text: str
    failed: bool


# A zone of memory is one of the whole process.
_zone = Lock()


def deidentify_conversations(
    nlp: Language,
    conversations: Iterable[Conversation],
    *,
    batch_size: int | None = None,
    n_process: int = 1,
) -> Iterator[list[Message]]:
    """De-identify conversations as the command line does: what one message tells is found in all of
    its conversation, and what is known of the participants in all of them; a message that stands
    alone is read alone.

    nlp (Language): The pipeline. No other thread may use it meanwhile: the words of the messages
        are freed from its vocabulary.
    conversations (Iterable[Conversation]): The conversations.
    batch_size (int | None): Messages in a batch; default: the pipeline's own.
    n_process (int): Processes for the first pass.
    YIELDS (list[Message]): The messages of each conversation, in order.
    """
    for some in _fill_buffers(conversations, BUFFER * (batch_size or nlp.batch_size)):
        with _zone, nlp.memory_zone():
            done = _deidentify(nlp, some, batch_size, n_process)
        yield from done


def _fill_buffers(
    conversations: Iterable[Conversation], limit: int
) -> Iterator[list[Conversation]]:
    buffer: list[Conversation] = []
    n_messages = 0
    for conversation in conversations:
        buffer.append(conversation)
        n_messages += len(conversation.texts)
        if n_messages >= limit:
            yield buffer
            buffer, n_messages = [], 0
    if buffer:
        yield buffer


def _deidentify(
    nlp: Language, conversations: Sequence[Conversation], batch_size: int | None, n_process: int
) -> list[list[Message]]:
    docs = [
        [_make_doc(nlp, text, conversation.id, known) for text in conversation.texts]
        for conversation in conversations
        for known in [group_known(conversation.known)]
    ]
    places = [(i, j) for i, own in enumerate(docs) for j in range(len(own))]
    # Messages of one length are read the fastest.
    places.sort(key=lambda place: len(docs[place[0]][place[1]].text))
    found = nlp.pipe(
        (docs[i][j] for i, j in places),
        batch_size=batch_size,
        n_process=n_process,
        disable=[GENERATOR],
    )
    for (i, j), doc in zip(places, found):
        docs[i][j] = doc
    for conversation, own in zip(conversations, docs):
        if conversation.id is None and len(own) == 1:
            nlp.get_pipe(GENERATOR)(own[0])
        elif own:
            finish_conversation(nlp, own)
    return [[Message(doc._.deidentified, doc._.failed is not None) for doc in own] for own in docs]


def _make_doc(nlp: Language, text: str, id: str | None, known: dict[str, list[str]] | None) -> Doc:
    doc = nlp.make_doc(text)
    doc._.conversation_id = id
    doc._.known = known
    return doc
