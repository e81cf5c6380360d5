"""Texts as they lie in a store of messages, on their way through the pipeline: cleaned, read, and cut out
of the original again.
"""

from collections.abc import Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ..cleaning.clean import clean_text
from ..cleaning.originals import apply_to_original
from ..swedish.folding import Folded
from .conversation import finish_conversation, make_docs
from .language import GENERATOR
from .policies import read_messages


class Text:
    """A text of a conversation.

    cleaned (Folded): What the pipeline reads of it.
    doc (Doc): That, ready for the pipes, or as it comes out.
    language (str | None): Its language; None if it cannot be told, or nobody has looked.
    """

    def __init__(self, cleaned: Folded, doc: Doc) -> None:
        self.cleaned = cleaned
        self.doc = doc
        self.language: str | None = None

    def write(self) -> tuple[str, list[dict[str, Any]]]:
        """RETURNS (tuple[str, list[dict]]): The de-identified original, and what was replaced in it."""
        return apply_to_original(self.cleaned, self.doc._.replacements)


def make_text(nlp: Language, original: str, steps: tuple[str, ...]) -> Text:
    """Clean and tokenize a text.

    nlp (Language): The pipeline.
    original (str): The text.
    steps (tuple[str, ...]): What is cleaned away.
    RETURNS (Text): The text, ready for `connect_texts`.
    """
    cleaned = clean_text(original, steps)
    return Text(cleaned, nlp.make_doc(cleaned.text))


def connect_texts(
    nlp: Language, texts: Sequence[Text], id: str | None, known: dict[str, list[str]] | None
) -> None:
    """Tell the texts of a conversation of each other.

    nlp (Language): The pipeline.
    texts (Sequence[Text]): The texts in their order. Those of a conversation get what was said before as
        their context.
    id (str | None): The conversation's id; None for texts that stand alone together.
    known (dict[str, list[str]] | None): What is known of the participants, by label.
    """
    docs = [text.doc for text in texts]
    if id is not None:
        make_docs(nlp, docs, conversation_id=id)
    for doc in docs:
        doc._.known = known


def read_texts(
    nlp: Language,
    texts: Sequence[Text],
    policy: str,
    *,
    batch_size: int | None = None,
    n_process: int = 1,
) -> None:
    """Run all pipes but the last on texts, those of one length together, which is the fastest.

    nlp (Language): The pipeline.
    texts (Sequence[Text]): The texts of any conversations. Their docs become those that come out.
    policy (str): What is done with other languages (`components.messages.policies`).
    batch_size (int | None): Texts in a batch; default: the pipeline's own.
    n_process (int): Processes.
    """
    todo = sorted(texts, key=lambda text: len(text.cleaned.text))
    for text in todo:
        text.language = text.doc._.language
    found = read_messages(
        nlp,
        [text.doc for text in todo],
        policy,
        batch_size=batch_size,
        n_process=n_process,
        languages=[text.language for text in todo],
    )
    for text, doc in zip(todo, found):
        text.doc = doc


def finish_texts(nlp: Language, texts: Sequence[Text]) -> None:
    """Write the surrogates of a conversation, or of texts that stand alone together.

    nlp (Language): The pipeline.
    texts (Sequence[Text]): The texts, read.
    """
    docs = [text.doc for text in texts]
    if len(docs) == 1 and docs[0]._.conversation_id is None:
        nlp.get_pipe(GENERATOR)(docs[0])
    elif docs:
        finish_conversation(nlp, docs)
