"""List what a pipeline gets wrong on annotated messages: who is taken for whom, by class and by what
found or dropped it, in figures, and in a page with the messages.
"""

from pathlib import Path

import spacy
import srsly
import typer
from wasabi import msg, table

import components  # noqa: F401
from components.measures.faults import (
    KINDS,
    ORIGINS,
    count_faults,
    find_faults,
    make_confusions,
)
from components.measures.gold import demand_sound, make_docs, read_gold
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.report.errors import make_error_outcome
from training_tools.report.faults import make_faults_page
from training_tools.report.outcome import write_outcome


def list_errors(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages, JSONL"),
    metrics_path: Path = typer.Argument(..., help="Where to write the counts, JSON (no PHI)"),
    page_path: Path | None = typer.Argument(None, help="Where to write the page, HTML (holds PHI)"),
    context: bool = typer.Option(False, help="Read a message with what was said before it"),
    report: bool = typer.Option(False, "--report", help="Put the counts into the report, too"),
    most: int = typer.Option(200, min=0, help="How many messages to show"),
) -> None:
    with clean_errors():
        rows = read_gold(data_path)
        demand_pipeline(model_path)
    nlp = spacy.load(model_path, disable=["surrogate_generator"])
    docs = list(nlp.pipe(make_docs(nlp, rows, context)))
    with clean_errors():
        demand_sound(docs)
    faults = [[*find_faults(row, doc)] for row, doc in zip(rows, docs)]
    confusions = make_confusions(rows, faults)
    counts = count_faults(fault for own in faults for fault in own)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, {"confusions": confusions, **counts})
    for name, by in counts.items():
        titles = ORIGINS if name == "origin" else {}
        lines = [
            [titles.get(row, row), *(kinds[kind] or "" for kind in KINDS)]
            for row, kinds in by.items()
        ]
        print(table(lines, header=[name.replace("_", " "), *KINDS], divider=True))
    msg.good("Counts written", metrics_path)
    if report:
        n_spans = sum(len(row["spans"]) for row in rows)
        data = f"{data_path.stem} ({len(rows):,} messages, {n_spans:,} spans)"
        n_wrong = sum(bool(own) for own in faults)
        write_outcome(make_error_outcome(data, confusions, counts, n_wrong))
    if page_path is None:
        return
    wrong = [case for case in zip(rows, docs, faults) if case[2]]
    wrong.sort(key=lambda case: min(KINDS.index(fault.kind) for fault in case[2]))
    page = make_faults_page(data_path.stem, confusions, counts, wrong[:most], len(wrong[most:]))
    page_path.parent.mkdir(parents=True, exist_ok=True)
    page_path.write_text(page, encoding="utf8")
    msg.warn("Page written. It QUOTES MESSAGES: keep it where they are kept", page_path)


if __name__ == "__main__":
    typer.run(list_errors)
