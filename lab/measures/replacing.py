"""Messages whose annotated spans are replaced, all of them and nothing else: surrogates without a
model that finds.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from spacy.language import Language
from spacy.tokens import Doc, Span

from components.conversations.conversation import pipe_conversations
from components.measures.gold import Row, demand_sound, group_conversations
from components.measures.spans import to_char_spans
from components.surrogates.surrogate_generator import SurrogateGenerator
from training_tools.formats.docs import chat_language

GENERATOR = "surrogate_generator"
# Figures are to be the same in each run; set the variable to try another key.
KEY = "a key for the evaluation only"


def make_replacing_language(lists: Mapping[str, Sequence[Mapping[str, str]]]) -> Language:
    """Make a pipeline that finds nothing, and replaces.

    lists (Mapping[str, Sequence[Mapping[str, str]]]): The word lists that surrogates are drawn from.
    RETURNS (Language): Its one pipe is a `surrogate_generator`.
    """
    nlp = chat_language()
    generator = cast(SurrogateGenerator, nlp.add_pipe(GENERATOR))
    generator.initialize(list, lists=lists)
    return nlp


def make_gold_doc(nlp: Language, row: Row) -> Doc:
    """Make a doc whose entities are the annotated spans, all of them: where a span does not fall
    on token boundaries, the token is cut.

    nlp (Language): Tokenizes the text.
    row (Row): An annotated message.
    RETURNS (Doc): The doc.
    """
    text = row["text"]
    words: list[str] = []
    spaces: list[bool] = []
    bounds: list[tuple[int, int, str]] = []
    position = 0
    for start, end, label in to_char_spans(row["spans"]):
        _tokenize(nlp, text[position:start], words, spaces)
        first = len(words)
        _tokenize(nlp, text[start:end], words, spaces)
        bounds.append((first, len(words), label))
        position = end
    _tokenize(nlp, text[position:], words, spaces)
    doc = Doc(nlp.vocab, words=words, spaces=spaces)
    doc.ents = [Span(doc, first, last, label=label) for first, last, label in bounds]
    doc._.conversation_id = row.get("conversation")
    return doc


def _tokenize(nlp: Language, text: str, words: list[str], spaces: list[bool]) -> None:
    for token in nlp.make_doc(text):
        words.append(token.text)
        spaces.append(bool(token.whitespace_))


def replace_gold(nlp: Language, rows: Sequence[Row]) -> list[Doc]:
    """Replace the annotated spans, one conversation after the other.

    nlp (Language): A pipeline with a `surrogate_generator`.
    rows (Sequence[Row]): Annotated messages.
    RETURNS (list[Doc]): The docs, one for each row.
    RAISES (ValueError): If the replacing fails on a message. Names its id, never the text.
    """
    generator = cast(SurrogateGenerator, nlp.get_pipe(GENERATOR))
    # Nothing has to find what is annotated.
    generator.required, required = [], generator.required
    docs = [make_gold_doc(nlp, row) for row in rows]
    for places in group_conversations(rows):
        generator.replace_conversation([docs[place] for place in places])
    generator.required = required
    for row, doc in zip(rows, docs):
        if doc._.failed is not None:
            raise ValueError(f"the message {row['id']} cannot be replaced: {doc._.failed}")
    return docs


def replace_found(nlp: Language, rows: Sequence[Row]) -> list[Doc]:
    """Replace what a pipeline finds, one conversation after the other.

    nlp (Language): A trained pipeline with its surrogates.
    rows (Sequence[Row]): The messages.
    RETURNS (list[Doc]): The docs, one for each row.
    RAISES (ValueError): If a pipe fails on a message.
    """
    groups = group_conversations(rows)
    texts = ([rows[place]["text"] for place in places] for places in groups)
    found: dict[int, Doc] = {}
    for places, docs in zip(groups, pipe_conversations(nlp, texts)):
        demand_sound(docs)
        found |= zip(places, docs)
    return [found[place] for place in range(len(rows))]
