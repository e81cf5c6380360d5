"""Curves and promises of the threshold as an outcome."""

from collections.abc import Mapping, Sequence
from typing import Any

from components.measures.figures import write_share
from components.measures.gate import get_upper_bound
from training_tools.report.outcome import Outcome, Plot, Table
from training_tools.report.plots import Line, draw_lines
from training_tools.thresholds.certificate import Certificate
from training_tools.thresholds.choice import Choice, Row

# What is drawn and printed, by the names of the measures.
MEASURES = {
    "p": "precision",
    "r": "recall",
    "f_beta": "F{beta:g}",
    "redact": "redact",
    "full": "full",
    "clean": "clean",
}


def make_outcome(
    curve: Sequence[Row], beta: float, choice: Choice, figures: dict[str, Any], data: str
) -> Outcome:
    measures = {name: shown.format(beta=beta) for name, shown in MEASURES.items()}
    tables = [_tabulate(curve, measures)]
    if isinstance(choice.threshold, Mapping):
        rows = [[label, f"{value:g}"] for label, value in choice.threshold.items()]
        tables.append(Table("Threshold of each class", ["class", "threshold"], rows))
    if choice.certificate is not None:
        tables.append(_tabulate_tests(choice.certificate))
    return Outcome(
        name="tune-threshold",
        title="Which threshold, and what can be promised of it?",
        says=choice.says,
        figures=figures,
        tables=tables,
        plots=[Plot("Measures against the threshold", _draw(curve, measures))],
        reader="engineer" if choice.certificate is None else "manager",
        data=data,
    )


def _tabulate(curve: Sequence[Row], measures: Mapping[str, str]) -> Table:
    rows = []
    for row in curve:
        cells = [
            write_share(row[name], row["intervals"][name]) if name in row["intervals"] else "–"
            for name in measures
        ]
        rows.append([f"{row['threshold']:g}", *cells])
    title = "Measures by threshold; precision, recall and F over tokens (95 % intervals)"
    return Table(title, ["threshold", *measures.values()], rows)


def _draw(curve: Sequence[Row], measures: Mapping[str, str]) -> str:
    lines = {}
    for name, shown in measures.items():
        rows = [row for row in curve if name in row["intervals"]]
        if rows:
            low, high = zip(*(row["intervals"][name] for row in rows))
            values = [row[name] for row in rows]
            lines[shown] = Line([row["threshold"] for row in rows], values, low, high)
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
