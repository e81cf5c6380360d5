"""Compare what numpy and torch give, both in full precision: the entities and the surrogates of every message
of sets, and the largest difference of a score.
"""

from pathlib import Path

import spacy
import typer
from spacy.language import Language
from spacy.tokens import Doc

import components  # noqa: F401
from components.measures.gold import read_messages
from components.measures.spans import get_entities
from components.model.backend import BACKENDS, FULL
from lab.measures.speed import compute_with
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import fill_block, get_state, make_table

BLOCK = "backends"
HEAD = ["set", "messages", "other entities", "other texts", "largest difference of a score"]


def compare_backends(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_paths: list[Path] = typer.Argument(..., help="Annotated messages, JSONL"),
    page: Path | None = typer.Option(None, help="A page with a block for the table"),
) -> None:
    rows = []
    with clean_errors():
        demand_pipeline(model_path)
        nlp = spacy.load(model_path)
        for path in data_paths:
            texts = [row["text"] for row in read_messages(path)]
            pairs = [*zip(*(read(nlp, texts, backend) for backend in BACKENDS[1:]), strict=True)]
            differences = [
                abs(one._.score - other._.score)
                for docs in pairs
                for one, other in zip(*(doc.ents for doc in docs))
            ]
            found = sum(get_entities(one) != get_entities(other) for one, other in pairs)
            written = sum(one._.deidentified != other._.deidentified for one, other in pairs)
            largest = f"{max(differences, default=0):.0e}"
            rows.append([path.stem, str(len(texts)), str(found), str(written), largest])
        table = f"{make_table(HEAD, rows)}\n\n{get_state()}."
        print(table)
        if page is not None:
            fill_block(page, BLOCK, table)


def read(nlp: Language, texts: list[str], backend: str) -> list[Doc]:
    """Run the pipeline with one backend."""
    compute_with(nlp, backend, FULL)
    return [*nlp.pipe(texts)]


if __name__ == "__main__":
    typer.run(compare_backends)
