"""Puts surrogates into annotated messages: a message is then not about the person, and can be used
several times, each time about somebody else.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from components.measures.gold import Row
from components.surrogates import Mention, Scope
from components.surrogates.core.mentions import make_mention, write_replacements
from components.surrogates.core.replacer import Replacer
from components.text.extensions import set_extensions
from training_tools.generator.natural import Thread, cut, get_digest

# In one thread of so many people are mixed.
MIXED_EVERY = 3


def make_key(*parts: object) -> bytes:
    """Make the key of one pass over the messages."""
    return sha256("/".join(map(str, parts)).encode("utf8")).digest()


class Pseudonyms:
    """Replaces the spans of annotated messages as `surrogate_generator` does; in some threads people are
    mixed, and `mixed` replaces them.
    """

    def __init__(
        self, classes: Mapping[str, Replacer], mixed: Mapping[str, Replacer] | None = None
    ) -> None:
        set_extensions()
        self.classes = classes
        self.mixed = mixed

    def replace(self, thread: Thread, key: bytes) -> Thread:
        """Replace the spans of a message or of the messages of a conversation."""
        vocab = Vocab()
        docs = [_make_doc(row, vocab) for row in thread]
        places: dict[str, list[tuple[int, Span]]] = {}
        for number, doc in enumerate(docs):
            for span in doc.ents:
                places.setdefault(span.label_, []).append((number, span))
        mentions = {
            label: [make_mention(span, thread[number]["text"], number) for number, span in where]
            for label, where in places.items()
        }
        scope = self._get_scope(thread, mentions, key)
        new: dict[tuple[int, int], str] = {}
        classes = self.classes
        if self.mixed and not scope.number(MIXED_EVERY, "mixed"):
            classes = self.mixed
        for label, replacer in classes.items():
            if label in places:
                surrogates = replacer.surrogates(mentions[label], scope)
                for (number, span), surrogate in zip(places[label], surrogates):
                    new[number, span.start] = surrogate
        return [
            _make_row(row, doc, [new[number, span.start] for span in doc.ents])
            for number, (row, doc) in enumerate(zip(thread, docs))
        ]

    @staticmethod
    def _get_scope(thread: Thread, mentions: Mapping[str, Sequence[Mention]], key: bytes) -> Scope:
        originals = [mention.text for own in mentions.values() for mention in own]
        conversation = "conversation" in thread[0]
        return Scope(key, get_digest(thread), conversation, originals, mentions, conversation)


def _make_doc(row: Row, vocab: Vocab) -> Doc:
    """Make a doc in which each span is one token, wherever the tokenizer would cut."""
    segments = list(cut(row))
    words = [segment.text for segment in segments]
    doc = Doc(vocab, words=words, spaces=[False] * len(words))
    doc.set_ents(
        [
            Span(doc, i, i + 1, label=segment.label)
            for i, segment in enumerate(segments)
            if segment.label
        ]
    )
    return doc


def _make_row(row: Row, doc: Doc, surrogates: Sequence[str]) -> Row:
    write_replacements(doc, row["text"], doc.ents, surrogates)
    spans = [
        {"start": found["out_start"], "end": found["out_end"], "label": found["label"]}
        for found in doc._.replacements
    ]
    return {**row, "text": doc._.deidentified, "spans": spans}
