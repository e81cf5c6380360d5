"""Evaluate a pipeline on an annotated JSONL corpus: rules, lists and model alone, and merged, each
measure with its 95 % confidence interval.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import spacy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from wasabi import msg, table

import components  # noqa: F401
from components.labels import GAZETTEER_KEY, LABELS, PHI_KEY, RULES_KEY
from components.model.scoring import CharSpan, Prf, Scores
from components.pipes.phi_ner import PhiNer
from corpus_tools.errors import clean_errors, demand_pipeline, demand_sound
from corpus_tools.formats.docs import make_docs
from corpus_tools.formats.jsonl import read_messages
from corpus_tools.markdown import fill_block, get_state, make_table, write_share
from corpus_tools.measures.bootstrap import Interval, get_intervals, number_units

MAIN = {"strict F1": "strict.f", "redact": "redact", "full": "full", "clean": "clean"}
SYSTEMS = {"rules": RULES_KEY, "lists": GAZETTEER_KEY, "model": PHI_KEY, "merged": None}


def evaluate(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages, JSONL"),
    metrics_path: Path | None = typer.Argument(None, help="Where to write the figures, JSON"),
    labels: str = typer.Option("", help="Only these classes, comma-separated"),
    threshold: float | None = typer.Option(None, help="Decision threshold of phi_ner"),
    disable: str = typer.Option("surrogate_generator", help="Pipes to leave out"),
    page: Path | None = typer.Option(None, help="A page to write the tables into"),
    block: str = typer.Option("", help="The block of the page, the name of the corpus by default"),
    context: bool = typer.Option(False, help="Read a message with what was said before it"),
    lower: bool = typer.Option(False, help="Write all messages in lower case first"),
) -> None:
    chosen = _get_labels(labels)
    with clean_errors():
        messages = read_messages(data_path)
        demand_pipeline(model_path)
    nlp = spacy.load(model_path, disable=disable.split(",") if disable else [])
    if threshold is not None:
        cast(PhiNer, nlp.get_pipe("phi_ner")).threshold = threshold
    numbers = number_units(messages)
    units = {name: [Scores(chosen) for _ in set(numbers)] for name in SYSTEMS}
    docs = [*nlp.pipe(make_docs(nlp, messages, context, lower))]
    with clean_errors():
        demand_sound(docs)
    for message, number, doc in zip(messages, numbers, docs):
        gold = [(span["start"], span["end"], span["label"]) for span in message["spans"]]
        for name, key in SYSTEMS.items():
            units[name][number].add(doc.text, gold, _get_spans(doc, key))
    scores = {name: add_up(parts, chosen) for name, parts in units.items()}
    intervals = {name: get_intervals(parts, chosen) for name, parts in units.items()}
    print_tables(data_path.stem, scores, intervals, chosen)
    if metrics_path is not None:
        metrics_path.parent.mkdir(parents=True, exist_ok=True)
        figures = {name: get_figures(scores[name], intervals[name], chosen) for name in SYSTEMS}
        srsly.write_json(metrics_path, figures)
        msg.good("Figures written", metrics_path)
    if page is not None:
        with clean_errors():
            content = make_page(nlp, scores, intervals["merged"], chosen)
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
    spans = doc.ents if key is None else doc.spans.get(key, ())
    found = [(span.start_char, span.end_char, span.label_) for span in spans]
    # Lists also hold what speaks against PHI, and titles; and one word may be in several.
    return [span for span in dict.fromkeys(found) if key != GAZETTEER_KEY or span[2] in LABELS]


def add_up(parts: Sequence[Scores], labels: Sequence[str]) -> Scores:
    """Add up the counts of a corpus.

    parts (Sequence[Scores]): The counts of its parts.
    labels (Sequence[str]): The classes that count.
    RETURNS (Scores): Their sum.
    """
    total = Scores(labels)
    for part in parts:
        total.update(part)
    return total


def get_figures(
    scores: Scores, intervals: Mapping[str, Interval], labels: Sequence[str]
) -> dict[str, Any]:
    """Gather all measures of one system.

    scores (Scores): The counts.
    intervals (Mapping[str, Interval]): The intervals by name.
    labels (Sequence[str]): The classes.
    RETURNS (Dict[str, Any]): Measures, from 0 to 1, and under `intervals` the same with low and
        high, without those that nothing could be counted for.
    """
    ratios = scores.get_ratios(labels)
    return {
        **_nest({name: ratio.value for name, ratio in ratios.items()}),
        "messages": scores.messages["phi"] + scores.messages["no_phi"],
        "intervals": _nest({name: list(interval) for name, interval in intervals.items()}),
    }


def _nest(values: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for name, value in values.items():
        *path, last = name.split(".")
        inner = nested
        for part in path:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return nested


def print_tables(
    name: str,
    scores: dict[str, Scores],
    intervals: Mapping[str, Mapping[str, Interval]],
    labels: list[str],
) -> None:
    """Print the measures: tables for the systems, their intervals, and the classes.

    name (str): Name of the corpus.
    scores (Dict[str, Scores]): The counts of each system.
    intervals (Mapping[str, Mapping[str, Interval]]): The intervals of each system.
    labels (List[str]): The classes.
    """
    rows = []
    for system, all_ in scores.items():
        prfs = (all_.entity(), all_.entity_one_class, all_.token(), all_.token_one_class)
        shares = (all_.redact(), all_.full, all_.clean)
        cells = [f"{p.precision:.3f} {p.recall:.3f} {p.f1:.3f}" for p in prfs]
        rows.append([system, *cells, *(f"{share:.3f}" for share in shares)])
    head = ["P R F1", "strict", "one class", "token", "token, one class"]
    msg.divider(name)
    print(table(rows, header=[*head, "redact", "full", "clean"], divider=True))
    rows = []
    for system, all_ in scores.items():
        ratios = all_.get_ratios(labels)
        found = intervals[system]
        cells = [write_share(ratios[key].value, found.get(key)) for key in MAIN.values()]
        rows.append([system, *cells])
    print(table(rows, header=["95 % intervals", *MAIN], divider=True))
    rows = []
    for label in labels:
        cells = []
        for all_ in scores.values():
            p = all_.entity(label)
            cells.append(f"{p.precision:.3f} {p.recall:.3f} {p.f1:.3f}")
        merged = scores["merged"]
        rows.append([label, *cells, f"{merged.redact(label):.3f}", str(merged.entity(label).gold)])
    print(table(rows, header=["strict P R F1", *scores, "redact", "gold"], divider=True))


def make_page(
    nlp: Language,
    scores: dict[str, Scores],
    intervals: Mapping[str, Interval],
    labels: Sequence[str],
) -> str:
    """Write the measures as Markdown, with the date and the state of the project.

    nlp (Language): The pipeline.
    scores (Dict[str, Scores]): The counts of each system.
    intervals (Mapping[str, Interval]): The intervals of the merged result.
    labels (Sequence[str]): The classes.
    RETURNS (str): Two tables: systems, classes.
    """
    rows = []
    for system, all_ in scores.items():
        found = intervals if system == "merged" else {}
        one_class, token, token_one = all_.entity_one_class, all_.token(), all_.token_one_class
        cells = [_write_prf(all_.entity(), found.get("strict.f"))]
        cells += [_write_prf(prf) for prf in (one_class, token, token_one)]
        for name in ("redact", "full", "clean"):
            cells.append(write_share(all_.get_ratios(())[name].value, found.get(name)))
        rows.append([system, *cells])
    head = ["P / R / F1", "strict", "one class", "token", "token, one class"]
    systems = make_table([*head, "redact", "full", "clean"], rows)
    merged = scores["merged"]
    rows = [
        [label, *(_write_prf(all_.entity(label)) for all_ in scores.values())]
        + [write_share(merged.redact(label)), str(merged.entity(label).gold)]
        for label in labels
    ]
    classes = make_table(["strict P / R / F1", *scores, "redact", "spans"], rows)
    messages = merged.messages["phi"] + merged.messages["no_phi"]
    threshold = _write_threshold(cast(PhiNer, nlp.get_pipe("phi_ner")).threshold)
    state = f"{messages} messages, {merged.entity().gold} spans, threshold {threshold}; "
    state += f"{get_state()}. In brackets: 95 % intervals."
    return f"{state}\n\n{systems}\n\n{classes}"


def _write_threshold(threshold: float | Mapping[str, float]) -> str:
    if isinstance(threshold, Mapping):
        return ", ".join(f"{label} {value:g}" for label, value in threshold.items())
    return f"{threshold:g}"


def _write_prf(prf: Prf, interval: Interval | None = None) -> str:
    shares = [write_share(prf.precision), write_share(prf.recall), write_share(prf.f1, interval)]
    return " / ".join(shares)


if __name__ == "__main__":
    typer.run(evaluate)
