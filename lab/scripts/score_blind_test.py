"""Score the answers to a blind test (`lab.scripts.blind_test`): how well readers told which messages were
changed. Nothing of a message is written or shown.

    python -m lab.scripts.score_blind_test blind/key.jsonl answers-a.jsonl answers-b.jsonl

Each file is a reader, called by its stem: JSONL with `id`, `answer` (original or changed) and, if you
like, `certainty` (1 guessing, 2 rather sure, 3 sure).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import srsly
import typer
from wasabi import msg, table

from lab.measures.blind_answers import OUTCOMES, Judged, read_answers, read_key, score_answers
from training_tools.errors import clean_errors

MEASURES = ("recall", "precision", "balanced_accuracy")


def score_blind_test(
    key: Annotated[Path, typer.Argument(help="The right answers, as written with the form")],
    answers: Annotated[list[Path], typer.Argument(help="Answers, a JSONL file each reader")],
    metrics: Annotated[Path, typer.Option(help="Where to write the figures, JSON")] = Path(
        "metrics/blind_test.json"
    ),
    seed: Annotated[int, typer.Option(help="Of the samples that the intervals come from")] = 0,
) -> None:
    """Score the answers to a blind test."""
    with clean_errors():
        right = read_key(key)
        readers: dict[str, list[Judged]] = {}
        for path in answers:
            if path.stem in readers:
                raise ValueError(f"Two readers are called {path.stem}: rename a file.")
            readers[path.stem] = read_answers(path, path.stem, right)
    figures = score_answers(right, readers, seed=seed)
    print_tables(figures)
    metrics.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics, figures)
    msg.good("Figures written", metrics)


def print_tables(figures: Mapping[str, Any]) -> None:
    """Print the figures.

    figures (Mapping[str, Any]): What `score_answers` gives.
    """
    msg.divider("Which messages were changed?")
    rows = [
        [name, row["answers"], *(row[outcome] for outcome in OUTCOMES), *_show_measures(row)]
        for name, row in {"ALL": figures["all"], **figures["readers"]}.items()
    ]
    _print(rows, ("", "answers", *OUTCOMES, *(name.replace("_", " ") for name in MEASURES)))
    for name in ("classes", "certainty"):
        shown = ("changed", "told", "share_told", "original", "mistaken", "share_mistaken")
        if figures[name]:
            msg.divider(f"By {name}")
            rows = [[of, *(_show(row[k]) for k in shown)] for of, row in figures[name].items()]
            _print(rows, ("", *(k.replace("_", " ") for k in shown)))
    if pairs := figures["agreement"]["pairs"]:
        msg.divider("Agreement")
        rows = [
            [
                " / ".join(pair["readers"]),
                pair["messages"],
                _show(pair["same"]),
                _show(pair["kappa"]),
            ]
            for pair in pairs
        ]
        means = figures["agreement"]
        rows.append(["mean", "", _show(means["same"]), _show(means["kappa"])])
        _print(rows, ("", "messages", "same", "kappa"))


def _show_measures(row: Mapping[str, Any]) -> list[str]:
    cells = []
    for name in MEASURES:
        bounds = row["intervals"].get(name)
        shown = f" [{bounds[0]:.3f}, {bounds[1]:.3f}]" if bounds else ""
        cells.append(_show(row[name]) + shown)
    return cells


def _show(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _print(rows: list[list[Any]], header: tuple[str, ...]) -> None:
    print(table([[str(cell) for cell in row] for row in rows], header=header, divider=True))


if __name__ == "__main__":
    typer.run(score_blind_test)
