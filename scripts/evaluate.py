"""Evaluate a pipeline on annotated messages."""

from pathlib import Path
from typing import Annotated, cast

import spacy
import typer
from wasabi import msg, table
from weasel.util import get_checksum

import components  # noqa: F401
from components.measures.evaluation import name_corpora, tabulate_side_by_side
from components.measures.gold import read_gold
from components.model.phi_ner import PhiNer
from components.shared.labels import LABELS
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.pipeline_parts import (
    MERGED,
    demand_figures,
    evaluate_systems,
    print_tables,
    write_figures,
)


def evaluate(
    model_path: Annotated[Path, typer.Argument(help="The trained pipeline")],
    data_path: Annotated[Path, typer.Argument(help="Annotated messages, JSONL")],
    metrics_path: Annotated[
        Path | None, typer.Argument(help="Where to write the figures, JSON")
    ] = None,
    labels: Annotated[str, typer.Option(help="Only these classes, comma-separated")] = "",
    threshold: Annotated[float | None, typer.Option(help="Decision threshold of phi_ner")] = None,
    context: Annotated[
        bool, typer.Option(help="Read a message with what was said before it")
    ] = False,
    lower: Annotated[bool, typer.Option(help="Write all messages in lower case first")] = False,
    beside: Annotated[
        list[Path] | None, typer.Option(help="One more corpus to put side by side; repeat it")
    ] = None,
) -> None:
    """Measure rules, lists and model alone and merged, each measure with its 95 % interval; one corpus or
    several side by side.
    """
    chosen = _get_labels(labels)
    paths = [data_path, *(beside or [])]
    with clean_errors():
        corpora = {name: read_gold(path) for name, path in zip(name_corpora(paths), paths)}
        demand_pipeline(model_path)
        if metrics_path is not None:
            demand_figures(metrics_path)
    nlp = spacy.load(model_path, disable=["surrogate_generator", "doc_cleaner"])
    if threshold is not None:
        cast(PhiNer, nlp.get_pipe("phi_ner")).threshold = threshold
    results = {}
    for name, messages in corpora.items():
        with clean_errors():
            _, results[name] = evaluate_systems(nlp, name, messages, chosen, context, lower)
        print_tables(results[name])
    if len(results) > 1:
        merged = [systems[MERGED] for systems in results.values()]
        head = ["side by side", *results]
        print(table(tabulate_side_by_side(merged), header=head, divider=True))
    if metrics_path is not None:
        # Figures of other settings say nothing of the pipeline as it is.
        as_it_is = threshold is None and not labels
        write_figures(metrics_path, results, paths, get_checksum(model_path) if as_it_is else None)


def _get_labels(labels: str) -> list[str]:
    chosen = [label.strip() for label in labels.split(",") if label.strip()] or list(LABELS)
    unknown = [label for label in chosen if label not in LABELS]
    if unknown:
        known = f"Known: {', '.join(LABELS)}"
        msg.fail(f"Unknown classes: {', '.join(unknown)}", known, exits=2)  # type: ignore[call-overload]
    return chosen


if __name__ == "__main__":
    typer.run(evaluate)
