"""De-identification of conversations whose messages lie anywhere in a table."""

from collections.abc import Iterable, Iterator
from threading import Lock
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from ...cleaning.clean import parse_steps
from ...languages import is_foreign
from ...messages.configuration import configured
from ...messages.conversation import fill_buffers, make_docs, process
from ...messages.policies import POLICIES
from ...pipes.known_matcher import group_known
from ...reading.cleaned_doc import get_language
from ..reports.copied_columns import find_values


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
    """What is cleaned away before a text is read, and what is done with other languages; None: what the
    pipeline does."""

    clean: str | None = None
    foreign: str | None = None


DEFAULT = Options()


def make_options(clean: str | None, foreign: str | None) -> Options:
    """Read options.

    clean (str | None): Steps of `components.cleaning.clean`, "all" or "none".
    foreign (str | None): What is done with other languages.
    RETURNS (Options): The options.
    RAISES (ValueError): If there is no such step or policy. A frame keeps its rows: none is rejected.
    """
    policies = [policy for policy in POLICIES if policy != "reject"]
    if foreign is not None and foreign not in policies:
        raise ValueError(f"foreign={foreign!r}: there is {', '.join(map(repr, policies))}.")
    if clean is not None:
        parse_steps(clean)
    return Options(clean, foreign)


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
    size = batch_size or nlp.batch_size
    reading = {name: value for name, value in options._asdict().items() if value is not None}
    for some in fill_buffers(conversations, lambda one: len(one.texts), size):
        with _zone, configured(nlp, reading), nlp.memory_zone():
            made = [
                make_docs(nlp, own.texts, conversation_id=own.id, known=group_known(own.known))
                for own in some
            ]
            done = [[*map(_take, docs)] for docs in process(nlp, made, batch_size, n_process)]
        yield from done


def _take(doc: Doc) -> Message:
    failed, foreign = doc._.failed is not None, is_foreign(get_language(doc))
    return Message(doc._.deidentified, failed, foreign, [*find_values(doc)])
