"""Choose the decision threshold on annotated messages: the one with which the merged result has the best
F-beta over tokens, classes taken as one, and for the mode "careful" the lowest that is as good. Or one for each class, or by what must be found, what it may
cost, or what can be promised. Curves are drawn in any case.

    python -m scripts.tune_threshold MODEL mine.jsonl tuned metrics/tuned.json --max-leak 0.05
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import srsly
import typer
from wasabi import msg, table

import components  # noqa: F401
from components.measures.gold import read_messages
from components.pipes.phi_ner import BALANCED, DEFAULT
from corpus_tools.assembly import load_trained
from corpus_tools.errors import clean_errors, demand_pipeline
from corpus_tools.measures.thresholds.certificate import Certificate, certify, demand_certified
from corpus_tools.measures.thresholds.choice import (
    choose,
    choose_by_recall,
    choose_modes,
    lower,
    raise_f_beta,
    raise_to_recall,
)
from corpus_tools.measures.thresholds.counts import Counts, get_intervals
from corpus_tools.measures.thresholds.report import describe, get_measures, make_outcome
from corpus_tools.measures.thresholds.sweep import THRESHOLDS, Sweep, Thresholds
from corpus_tools.workbench.outcome import describe_rows, write_outcome


def tune_threshold(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages of the dev split, JSONL"),
    output_path: str = typer.Argument(
        ..., help="Where the pipeline with its threshold goes; empty: the curves are drawn, no more"
    ),
    metrics_path: Path = typer.Argument(
        ..., help="Where to write the curve, JSON; table and plot go to `outcomes` beside it"
    ),
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
            help="Choose the one with the best precision of those with this recall over tokens; "
            "with --by-class the highest for each class with this recall of each, e.g. 0.98",
        ),
    ] = None,
    max_clean_loss: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Choose the lowest for each class with which the share of messages without PHI "
            "left untouched falls no more than this below that of the one threshold, e.g. 0.005",
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
    """Choose the decision threshold, and draw what each gives."""
    wishes = Wishes(beta, by_class, min_recall, max_clean_loss, max_leak, delta)
    with clean_errors():
        wishes.check()
        messages = read_messages(data_path)
        if not messages:
            raise ValueError(f"{data_path} is empty: a threshold is chosen on annotated messages.")
        demand_pipeline(model_path)
    nlp = load_trained(model_path, exclude=["surrogate_generator", "doc_cleaner"])
    with clean_errors():
        sweep = Sweep(nlp, messages)
    curve = [measure(sweep, value, beta, seed) for value in THRESHOLDS]
    print_table(curve)
    metrics: dict[str, Any] = {"beta": beta, "best": choose(curve), "curve": curve}
    metrics["modes"] = choose_modes(curve)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)

    def finish(says: str, chosen: Any, certificate: Certificate | None = None) -> None:
        metrics["threshold"] = chosen
        if certificate is not None:
            metrics["certificate"] = certificate._asdict() | {
                "tested": [tested._asdict() for tested in certificate.tested]
            }
        srsly.write_json(metrics_path, metrics)
        outcome = make_outcome(curve, beta, says, chosen, metrics, certificate)
        outcome = replace(outcome, data=describe_rows(data_path, messages))
        msg.info("Curves drawn", write_outcome(outcome, metrics_path.parent))

    certificate = None
    with clean_errors():
        if max_leak is not None:
            certificate = certify(sweep.count_leaks, max_leak, delta)
            if not certificate.certified:
                # What was measured is worth reading all the same.
                finish(describe(certificate, None), None, certificate)
            demand_certified(certificate)
            rows = [measure(sweep, value, beta, seed) for value in certificate.certified]
            promised: float = choose(rows)["threshold"]
            threshold: float | Thresholds = promised
            says = describe(certificate, promised)
        else:
            threshold, says = wishes.choose(curve, sweep)
    if isinstance(threshold, Mapping):
        figures = sweep.measure(threshold).get_figures(beta)
        metrics["by_class"] = {"thresholds": threshold, **figures}
        print_table([{**metrics["best"], "threshold": "one"}, {"threshold": "by class", **figures}])
        print(table(threshold.items(), header=["class", "threshold"], divider=True))
    if output_path:
        # Load anew with all pipes, so that none is lost in saving.
        nlp = load_trained(model_path)
        settings = {"threshold": threshold, "thresholds": metrics["modes"]}
        for name, value in settings.items():
            setattr(nlp.get_pipe("phi_ner"), name, value)
            nlp.get_pipe_config("phi_ner")[name] = value
        nlp.to_disk(output_path)
    finish(says, threshold, certificate)
    f_beta = sweep.measure(threshold).get_figures(beta)["f_beta"]
    msg.good(f"Threshold {threshold} (F{beta:g} {f_beta:.3f}). {says}", output_path)


class Wishes(NamedTuple):
    """What the threshold is to give, as the options of the command say."""

    beta: float
    by_class: bool
    min_recall: float | None
    max_clean_loss: float | None
    max_leak: float | None
    delta: float

    def check(self) -> None:
        """RAISES (ValueError): If they exclude each other."""
        given = [
            name
            for name, is_given in {
                "--by-class": self.by_class and self.min_recall is None,
                "--min-recall": self.min_recall is not None,
                "--max-clean-loss": self.max_clean_loss is not None,
                "--max-leak": self.max_leak is not None,
            }.items()
            if is_given
        ]
        if len(given) > 1:
            raise ValueError(f"Give {' or '.join(given)}, not both.")
        if self.by_class and self.max_leak is not None:
            raise ValueError("--max-leak certifies one threshold: leave out --by-class.")
        for name, value in (("--max-leak", self.max_leak), ("--delta", self.delta)):
            if value is not None and not 0 < value < 1:
                raise ValueError(f"{name} must lie between 0 and 1, e.g. 0.05.")

    def choose(
        self, curve: Sequence[Mapping[str, Any]], sweep: Sweep
    ) -> tuple[float | Thresholds, str]:
        """Choose, where nothing is to be promised.

        curve (Sequence[Mapping[str, Any]]): The measures at each threshold.
        sweep (Sweep): Measures any other.
        RETURNS (tuple[float | Thresholds, str]): The threshold, and what is to be said of it.
        RAISES (ValueError): If no threshold gives what is wished.
        """
        if self.min_recall is not None and not self.by_class:
            row = choose_by_recall(curve, self.min_recall)
            says = f"The best precision with a recall of {self.min_recall:g} over tokens is at"
            return row["threshold"], f"{says} the threshold {row['threshold']:g}."
        best = choose(curve)["threshold"]
        one: Thresholds = dict.fromkeys((*sweep.phi_ner.labels, DEFAULT), best)
        says = f"The best F{self.beta:g} over tokens is at the threshold {best:g}."
        if self.min_recall is not None:
            says += f" Each class has the highest with which {self.min_recall:g} of it is covered."
            return raise_to_recall(one, sweep.get_recall_by_class, self.min_recall), says
        if self.max_clean_loss is not None:
            says += (
                f" Each class has the lowest that costs {self.max_clean_loss:g} of clean at most."
            )
            return lower(one, sweep.measure, self.max_clean_loss), says
        if self.by_class:
            says += " Each class has the one that is best for it."
            return raise_f_beta(one, sweep.measure, self.beta), says
        threshold = choose_modes(curve)[BALANCED]
        says = f"The best F{self.beta:g} over tokens is at the threshold {threshold:g}."
        return threshold, f"{says} The mode careful has {best:g}, which is as good and misses less."


def measure(sweep: Sweep, threshold: float, beta: float, seed: int) -> dict[str, Any]:
    """Measure a threshold.

    sweep (Sweep): Measures any.
    threshold (float): The threshold.
    beta (float): How many times as much recall counts.
    seed (int): Of the samples that the intervals come from.
    RETURNS (dict[str, Any]): The measures, and under `intervals` their 95 % intervals.
    """
    units = sweep.measure_units(threshold)
    intervals = get_intervals(units, beta, seed=seed)
    return {
        "threshold": threshold,
        **Counts(*np.sum(units, axis=0).tolist()).get_figures(beta),
        "intervals": {name: list(interval) for name, interval in intervals.items()},
    }


def print_table(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print measures.

    rows (Sequence[Mapping[str, Any]]): The threshold and the measures of each row.
    """
    names = [*get_measures(0), "strict_f"]
    cells = [[row["threshold"], *(f"{row[name]:.3f}" for name in names)] for row in rows]
    print(table(cells, header=["threshold", *names], divider=True))


if __name__ == "__main__":
    typer.run(tune_threshold)
