"""Find what annotators may have missed."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import spacy
import typer
from spacy.language import Language
from wasabi import msg

import components  # noqa: F401
from components.measures.gold import Row, make_docs, read_messages, write_messages
from training_tools.errors import clean_errors, demand_pipeline


def find_unmarked(
    model_path: Annotated[Path, typer.Argument(help="The trained pipeline")],
    data_path: Annotated[Path, typer.Argument(help="Annotated messages, JSONL")],
    output_path: Annotated[Path, typer.Argument(help="Where the messages to look at go, JSONL")],
) -> None:
    """Find what a pipeline finds in annotated messages and nobody has marked. Read it before you train on
    them: what is not marked is trained on as it stands.
    """
    with clean_errors():
        if output_path.resolve() == data_path.resolve():
            raise ValueError("The output cannot be the messages themselves: give another file")
        messages = read_messages(data_path)
        demand_pipeline(model_path)
    nlp = spacy.load(model_path, disable=["surrogate_generator"])
    found = list(iter_unmarked(nlp, messages))
    output_path.parent.mkdir(parents=True, exist_ok=True)
    write_messages(output_path, found)
    labels = Counter(span["label"] for row in found for span in row["unmarked"])
    counts = ", ".join(f"{label} {n}" for label, n in labels.most_common())
    msg.good(
        f"{len(found)} of {len(messages)} messages to look at: {counts or 'none'}", output_path
    )


def iter_unmarked(nlp: Language, messages: list[Row]) -> Iterator[Row]:
    """Find what is not marked. What lies beside a mark or on it is a matter of taste, and left out."""
    for message, doc in zip(messages, nlp.pipe(make_docs(nlp, messages, context=True))):
        unmarked = [
            {
                "start": ent.start_char,
                "end": ent.end_char,
                "label": ent.label_,
                "score": round(ent._.score, 3),
                "source": ent._.source,
            }
            for ent in doc.ents
            if not any(
                span["start"] < ent.end_char and ent.start_char < span["end"]
                for span in message["spans"]
            )
        ]
        if unmarked:
            yield {**message, "unmarked": unmarked}


if __name__ == "__main__":
    typer.run(find_unmarked)
