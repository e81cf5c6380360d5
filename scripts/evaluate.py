"""Evaluate a pipeline on annotated JSONL corpora, one or several side by side: rules, lists and model
alone, and merged, each measure with its 95 % confidence interval.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import spacy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from wasabi import msg, table
from weasel.util import get_checksum

import components  # noqa: F401
from components.labels import GAZETTEER_KEY, LABELS, PHI_KEY, RULES_KEY
from components.measures.evaluation import (
    Evaluation,
    evaluate_docs,
    name_corpora,
    tabulate_measures,
    tabulate_side_by_side,
    write_prf,
)
from components.measures.gold import demand_sound, make_docs, read_gold
from components.measures.spans import CharSpan, get_entities
from components.messages.custom import configured
from components.pipes.phi_ner import CAREFUL, PhiNer
from corpus_tools.errors import clean_errors, demand_pipeline
from corpus_tools.markdown import demand_clean, fill_block, get_state, make_table
from corpus_tools.pages.evaluation import make_evaluation_outcome
from corpus_tools.pages.leaks import evaluate_authors, make_leak_outcome
from corpus_tools.workbench.outcome import write_outcome

MERGED = "merged"
SYSTEMS = {"rules": RULES_KEY, "lists": GAZETTEER_KEY, "model": PHI_KEY, MERGED: None}


def evaluate(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages, JSONL"),
    metrics_path: Path | None = typer.Argument(None, help="Where to write the figures, JSON"),
    labels: str = typer.Option("", help="Only these classes, comma-separated"),
    threshold: float | None = typer.Option(None, help="Decision threshold of phi_ner"),
    disable: str = typer.Option("surrogate_generator,doc_cleaner", help="Pipes to leave out"),
    page: Path | None = typer.Option(None, help="A page to write the tables into"),
    block: str = typer.Option("", help="The block of the page, the name of the corpus by default"),
    context: bool = typer.Option(False, help="Read a message with what was said before it"),
    lower: bool = typer.Option(False, help="Write all messages in lower case first"),
    beside: str = typer.Option("", help="More corpora to put side by side, blanks between them"),
    report: bool = typer.Option(False, "--report", help="Put what comes out into the report, too"),
) -> None:
    chosen = _get_labels(labels)
    paths = [data_path, *map(Path, beside.split())]
    with clean_errors():
        corpora = {name: read_gold(path) for name, path in zip(name_corpora(paths), paths)}
        demand_pipeline(model_path)
        if page is not None:
            demand_clean(page)
        if metrics_path is not None:
            _demand_figures(metrics_path)
    nlp = spacy.load(model_path, disable=disable.split(",") if disable else [])
    if threshold is not None:
        cast(PhiNer, nlp.get_pipe("phi_ner")).threshold = threshold
    results, authors = {}, {}
    for name, messages in corpora.items():
        docs = [*nlp.pipe(make_docs(nlp, messages, context, lower))]
        with clean_errors():
            demand_sound(docs)
        results[name] = {
            system: evaluate_docs(name, messages, docs, chosen, lambda doc, key=key: _get_spans(doc, key))  # type: ignore[misc]
            for system, key in SYSTEMS.items()
        }  # fmt: skip
        if "phi_ner" in nlp.pipe_names and CAREFUL in nlp.get_pipe("phi_ner").thresholds:
            with configured(nlp, {"mode": CAREFUL}):
                careful = [*nlp.pipe(make_docs(nlp, messages, context, lower))]
            results[name][CAREFUL] = evaluate_docs(name, messages, careful, chosen)
        authors[name] = evaluate_authors(name, messages, docs, chosen)
        print_tables(results[name])
    merged = [systems[MERGED] for systems in results.values()]
    if len(merged) > 1:
        head = ["side by side", *results]
        print(table(tabulate_side_by_side(merged), header=head, divider=True))
    if metrics_path is not None:
        # Figures of other settings say nothing of the pipeline as it is.
        as_it_is = threshold is None and not labels
        write_figures(metrics_path, results, paths, get_checksum(model_path) if as_it_is else None)
    if report:
        systems = next(iter(results.values()))
        write_outcome(make_evaluation_outcome(merged, systems))
        path = write_outcome(make_leak_outcome(merged, authors))
        msg.good("Report written", path)
    if page is not None:
        with clean_errors():
            content = make_page(nlp, next(iter(results.values())))
            fill_block(page, block or data_path.stem, content)
        msg.good("Page written", page)


def _get_labels(labels: str) -> list[str]:
    chosen = [label.strip() for label in labels.split(",") if label.strip()] or list(LABELS)
    unknown = [label for label in chosen if label not in LABELS]
    if unknown:
        known = f"Known: {', '.join(LABELS)}"
        msg.fail(f"Unknown classes: {', '.join(unknown)}", known, exits=2)  # type: ignore[call-overload]
    return chosen


def _get_spans(doc: Doc, key: str | None) -> list[CharSpan]:
    if key is None:
        return get_entities(doc)
    found = [(span.start_char, span.end_char, span.label_) for span in doc.spans.get(key, ())]
    # Lists also hold what speaks against PHI, and titles; and one word may be in several.
    return [span for span in dict.fromkeys(found) if key != GAZETTEER_KEY or span[2] in LABELS]


def _demand_figures(path: Path) -> Any:
    """RETURNS (Any): The figures that lie in a file already, None if there is no file."""
    if not path.exists():
        return None
    try:
        figures = srsly.read_json(path)
        return figures if figures[MERGED]["messages"] >= 0 else None
    except (ValueError, TypeError, KeyError):
        raise ValueError(
            f"{path} holds something else than figures of this command: name another file."
        ) from None


def write_figures(
    path: Path,
    results: Mapping[str, Mapping[str, Evaluation]],
    files: Sequence[Path],
    pipeline: str | None,
) -> None:
    """Write the figures. Those of another corpus that lie there are kept: they move to a file with the
    corpus in its name, where also go the figures of all corpora but the first.

    path (Path): The file, `metrics/evaluation.json`; that of `own/b.jsonl` beside it is
        `metrics/evaluation-own-b.json`.
    results (Mapping[str, Mapping[str, Evaluation]]): The measures by corpus and by system.
    files (Sequence[Path]): The files of the corpora.
    pipeline (str | None): The checksum of the pipeline; None if it was not measured as it is.
    """
    measured = {"pipeline": pipeline, "state": get_state()}
    path.parent.mkdir(parents=True, exist_ok=True)

    def name_file(file: str) -> Path:
        name = re.sub(r"[^\w.]+", "-", str(Path(file).with_suffix(""))).strip("-.")
        return path.with_name(f"{path.stem}-{name}.json")

    kept = _demand_figures(path)
    # Before the corpus was in the figures, nobody knows which it was.
    before = str(files[0]) if kept is None else kept[MERGED].get("file", "earlier")
    if before != str(files[0]):
        path.replace(name_file(before))
        msg.info(f"What was measured on {before} is now in {name_file(before)}")
    for number, (corpus, file) in enumerate(zip(results, files)):
        target = name_file(str(file)) if number else path
        figures = {
            system: {**each.get_figures(), "file": str(file), **measured}
            for system, each in results[corpus].items()
        }
        srsly.write_json(target, figures)
        msg.good(f"Figures of {corpus} written", target)


def print_tables(systems: Mapping[str, Evaluation]) -> None:
    """Print the measures: tables for the systems, their intervals, and the classes.

    systems (Mapping[str, Evaluation]): The measures of each system.
    """
    merged = systems[MERGED]
    msg.divider(merged.corpus)
    rows = []
    for system, each in systems.items():
        scores = each.scores
        prfs = (scores.entity(), scores.entity_one_class, scores.token(), scores.token_one_class)
        rates = [each.write(name) for name in ("redact", "full", "clean")]
        rows.append([system, *(write_prf(prf) for prf in prfs), *rates])
    head = ["P / R / F1", "strict", "one class", "token", "token, one class"]
    print(table(rows, header=[*head, "redact", "full", "clean"], divider=True))
    print(table(tabulate_measures(merged), header=[MERGED, "P", "R", "F1"], divider=True))
    head = ["strict P / R / F1", *systems, "redact", "gold"]
    print(table(_tabulate_classes(systems), header=head, divider=True))


def _tabulate_classes(systems: Mapping[str, Evaluation]) -> list[list[str]]:
    scores = systems[MERGED].scores
    return [
        [label, *(write_prf(each.scores.entity(label)) for each in systems.values())]
        + [systems[MERGED].write(f"per_class.{label}.redact").split(" ")[0]]
        + [str(scores.entity(label).gold)]
        for label in systems[MERGED].labels
    ]


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
        prfs: Sequence = (scores.entity_one_class, scores.token(), scores.token_one_class)
        cells += [write_prf(prf) for prf in prfs]
        for name in ("redact", "full", "clean"):
            cells.append(each.write(name) if system == MERGED else each.write(name).split(" ")[0])
        rows.append([system, *cells])
    head = ["P / R / F1", "strict", "one class", "token", "token, one class"]
    table_of_systems = make_table([*head, "redact", "full", "clean"], rows)
    head = ["strict P / R / F1", *systems, "redact", "spans"]
    table_of_classes = make_table(head, _tabulate_classes(systems))
    scores = systems[MERGED].scores
    threshold = write_threshold(cast(PhiNer, nlp.get_pipe("phi_ner")).threshold)
    state = f"{scores.n_messages} messages, {scores.entity().gold} spans, threshold {threshold}; "
    state += f"{get_state()}. In brackets: 95 % intervals."
    return f"{state}\n\n{table_of_systems}\n\n{table_of_classes}"


def write_threshold(threshold: float | Mapping[str, float]) -> str:
    """RETURNS (str): A threshold, or those of the classes."""
    if isinstance(threshold, Mapping):
        return ", ".join(f"{label} {value:g}" for label, value in threshold.items())
    return f"{threshold:g}"


if __name__ == "__main__":
    typer.run(evaluate)
