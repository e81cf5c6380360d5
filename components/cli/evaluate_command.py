"""The command `evaluate`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from wasabi import table

from ..conversations.configuration import configure, read_settings
from ..measures.evaluation import (
    HEADLINES,
    Evaluation,
    evaluate_docs,
    name_corpora,
    tabulate_classes,
    tabulate_measures,
    tabulate_side_by_side,
)
from ..measures.faults import describe_fault, find_faults
from ..measures.gold import process_gold, read_gold
from ..model.backend import set_threads
from ..tables.errors import FileError
from ..tables.places import Place, demand_new, demand_other
from .options import CONFIG, CONTEXT, LOWER, THRESHOLD
from .terminal import show, wrong_usage


def evaluate(
    call: typer.Context,
    gold_paths: list[Path] = typer.Argument(
        ..., metavar="GOLD...", help="Annotated messages, JSONL", exists=True, dir_okay=False
    ),
    output: Path | None = typer.Option(
        None, "--output", dir_okay=False, help="Where to write all figures, JSON"
    ),
    errors: Path | None = typer.Option(
        None,
        "--errors",
        dir_okay=False,
        help="JSONL file for what was missed, cut or wrongly found, word by word; it HOLDS PHI",
    ),
    overwrite: bool = typer.Option(
        False, "--overwrite", "--force", help="Replace the files of figures and errors"
    ),
    show_all: bool = typer.Option(False, "--all", help="Show all measures, and each class"),
    threshold: float | None = THRESHOLD,
    config: Path | None = CONFIG,
    context: bool = CONTEXT,
    lower: bool = LOWER,
) -> None:
    """Measure on your own annotated messages what is found and what is left.

    A line of GOLD is {"id": "1", "text": "Hej Anna", "spans": [{"start": 4, "end": 8, "label":
    "PERSON"}]}, with "conversation" where a message belongs to one. Several files are measured side
    by side. In brackets: 95 % intervals, by bootstrap over conversations. No message is printed.

    Shown are redact, full and clean; with --all the other measures and each class, too. A line of the
    file of errors has the words that were missed, cut or wrongly found, by what, and the message.

    strict: right from end to end, and of the right class; relaxed: an overlap is enough; partial:
    an overlap is half; one class: whatever the class. redact: share of entities of which no letter
    or digit is left; full: share of messages with PHI of which that is true of all; clean: share of
    messages without PHI left as they are. left: entities not redacted, for each message; leak:
    entities not found strictly, for each sentence. –: nothing is to be counted.
    """
    written = [path for path in (output, errors) if path is not None]
    with wrong_usage(FileError):
        demand_other(written, [*gold_paths, *([config] if config else [])])
        demand_new(written, overwrite)
    with wrong_usage(ValueError):
        corpora = {
            name: read_gold(path) for name, path in zip(name_corpora(gold_paths), gold_paths)
        }
        settings = read_settings(config, threshold=threshold)
    set_threads(1)  # on busy cores, several wait for each other
    nlp = call.obj()
    evaluations = []
    faults: list[dict[str, Any]] = []
    with wrong_usage(ValueError):
        configure(nlp, settings)
        for name, rows in corpora.items():
            docs = process_gold(nlp, rows, context, lower)
            evaluations.append(evaluate_docs(name, rows, docs))
            faults += (
                {"corpus": name, **describe_fault(row, fault)}
                for row, doc in zip(rows, docs)
                for fault in find_faults(row, doc)
            )
    show(write_headlines(evaluations))
    if show_all:
        show(write_tables(evaluations))
    if errors is not None:
        with wrong_usage(FileError), Place(str(errors)).create() as file:
            lines = (json.dumps(fault, ensure_ascii=False) for fault in faults)
            file.writelines(line.encode("utf8", "backslashreplace") + b"\n" for line in lines)
        typer.echo(f"Errors written to {errors}: {len(faults)}. It HOLDS PHI.", err=True)
    if output is not None:
        figures = {each.corpus: each.get_figures() for each in evaluations}
        with wrong_usage(FileError), Place(str(output)).create() as file:
            file.write(json.dumps(figures, ensure_ascii=False, indent=2).encode("utf8"))
        typer.echo(f"All figures are in {output}.", err=True)


def write_headlines(evaluations: Sequence[Evaluation]) -> str:
    """Write the figures that matter most."""
    sizes = [f"{each.scores.n_messages} messages" for each in evaluations]
    spans = [f"{each.scores.entity().gold} spans" for each in evaluations]
    rows = [
        [name, *(each.write(name) for each in evaluations), meaning]
        for name, meaning in HEADLINES.items()
    ]
    names = [each.corpus for each in evaluations]
    return table([["", *sizes, ""], ["", *spans, ""], *rows], header=["", *names, ""], divider=True)


def write_tables(evaluations: Sequence[Evaluation]) -> str:
    """Write measures for the screen."""
    names = [each.corpus for each in evaluations]
    parts = [table(tabulate_side_by_side(evaluations), header=["", *names], divider=True)]
    for each in evaluations:
        scores = each.scores
        title = f"{each.corpus}: {scores.n_messages} messages, {scores.entity().gold} spans"
        parts += [
            title,
            table(tabulate_measures(each), header=["", "P", "R", "F1"], divider=True),
            table(
                tabulate_classes(each),
                header=["class", "strict P / R / F1", "token P / R / F1", "redact", "spans"],
                divider=True,
            ),
        ]
    return "\n".join(parts)
