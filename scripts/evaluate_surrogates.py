"""Evaluate the surrogates of annotated conversations: whether one entity stays one, different
ones different, and whether the pipeline finds the surrogates where it would find the originals.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import spacy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc, Span
from wasabi import msg, table

import components  # noqa: F401
from components.labels import LABELS
from components.messages.conversation import pipe_conversations
from components.pipes.surrogate_generator import KEY_VARIABLE, SurrogateGenerator
from components.swedish.casing import fold
from components.swedish.lists import read_lists
from corpus_tools.errors import clean_errors, demand_pipeline
from corpus_tools.formats.jsonl import Row, read_messages
from corpus_tools.measures.coreference import Key, read_coreference
from corpus_tools.measures.surrogate_scores import (
    Mention,
    Stranger,
    count_collisions,
    count_found,
    count_gender_clashes,
    count_identities,
)

# Figures are to be the same in each run; set the variable to try another key.
KEY = "a key for the evaluation only"


def evaluate_surrogates(
    model_path: Path = typer.Argument(..., help="The trained pipeline", exists=True),
    data_path: Path = typer.Argument(..., help="Annotated conversations, JSONL", exists=True),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    coreference_path: Path | None = typer.Option(
        None, "--coreference", help="Which spans are one entity, JSONL", exists=True
    ),
    lists_path: Path = typer.Option(Path("assets/lists"), "--lists", help="Word lists"),
) -> None:
    os.environ.setdefault(KEY_VARIABLE, KEY)
    with clean_errors():
        rows = read_messages(data_path)
        annotated = read_coreference(coreference_path) if coreference_path else {}
        stranger = Stranger(read_lists(str(lists_path)))
        demand_pipeline(model_path)
    nlp = spacy.load(model_path)
    conversations: dict[str, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        conversations[_conversation_of(row)].append(i)
    docs = replace(nlp, rows, conversations.values())
    mentions = get_mentions(rows, docs, annotated)
    before = read(nlp, [row["text"] for row in rows], conversations)
    after = read(nlp, [doc._.deidentified for doc in docs], conversations)
    figures = {
        "messages": len(rows),
        "conversations": len(conversations),
        "mentions": _by_label(Counter(mention.label for mention in mentions)),
        "kept": _by_label(count_kept(docs)),
        "identity": count_identities(mentions, stranger),
        "collisions": _by_label(count_collisions(mentions)),
        "gender_clashes": count_gender_clashes(mentions, stranger),
        "found": count_found(docs, before, after),
    }
    print_tables(figures)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, figures)
    msg.good("Figures written", metrics_path)


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
    for start, end, label in [(s["start"], s["end"], s["label"]) for s in row["spans"]]:
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


def replace(
    nlp: Language, rows: Sequence[Row], conversations: Iterable[Sequence[int]]
) -> list[Doc]:
    """Replace the annotated spans, one conversation after the other.

    nlp (Language): A pipeline with a `surrogate_generator`.
    rows (Sequence[Row]): Annotated messages.
    conversations (Iterable[Sequence[int]]): Which of the messages make a conversation.
    RETURNS (list[Doc]): The docs, one for each row.
    """
    generator = cast(SurrogateGenerator, nlp.get_pipe("surrogate_generator"))
    # Nothing has to find what is annotated.
    generator.required, required = [], generator.required
    docs = [make_gold_doc(nlp, row) for row in rows]
    for indices in conversations:
        generator.replace_conversation([docs[i] for i in indices])
    generator.required = required
    return docs


def read(
    nlp: Language, texts: Sequence[str], conversations: Mapping[str, Sequence[int]]
) -> list[Doc]:
    """Let the pipeline find the entities, in whole conversations as it does in use.

    nlp (Language): The pipeline.
    texts (Sequence[str]): The texts.
    conversations (Mapping[str, Sequence[int]]): Which of them make a conversation, by its id.
    RETURNS (list[Doc]): The docs, one for each text.
    """
    docs = [nlp.make_doc(text) for text in texts]
    for name, indices in conversations.items():
        for i in indices:
            docs[i]._.conversation_id = name
    done = pipe_conversations(nlp, [[docs[i] for i in ids] for ids in conversations.values()])
    for indices, messages in zip(conversations.values(), done):
        for i, doc in zip(indices, messages):
            docs[i] = doc
    return docs


def _conversation_of(row: Row) -> str:
    """A message that belongs to none is one of its own."""
    return row.get("conversation") or f"message {row['id']}"


def get_mentions(
    rows: Sequence[Row],
    docs: Sequence[Doc],
    annotated: dict[Key, tuple[str, str]],
) -> list[Mention]:
    """Gather what was replaced by what. What is meant to stay was not.

    rows (Sequence[Row]): The annotated messages.
    docs (Sequence[Doc]): Their docs, replaced.
    annotated (dict[Key, tuple[str, str]]): What `read_coreference` gives. Other
        mentions are one entity where they are spelled the same.
    RETURNS (list[Mention]): The mentions, in order.
    """
    mentions = []
    for row, doc in zip(rows, docs):
        text = doc.text
        for entry in doc._.replacements:
            if entry.get("kept"):
                continue
            start, end = entry["start"], entry["end"]
            original = text[start:end]
            key = (row["id"], start, end)
            entity, gender = annotated.get(key, (f"spelled {fold(original)}", ""))
            mentions.append(
                Mention(
                    _conversation_of(row),
                    entry["label"],
                    entity,
                    gender,
                    text[:start],
                    original,
                    entry["replacement"],
                )
            )
    return mentions


def count_kept(docs: Iterable[Doc]) -> Counter[str]:
    """Count what is meant to stay.

    docs (Iterable[Doc]): The docs, replaced.
    RETURNS (Counter[str]): How many entities, by class.
    """
    return Counter(
        entry["label"] for doc in docs for entry in doc._.replacements if entry.get("kept")
    )


def _by_label(counts: Mapping[str, int]) -> dict[str, int]:
    return {"ALL": sum(counts.values()), **{k: counts[k] for k in LABELS if counts.get(k)}}


def print_tables(figures: dict[str, Any]) -> None:
    """Print the figures.

    figures (dict[str, Any]): What `evaluate_surrogates` writes.
    """
    msg.divider("One entity, one identity")
    _print(figures["identity"], ("mentions", "same", "share", "linkable", "linkable_share"))
    msg.divider("The pipeline reads again")
    _print(
        figures["found"],
        ("mentions", "originals", "surrogates", "share", "share_of_both", "share_covered"),
    )
    kept = ", ".join(f"{label} {count}" for label, count in figures["kept"].items())
    print(f"meant to stay, in no figure: {kept}")
    msg.divider("Wanted: none")
    clashes = {
        f"gender clashes, {name}": {"ALL": row["clashes"], "checked": row["checked"]}
        for name, row in figures["gender_clashes"].items()
    }
    for name, counts in {"collisions": figures["collisions"], **clashes}.items():
        print(f"{name}: {', '.join(f'{key} {count}' for key, count in counts.items())}")


def _print(rows: dict[str, dict[str, Any]], names: Sequence[str]) -> None:
    def show(value: float | None) -> str:
        return f"{value:.3f}" if isinstance(value, float) else str("" if value is None else value)

    cells = [[label, *(show(row[name]) for name in names)] for label, row in rows.items()]
    print(table(cells, header=["", *names], divider=True))


if __name__ == "__main__":
    typer.run(evaluate_surrogates)
