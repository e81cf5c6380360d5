"""Measure a pipeline on one set of messages, and write the tables into a page."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import spacy
import typer
from spacy.language import Language
from wasabi import msg
from weasel.util import get_checksum

import components  # noqa: F401
from components.measures.evaluation import Evaluation, write_prf
from components.measures.gold import read_gold
from components.measures.scores import ONE
from components.model.phi_ner import PhiNer
from lab.workbench.beside_papers import add_papers
from lab.workbench.printed import PRINTED, keep_figures
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import demand_clean, fill_block, get_state, make_table, write_threshold
from training_tools.pipeline_parts import MERGED, evaluate_systems, write_figures
from training_tools.report.evaluation_outcome import make_evaluation_outcome, tabulate
from training_tools.report.folder import write_outcome
from training_tools.report.outcome import print_tables


def results(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages, JSONL"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    page: Path | None = typer.Option(
        None, help="A page to write the tables into; figures.json beside it keeps its figures"
    ),
    block: str = typer.Option("", help="The block of the page; default: the name of the corpus"),
    title: str = typer.Option("", help="What the messages are"),
    context: bool = typer.Option(False, help="Read a message with what was said before it"),
    lower: bool = typer.Option(False, help="Write all messages in lower case first"),
    papers: bool = typer.Option(False, "--papers", help="Write an outcome beside the papers, too"),
) -> None:
    with clean_errors():
        messages = read_gold(data_path)
        demand_pipeline(model_path)
        if page is not None:
            demand_clean(page)
    nlp = spacy.load(model_path, disable=["surrogate_generator", "doc_cleaner"])
    with clean_errors():
        _, systems = evaluate_systems(nlp, data_path.stem, messages, context=context, lower=lower)
    print_tables(tabulate([systems[MERGED]], systems))
    measured = {data_path.stem: systems}
    write_figures(metrics_path, measured, [data_path], get_checksum(model_path), title)
    if papers:
        merged = [systems[MERGED]]
        outcome = add_papers(make_evaluation_outcome(merged, systems), merged)
        msg.good("Outcome written", write_outcome(outcome, metrics_path.parent))
    if page is not None:
        name = block or data_path.stem
        with clean_errors():
            fill_block(page, name, make_page(nlp, systems))
        threshold = write_threshold(cast(PhiNer, nlp.get_pipe("phi_ner")).threshold)
        keep_figures(page.with_name(PRINTED), name, systems[MERGED], title, threshold)
        msg.good("Page written", page)


def make_page(nlp: Language, systems: Mapping[str, Evaluation]) -> str:
    """Write the measures as Markdown, with the date and the state of the project.

    nlp (Language): The pipeline.
    systems (Mapping[str, Evaluation]): The measures of each system.
    RETURNS (str): Two tables: systems, classes.
    """
    rows = []
    for system, each in systems.items():
        found = each.intervals if system == MERGED else {}
        scores = each.scores
        cells = [write_prf(scores.entity(), found.get("strict.f"))]
        prfs: Sequence = (scores.entity(ONE), scores.token(), scores.token(ONE))
        cells += [write_prf(prf) for prf in prfs]
        for name in ("redact", "full", "clean"):
            cells.append(each.write(name) if system == MERGED else each.write(name).split(" ")[0])
        rows.append([system, *cells])
    head = ["P / R / F1", "strict", "one class", "token", "token, one class"]
    table_of_systems = make_table([*head, "redact", "full", "clean"], rows)
    head = ["strict P / R / F1", *systems, "redact", "spans"]
    table_of_classes = make_table(head, tabulate_by_system(systems))
    scores = systems[MERGED].scores
    threshold = write_threshold(cast(PhiNer, nlp.get_pipe("phi_ner")).threshold)
    state = f"{scores.n_messages} messages, {scores.entity().gold} spans, threshold {threshold}; "
    state += f"{get_state()}. In brackets: 95 % intervals."
    return f"{state}\n\n{table_of_systems}\n\n{table_of_classes}"


def tabulate_by_system(systems: Mapping[str, Evaluation]) -> list[list[str]]:
    """RETURNS (list[list[str]]): The measures by class, for each system."""
    scores = systems[MERGED].scores
    return [
        [label, *(write_prf(each.scores.entity(label)) for each in systems.values())]
        + [systems[MERGED].write(f"per_class.{label}.redact").split(" ")[0]]
        + [str(scores.entity(label).gold)]
        for label in systems[MERGED].labels
    ]


if __name__ == "__main__":
    typer.run(results)
