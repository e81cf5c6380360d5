"""Report how well a pipeline does on annotated messages of your own."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import spacy
import srsly
import typer
from spacy.tokens import Doc
from wasabi import msg

import components  # noqa: F401
from components.measures.evaluation import name_corpora
from components.measures.faults import find_faults
from components.measures.gold import Row, read_gold
from components.shared.labels import LABELS
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.pipeline_parts import MERGED, demand_figures, evaluate_systems, write_figures
from training_tools.report.errors import make_error_outcome, make_faults_page
from training_tools.report.evaluation_outcome import make_evaluation_outcome
from training_tools.report.fault_counts import KINDS, count_faults, make_confusions
from training_tools.report.folder import FOLDER, REPORT, write_outcome
from training_tools.report.leaks import evaluate_authors, make_leak_outcome
from training_tools.report.outcome import describe_rows, print_tables


def report(
    model_path: Annotated[Path, typer.Argument(help="The trained pipeline")],
    data_paths: Annotated[
        list[Path],
        typer.Argument(help="Annotated messages, JSONL; the first file makes the page of errors"),
    ],
    metrics: Annotated[Path, typer.Option(help="Folder of the figures and pages")] = FOLDER,
    context: Annotated[
        bool, typer.Option(help="Read a message with what was said before it")
    ] = False,
    most: Annotated[int, typer.Option(min=0, help="How many messages with errors to show")] = 200,
) -> None:
    """Report what is found, what leaks and which errors there are, on pages."""
    with clean_errors():
        corpora = {
            name: read_gold(path) for name, path in zip(name_corpora(data_paths), data_paths)
        }
        demand_pipeline(model_path)
        demand_figures(metrics / "report.json")
    nlp = spacy.load(model_path, disable=["surrogate_generator"])
    results, authors, docs = {}, {}, {}
    for name, rows in corpora.items():
        with clean_errors():
            docs[name], results[name] = evaluate_systems(nlp, name, rows, context=context)
        authors[name] = evaluate_authors(name, rows, docs[name], LABELS)
    write_figures(metrics / "report.json", results, data_paths, None)
    first = next(iter(corpora))
    merged = [systems[MERGED] for systems in results.values()]
    outcome = make_evaluation_outcome(merged, results[first])
    print_tables(outcome.tables)
    write_outcome(outcome, metrics)
    write_outcome(make_leak_outcome(merged, authors), metrics)
    report_errors(data_paths[0], corpora[first], docs[first], metrics, most)
    msg.good("Report written", metrics / REPORT)


def report_errors(
    data_path: Path, rows: Sequence[Row], docs: Sequence[Doc], metrics: Path, most: int
) -> None:
    """Write counts of the errors for the report, and the page of the messages that have some."""
    faults = [[*find_faults(row, doc)] for row, doc in zip(rows, docs)]
    confusions = make_confusions(rows, faults)
    counts = count_faults(fault for own in faults for fault in own)
    srsly.write_json(metrics / "errors.json", {"confusions": confusions, **counts})
    wrong = [case for case in zip(rows, docs, faults) if case[2]]
    wrong.sort(key=lambda case: min(KINDS.index(fault.kind) for fault in case[2]))
    outcome = make_error_outcome(describe_rows(data_path, rows), confusions, counts, len(wrong))
    print_tables(outcome.tables)
    write_outcome(outcome, metrics)
    path = metrics / "errors.html"
    page = make_faults_page(data_path.stem, outcome, wrong[:most], len(wrong[most:]))
    path.write_text(page, encoding="utf8")
    msg.warn("Page written. It QUOTES MESSAGES: keep it where they are kept", path)


if __name__ == "__main__":
    typer.run(report)
