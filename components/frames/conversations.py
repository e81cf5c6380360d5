"""De-identification of conversations whose messages lie anywhere in a table."""

from collections.abc import Iterable, Iterator, Sequence
from threading import Lock
from typing import NamedTuple

from spacy.language import Language

from ..cleaning.clean import DEFAULT_STEPS, parse_steps
from ..languages import is_foreign
from ..messages.conversation import BUFFER
from ..messages.policies import POLICIES
from ..messages.texts import connect_texts, finish_texts, make_text, read_texts
from ..pipes.known_matcher import group_known
from ..reports.columns import find_values


class Conversation(NamedTuple):
    """The messages of a conversation in their order; the id is None for what stands alone."""

    id: str | None
    texts: list[str]
    known: list[tuple[str, str]]


class Message(NamedTuple):
    """What became of a message, whether a pipe failed on it, so that it is masked whole, whether it is in
    another language, and what was found in it: labels and values."""

    text: str
    failed: bool
    foreign: bool
    found: list[tuple[str, str]]


class Options(NamedTuple):
    """What is cleaned away before a text is read, and what is done with other languages."""

    clean: tuple[str, ...] = DEFAULT_STEPS
    foreign: str = "flag"


DEFAULT = Options()


def make_options(clean: str, foreign: str) -> Options:
    """Read options.

    clean (str): Steps of `components.cleaning.clean`, "all" or "none".
    foreign (str): What is done with other languages.
    RETURNS (Options): The options.
    RAISES (ValueError): If there is no such step or policy. A frame keeps its rows: none is rejected.
    """
    policies = [policy for policy in POLICIES if policy != "reject"]
    if foreign not in policies:
        raise ValueError(f"foreign={foreign!r}: there is {', '.join(map(repr, policies))}.")
    return Options(parse_steps(clean), foreign)


# A zone of memory is one of the whole process.
_zone = Lock()


def deidentify_conversations(
    nlp: Language,
    conversations: Iterable[Conversation],
    options: Options = DEFAULT,
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
    options (Options): How they are read.
    batch_size (int | None): Messages in a batch; default: the pipeline's own.
    n_process (int): Processes for the first pass.
    YIELDS (list[Message]): The messages of each conversation, in order.
    """
    for some in _fill_buffers(conversations, BUFFER * (batch_size or nlp.batch_size)):
        with _zone, nlp.memory_zone():
            done = _deidentify(nlp, some, options, batch_size, n_process)
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
    nlp: Language,
    conversations: Sequence[Conversation],
    options: Options,
    batch_size: int | None,
    n_process: int,
) -> list[list[Message]]:
    made = []
    for conversation in conversations:
        own = [make_text(nlp, text, options.clean) for text in conversation.texts]
        connect_texts(nlp, own, conversation.id, group_known(conversation.known))
        made.append(own)
    read_texts(
        nlp,
        [text for own in made for text in own],
        options.foreign,
        batch_size=batch_size,
        n_process=n_process,
    )
    for own in made:
        finish_texts(nlp, own)
    return [
        [
            Message(
                text.write()[0],
                text.doc._.failed is not None,
                is_foreign(text.language),
                [*find_values(text.doc)],
            )
            for text in own
        ]
        for own in made
    ]
