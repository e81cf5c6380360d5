"""Score the answers to a blind test (`lab.scripts.blind_test`): how well readers told which messages were
changed. Nothing of a message is written or shown.

    python -m lab.scripts.score_blind_test blind/key.jsonl answers-a.jsonl answers-b.jsonl

Each file is a reader, called by its stem: JSONL with `id`, `answer` (original or changed) and, if you
like, `certainty` (1 guessing, 2 rather sure, 3 sure). Where words were to be marked (`--form leaks`), a line
holds `real`, a list of words or of `[start, end]`, and the form is needed, too:

    python -m lab.scripts.score_blind_test blind/key.jsonl answers-a.jsonl --form blind/form/form.jsonl
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import srsly
import typer
from wasabi import msg, table

from components.measures.figures import NOTHING, write_share
from components.measures.gold import read_messages
from lab.measures.blind_answers import (
    OUTCOMES,
    read_answers,
    read_key,
    read_objects,
    score_answers,
)
from lab.measures.leak_test import read_leak_key, read_marks, score_marks
from lab.measures.marks import COUNTS
from training_tools.errors import clean_errors

# Means of four, Carrell et al. (2020): Resilience of clinical text de-identified with "hiding in plain sight"
# to hostile reidentification attacks by human readers. doi:10.1093/jamia/ocaa095
PUBLISHED = (".268", ".372")
MEASURES = ("recall", "precision", "balanced_accuracy")


def score_blind_test(
    key: Annotated[Path, typer.Argument(help="The right answers, as written with the form")],
    answers: Annotated[list[Path], typer.Argument(help="Answers, a JSONL file each reader")],
    metrics: Annotated[Path, typer.Option(help="Where to write the figures, JSON")] = Path(
        "metrics/blind_test.json"
    ),
    seed: Annotated[int, typer.Option(help="Of the samples that the intervals come from")] = 0,
    form: Annotated[
        Path | None, typer.Option(help="The form.jsonl that was read, where words were marked")
    ] = None,
) -> None:
    """Score the answers to a blind test."""
    with clean_errors():
        stems = [path.stem for path in answers]
        if twice := [stem for stem in stems if stems.count(stem) > 1]:
            raise ValueError(f"Two readers are called {twice[0]}: rename a file.")
        if any("leaks" in row for _, row in read_objects(key)):
            figures = score_leaks(key, dict(zip(stems, answers)), form, seed)
            print_marks(figures)
        else:
            right = read_key(key)
            readers = {path.stem: read_answers(path, path.stem, right) for path in answers}
            figures = score_answers(right, readers, seed=seed)
            print_tables(figures)
    metrics.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics, figures)
    msg.good("Figures written", metrics)


def score_leaks(
    key: Path, answers: Mapping[str, Path], form: Path | None, seed: int
) -> dict[str, Any]:
    """Score marks.

    key (Path): The right answers.
    answers (Mapping[str, Path]): Each reader's.
    form (Path | None): The messages that were read.
    seed (int): Of the samples.
    RETURNS (dict[str, Any]): What `score_marks` gives.
    RAISES (ValueError): If there is no form, or something is wrong with the answers.
    """
    if form is None:
        raise ValueError("Words were marked in this test: name the form that was read, --form.")
    right = read_leak_key(key)
    texts = {row["id"]: row["text"] for row in read_messages(form, annotated=False)}
    readers = {name: read_marks(path, right, texts) for name, path in answers.items()}
    return score_marks(right, texts, readers, seed=seed)


def print_marks(figures: Mapping[str, Any]) -> None:
    """Print the figures of marks.

    figures (Mapping[str, Any]): What `score_marks` gives.
    """
    msg.divider("Which words were missed?")
    rows = []
    named = {"ALL": figures["all"], "by any": figures["any"], **figures["readers"]}
    for name, row in named.items():
        shares = [write_share(row[n], row["intervals"].get(n)) for n in ("recall", "precision")]
        rows.append([name, *(row[count] for count in COUNTS), *shares])
    rows.append(["published: human readers", *[NOTHING] * len(COUNTS), *PUBLISHED])
    _print(rows, ("", *(count.replace("_", " ") for count in COUNTS), "recall", "precision"))
    print(f"Precision by chance: {write_share(figures['any']['base'])}")


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
