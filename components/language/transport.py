"""How documents travel between processes. spaCy's own bytes of a document take longer to write and
to read than the whole pipeline takes; here only what its pipes read and write travels: words,
spans, entities, extension attributes, vectors.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup
from spacy.vocab import Vocab

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
