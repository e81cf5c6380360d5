"""Curves and promises of the threshold as an outcome."""

from collections.abc import Mapping, Sequence
from typing import Any

from components.measures.bootstrap import Interval
from components.measures.figures import write_share
from training_tools.binomial import get_upper_bound
from training_tools.report.outcome import Outcome, Plot, Table
from training_tools.report.plots import Line, draw_lines
from training_tools.thresholds.certificate import Certificate

NAME = "tune-threshold"
PAPER = (
    "On the validation set of Arvidsson and Gerle (5.1.2) F1 was steady from .2 to .7, and recall fell "
    "from .12 on, which they took. Theirs are curves of KB-BERT alone; here they are of rules, lists "
    "and model merged, so they are flatter. Nothing was promised."
)


def get_measures(beta: float) -> dict[str, str]:
    """Name the measures of a curve.

    beta (float): How many times as much recall counts.
    RETURNS (dict[str, str]): What they are called, by name.
    """
    return {
        "p": "precision",
        "r": "recall",
        "f_beta": f"F{beta:g}",
        "redact": "redact",
        "full": "full",
        "clean": "clean",
    }


def make_outcome(
    curve: Sequence[Mapping[str, Any]],
    beta: float,
    says: str,
    chosen: float | Mapping[str, float],
    figures: Mapping[str, Any],
    certificate: Certificate | None = None,
) -> Outcome:
    """Make the outcome.

    curve (Sequence[Mapping[str, Any]]): The measures at each threshold, with their `intervals`.
    beta (float): How many times as much recall counts.
    says (str): What was chosen, and how.
    chosen (float | Mapping[str, float]): The threshold.
    figures (Mapping[str, Any]): All figures.
    certificate (Certificate | None): What can be promised, if that was asked for.
    RETURNS (Outcome): The outcome.
    """
    measures = get_measures(beta)
    tables = [_tabulate(curve, measures)]
    plots = [Plot("Measures against the threshold", _draw(curve, measures))]
    if isinstance(chosen, Mapping):
        rows = [[label, f"{value:g}"] for label, value in chosen.items()]
        tables.append(Table("Threshold of each class", ["class", "threshold"], rows))
    if certificate is not None:
        tables.append(_tabulate_tests(certificate))
        plots.append(Plot("Units that leak, against the threshold", _draw_leaks(certificate)))
    return Outcome(
        name=NAME,
        title="Which threshold, and what can be promised of it?",
        says=says,
        figures=dict(figures),
        tables=tables,
        plots=plots,
        paper=PAPER,
        reader="engineer" if certificate is None else "manager",
    )


def describe(certificate: Certificate, chosen: float | None) -> str:
    """Say what can be promised.

    certificate (Certificate): The promise.
    chosen (float | None): The threshold that was chosen of those that it holds of.
    RETURNS (str): Two sentences or three.
    """
    lowest = certificate.tested[0]
    confidence = f"with confidence {1 - certificate.delta:g}"
    if chosen is None:
        text = (
            f"A leak rate of at most {certificate.alpha:g} cannot be certified {confidence}: "
            f"{lowest.leaks} of {lowest.units} units leak at the lowest threshold. "
        )
    else:
        text = (
            f"At the threshold {chosen:g} at most {certificate.alpha:g} of such units leak, "
            f"{confidence}, as far as they are exchangeable with these {lowest.units}, and nothing "
            "was trained or chosen on them. "
        )
    return (
        f"{text}The smallest rate that the lowest threshold can be certified for is "
        f"{certificate.least:.4f} (without any leak among so many: "
        f"{certificate.least_without_leaks:.4f}). A unit is a conversation, or a message of none; it "
        "leaks if any letter or digit of what is annotated is left uncovered."
    )


def _tabulate(curve: Sequence[Mapping[str, Any]], measures: Mapping[str, str]) -> Table:
    rows = []
    for row in curve:
        cells = [
            write_share(row[name], row["intervals"][name]) if name in row["intervals"] else "–"
            for name in measures
        ]
        rows.append([f"{row['threshold']:g}", *cells])
    title = "Measures by threshold; precision, recall and F over tokens (95 % intervals)"
    return Table(title, ["threshold", *measures.values()], rows)


def _draw(curve: Sequence[Mapping[str, Any]], measures: Mapping[str, str]) -> str:
    lines = {}
    for name, shown in measures.items():
        rows = [row for row in curve if name in row["intervals"]]
        if rows:
            bounds = [Interval(*row["intervals"][name]) for row in rows]
            lines[shown] = Line(
                [row["threshold"] for row in rows],
                [row[name] for row in rows],
                [bound.low for bound in bounds],
                [bound.high for bound in bounds],
            )
    return draw_lines(lines, "threshold", "share", xscale="log")


def _tabulate_tests(certificate: Certificate) -> Table:
    rows = [
        [
            f"{one.threshold:g}",
            f"{one.leaks} of {one.units}",
            write_share(get_upper_bound(one.leaks, one.units, certificate.delta)),
            f"{one.p_value:.2g}",
            "yes" if one.threshold in certificate.certified else "no",
        ]
        for one in certificate.tested
    ]
    head = ["threshold", "leak", "upper bound", "p", f"at most {certificate.alpha:g}"]
    title = f"Thresholds tested one after the other, until one fails (delta {certificate.delta:g})"
    return Table(title, head, rows)


def _draw_leaks(certificate: Certificate) -> str:
    thresholds = [one.threshold for one in certificate.tested]
    rates = [one.leaks / one.units for one in certificate.tested]
    bounds = [
        get_upper_bound(one.leaks, one.units, certificate.delta) for one in certificate.tested
    ]
    lines = {
        "units that leak": Line(thresholds, rates),
        f"upper bound ({1 - certificate.delta:g})": Line(thresholds, bounds),
        "to be promised": Line(thresholds, [certificate.alpha] * len(thresholds)),
    }
    return draw_lines(lines, "threshold", "share of units", xscale="log")
