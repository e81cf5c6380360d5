"""Measure what is found of names and numbers when their characters are exchanged for others: recall
with and without each kind of mutation.
"""

from pathlib import Path
from random import Random

import spacy
import srsly
import typer
from wasabi import msg

import components  # noqa: F401
from components.measures.gold import Row, read_messages
from components.shared.labels import LABELS
from lab.measures.mutations import MUTATIONS, Mutation, mutate_spans
from training_tools.errors import clean_errors
from training_tools.markdown import fill_block, make_table

PLAIN = "as written"


def measure_robustness(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages, JSONL"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    page_path: Path | None = typer.Option(None, "--page", help="Page to write the table into"),
    seed: int = typer.Option(0, help="Seed"),
) -> None:
    with clean_errors():
        rows = [row for row in read_messages(data_path) if row["spans"]]
    nlp = spacy.load(model_path, exclude=["surrogate_generator"])
    figures = {}
    for name, mutation in {PLAIN: lambda text, rng: text, **MUTATIONS}.items():
        figures[name] = measure(nlp, rows, mutation, Random(seed))
        msg.text(f"{name}: {figures[name]}")
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, figures)
    if page_path is not None:
        fill_block(page_path, "mutations", write_table(figures))
    msg.good("Figures written", metrics_path)


def measure(
    nlp: spacy.language.Language, rows: list[Row], mutation: Mutation, rng: Random
) -> dict[str, list[int]]:
    """Count what is found under a mutation.

    nlp (Language): The pipeline.
    rows (List[Row]): Annotated messages.
    mutation (Mutation): The mutation.
    rng (Random): The source of chance.
    RETURNS (Dict[str, List[int]]): By class how many of the spans that the mutation changes are
        wholly covered, and how many there are.
    """
    counts = {label: [0, 0] for label in LABELS}
    mutated = [mutate_spans(row, mutation, rng) for row in rows]
    for row, (text, places), doc in zip(rows, mutated, nlp.pipe(text for text, _ in mutated)):
        covered = bytearray(len(text))
        for ent in doc.ents:
            covered[ent.start_char : ent.end_char] = b"\1" * (ent.end_char - ent.start_char)
        for span, (start, end) in zip(row["spans"], places):
            letters = [i for i in range(start, end) if text[i].isalnum()]
            counts[span["label"]][0] += all(covered[i] for i in letters)
            counts[span["label"]][1] += 1
    return counts


def write_table(figures: dict[str, dict[str, list[int]]]) -> str:
    """RETURNS (str): The shares as a Markdown table."""
    rows = [
        [name, *(f"{found / n:.3f}" if n else "–" for found, n in counts.values())]
        for name, counts in figures.items()
    ]
    n_spans = [str(n) for _, n in figures[PLAIN].values()]
    return make_table(["mutation", *LABELS], [*rows, ["spans", *n_spans]])


if __name__ == "__main__":
    typer.run(measure_robustness)
