"""Evaluate a pipeline on annotated messages."""

from pathlib import Path
from typing import Annotated

import spacy
import typer
from weasel.util import get_checksum

import components  # noqa: F401
from components.measures.gold import read_gold
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.pipeline_parts import MERGED, demand_figures, evaluate_systems, write_figures
from training_tools.report.evaluation_outcome import tabulate
from training_tools.report.outcome import print_tables


def evaluate(
    model_path: Annotated[Path, typer.Argument(help="The trained pipeline")],
    data_path: Annotated[Path, typer.Argument(help="Annotated messages, JSONL")],
    metrics_path: Annotated[
        Path | None, typer.Argument(help="Where to write the figures, JSON")
    ] = None,
) -> None:
    """Measure rules, lists and model alone and merged, each measure with its 95 % interval."""
    with clean_errors():
        messages = read_gold(data_path)
        demand_pipeline(model_path)
        if metrics_path is not None:
            demand_figures(metrics_path)
    nlp = spacy.load(model_path, disable=["surrogate_generator", "doc_cleaner"])
    name = data_path.stem
    with clean_errors():
        _, systems = evaluate_systems(nlp, name, messages)
    print_tables(tabulate([systems[MERGED]], systems))
    if metrics_path is not None:
        write_figures(metrics_path, {name: systems}, [data_path], get_checksum(model_path))


if __name__ == "__main__":
    typer.run(evaluate)
