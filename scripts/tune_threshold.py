"""Choose the decision threshold on annotated messages.

python -m scripts.tune_threshold MODEL mine.jsonl tuned metrics/tuned.json --max-leak 0.05
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import srsly
import typer
from wasabi import msg

import components  # noqa: F401
from components.measures.gold import read_messages
from training_tools.assembly import set_thresholds
from training_tools.conversion import load_lean
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.report.folder import write_outcome
from training_tools.report.outcome import describe_rows, print_tables
from training_tools.thresholds.choice import Goal, choose, choose_modes
from training_tools.thresholds.sweep import THRESHOLDS, Sweep
from training_tools.thresholds.threshold_outcome import make_outcome


def tune_threshold(
    model_path: Annotated[Path, typer.Argument(help="The trained pipeline")],
    data_path: Annotated[Path, typer.Argument(help="Annotated messages of the dev split, JSONL")],
    output_path: Annotated[
        str, typer.Argument(help="Where the pipeline with its threshold goes; empty: only curves")
    ],
    metrics_path: Annotated[
        Path, typer.Argument(help="Where the curve goes, JSON; its plot to `outcomes` beside it")
    ],
    beta: Annotated[float, typer.Option(min=0, help="Weight of recall against precision")] = 2.0,
    by_class: Annotated[
        bool,
        typer.Option("--by-class/--one", help="Choose one for each class, for the best F-beta"),
    ] = False,
    min_recall: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Choose the one with the best precision of those with this recall over tokens, "
            "e.g. 0.98",
        ),
    ] = None,
    max_leak: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Choose the one with the best F-beta of those with which at most this share of "
            "conversations leaks, with confidence 1 - delta, e.g. 0.05",
        ),
    ] = None,
    delta: Annotated[float, typer.Option(help="How often --max-leak may be wrong")] = 0.05,
    seed: Annotated[int, typer.Option(help="Of the samples that the intervals come from")] = 0,
) -> None:
    """Choose the decision threshold: by default the one with which the merged result has the best F-beta
    over tokens, and for the mode "careful" the one that is as good and misses least. Curves are drawn in any
    case.
    """
    goal = Goal(beta, by_class, min_recall, max_leak, delta)
    with clean_errors():
        goal.check()
        messages = read_messages(data_path)
        if not messages:
            raise ValueError(f"{data_path} is empty: a threshold is chosen on annotated messages.")
        demand_pipeline(model_path)
    nlp = load_lean(model_path, exclude=["surrogate_generator", "doc_cleaner"])
    with clean_errors():
        sweep = Sweep(nlp, messages, beta)
    curve = [sweep.get_row(value, seed) for value in THRESHOLDS]
    with clean_errors():
        choice = goal.choose(curve, sweep)
    threshold, best = choice.threshold, choose(curve)
    metrics: dict[str, Any] = {"beta": beta, "best": best, "curve": curve, "threshold": threshold}
    metrics["modes"] = choose_modes(curve)
    if choice.certificate is not None:
        tested = [one._asdict() for one in choice.certificate.tested]
        metrics["certificate"] = {**choice.certificate._asdict(), "tested": tested}
    if isinstance(threshold, Mapping):
        figures = sweep.measure(threshold)
        metrics["by_class"] = {"thresholds": threshold, **figures}
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, metrics)
    outcome = make_outcome(curve, beta, choice, metrics, describe_rows(data_path, messages))
    print_tables(outcome.tables)
    msg.info("Curves drawn", write_outcome(outcome, metrics_path.parent))
    with clean_errors():
        if threshold is None:
            raise ValueError(f"{choice.says} Give a higher --max-leak, or more messages.")
    if output_path:
        # Load it again with all pipes, so that none is lost in saving.
        nlp = load_lean(model_path)
        set_thresholds(nlp, threshold, metrics["modes"])
        nlp.to_disk(output_path)
    f_beta = sweep.measure(threshold)["f_beta"]
    msg.good(f"Threshold {threshold} (F{beta:g} {f_beta:.3f}). {choice.says}", output_path)


if __name__ == "__main__":
    typer.run(tune_threshold)
