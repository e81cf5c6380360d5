"""Messages as spaCy docs and back."""

from collections.abc import Iterable
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin

import components  # noqa: F401  (registers the tokenizer)
from corpus_tools.jsonl import Row, Span

ROW = "row"


def chat_language() -> Language:
    """Make a pipeline without pipes that splits text as the project's pipeline does."""
    tokenizer = {"@tokenizers": "sv_deid_chat.ChatTokenizer.v1"}
    return spacy.blank("sv", config={"nlp": {"tokenizer": tokenizer}})


def to_doc(nlp: Language, row: Row) -> Doc:
    """Turn a message into a doc with its gold spans in `doc.ents`.

    A span that is off the token boundaries cannot be an entity: its tokens are marked as missing,
    so that training learns nothing from them, and the span itself is kept in the user data.

    nlp (Language): splits the text into tokens.
    row (Row): the message.
    RETURNS (Doc): the doc. What else the message holds is in its user data.
    """
    doc = nlp.make_doc(row["text"])
    entities, misaligned, missing = [], [], set()
    for span in row["spans"]:
        entity = doc.char_span(span["start"], span["end"], label=span["label"])
        if entity is not None:
            entities.append(entity)
            continue
        misaligned.append(span)
        for token in doc:
            if token.idx < span["end"] and span["start"] < token.idx + len(token):
                missing.add(token.i)
    unknown = [doc[index : index + 1] for index in sorted(missing)]
    doc.set_ents(entities, missing=unknown, default="outside")
    rest = {key: value for key, value in row.items() if key not in ("text", "spans")}
    doc.user_data[ROW] = {**rest, "misaligned": misaligned}
    return doc


def from_doc(doc: Doc) -> Row:
    """Turn a doc into a message.

    doc (Doc): a doc, with or without the user data of `to_doc`.
    RETURNS (Row): the message, with the spans that were off the token boundaries.
    """
    rest = dict(doc.user_data.get(ROW, {}))
    spans: list[Span] = [
        {"start": entity.start_char, "end": entity.end_char, "label": entity.label_}
        for entity in doc.ents
    ]
    spans += [dict(span) for span in rest.pop("misaligned", ())]  # type: ignore[misc]
    head = {"id": rest.pop("id")} if "id" in rest else {}
    spans.sort(key=lambda span: span["start"])
    return {**head, "text": doc.text, "spans": spans, **rest}


def write_docs(path: Path, rows: Iterable[Row], nlp: Language) -> int:
    """Write messages as a `.spacy` file.

    path (Path): the file to write.
    rows (Iterable[Row]): the messages.
    nlp (Language): splits the texts into tokens.
    RETURNS (int): how many spans are off the token boundaries.
    """
    docs = DocBin(store_user_data=True)
    misaligned = 0
    for row in rows:
        doc = to_doc(nlp, row)
        misaligned += len(doc.user_data[ROW]["misaligned"])
        docs.add(doc)
    docs.to_disk(path)
    return misaligned


def read_docs(path: Path, nlp: Language) -> list[Row]:
    """Read the messages of a `.spacy` file.

    path (Path): the file.
    nlp (Language): its vocab takes the strings.
    RETURNS (list[Row]): the messages.
    """
    return [from_doc(doc) for doc in DocBin().from_disk(path).get_docs(nlp.vocab)]
