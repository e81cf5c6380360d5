"""Messages as spaCy docs and back."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc, DocBin

import components  # noqa: F401  (registers the tokenizer and the pipes)
from components.measures.formats.registry import chat_language
from components.measures.gold import (
    LabelMap,
    Row,
    Span,
    check_message,
    find_contexts,
    parse_object,
    put_back,
    split_off,
)
from components.text.hits import make_span

ROW = "row"


def rules_language(lists: Path, patterns: Path) -> Language:
    """Make a pipeline that annotates by rules and word lists alone, without a model."""
    nlp = chat_language()
    nlp.add_pipe("phi_entity_ruler", name="entity_ruler")
    nlp.add_pipe("gazetteer_matcher")
    nlp.add_pipe("span_merger")
    nlp.config["initialize"]["components"] = {
        "entity_ruler": {"patterns": {"@readers": "srsly.read_jsonl.v1", "path": str(patterns)}},
        "gazetteer_matcher": {"lists": {"@readers": "sv_deid_chat.lists.v1", "path": str(lists)}},
    }
    nlp.initialize()
    return nlp


def get_misaligned(doc: Doc, spans: Iterable[Span]) -> list[Span]:
    """Choose the spans that are off the token boundaries."""
    return [span for span in spans if doc.char_span(span["start"], span["end"]) is None]


def to_doc(nlp: Language, row: Row) -> Doc:
    """Turn a message into a doc with its gold spans in `doc.ents`.

    A span that is off the token boundaries cannot be an entity: its tokens are marked as missing,
    so that training learns nothing from them, and the span itself is kept in the user data.
    """
    doc = nlp.make_doc(row["text"])
    misaligned = get_misaligned(doc, row["spans"])
    entities = [
        make_span(doc, span["start"], span["end"], span["label"])
        for span in row["spans"]
        if span not in misaligned
    ]
    missing = [
        doc[token.i : token.i + 1]
        for token in doc
        if any(
            token.idx < span["end"] and span["start"] < token.idx + len(token)
            for span in misaligned
        )
    ]
    doc.set_ents(entities, missing=missing, default="outside")
    doc.user_data[ROW] = json.dumps(split_off(row, misaligned), ensure_ascii=False)
    return doc


def from_doc(doc: Doc) -> Row:
    """Turn a doc into a message."""
    if ROW not in doc.user_data and any(token.ent_iob == 0 for token in doc):
        raise ValueError("it has tokens that are not annotated: set its doc.ents")
    kept = doc.user_data.get(ROW, "{}")
    if not isinstance(kept, str):
        raise ValueError(f"its user data {ROW!r} is not JSON: write the file again")  # noqa: TRY004
    rest = parse_object(kept)
    spans: list[Span] = [
        {"start": entity.start_char, "end": entity.end_char, "label": entity.label_}
        for entity in doc.ents
    ]
    return put_back(doc.text, spans + get_misaligned(doc, rest.get("spans", ())), rest)


def write_docs(path: Path, rows: Sequence[Row], nlp: Language) -> int:
    """Write messages as a `.spacy` file, those of a conversation with their `_.context`.

    RETURNS (int): How many spans are off the token boundaries.
    """
    docs = DocBin(store_user_data=True)
    misaligned = 0
    for row, context in zip(rows, find_contexts(rows)):
        doc = to_doc(nlp, row)
        if context is not None:
            doc._.context = context
        misaligned += len(get_misaligned(doc, row["spans"]))
        docs.add(doc)
    docs.to_disk(path)
    return misaligned


def read_docs(path: Path, nlp: Language, labels: LabelMap | None = None) -> list[Row]:
    """Read the messages of a `.spacy` file: each doc's text, `doc.ents` and what `to_doc` kept."""
    data = path.read_bytes()
    try:
        docs = list(DocBin().from_bytes(data).get_docs(nlp.vocab))
    except Exception as error:  # noqa: BLE001  (zlib's, msgpack's and numpy's own)
        raise ValueError(f"{path}: not a .spacy file ({type(error).__name__})") from None
    rows = []
    for number, doc in enumerate(docs, start=1):
        try:
            row = check_message(from_doc(doc), labels)
        except ValueError as error:
            raise ValueError(f"{path}, document {number}: {error}") from None
        row.setdefault("id", f"{path.stem}-{number}")
        rows.append(row)
    return rows
