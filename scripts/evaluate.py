"""Evaluate a pipeline on an annotated JSONL corpus: rules, lists and model alone, and merged."""

from collections.abc import Sequence
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
from corpus_tools.errors import clean_errors, demand_pipeline
from corpus_tools.formats.jsonl import read_messages
from corpus_tools.markdown import fill_block, get_state, make_table

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
) -> None:
    chosen = _get_labels(labels)
    with clean_errors():
        messages = read_messages(data_path)
        demand_pipeline(model_path)
    nlp = spacy.load(model_path, disable=disable.split(",") if disable else [])
    if threshold is not None:
        cast(PhiNer, nlp.get_pipe("phi_ner")).threshold = threshold
    scores = {name: Scores(chosen) for name in SYSTEMS}
    docs = nlp.pipe([message["text"] for message in messages])
    for message, doc in zip(messages, docs):
        gold = [(span["start"], span["end"], span["label"]) for span in message["spans"]]
        for name, key in SYSTEMS.items():
            scores[name].add(doc.text, gold, _get_spans(doc, key))
    print_tables(data_path.stem, scores, chosen)
    if metrics_path is not None:
        metrics_path.parent.mkdir(parents=True, exist_ok=True)
        figures = {name: get_figures(all_, chosen) for name, all_ in scores.items()}
        srsly.write_json(metrics_path, figures)
        msg.good("Figures written", metrics_path)
    if page is not None:
        with clean_errors():
            fill_block(page, block or data_path.stem, make_page(nlp, len(messages), scores, chosen))
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


def get_figures(scores: Scores, labels: list[str]) -> dict[str, Any]:
    """Gather all measures of one system.

    scores (Scores): The counts.
    labels (List[str]): The classes.
    RETURNS (Dict[str, Any]): Measures, from 0 to 1.
    """

    def prf(values: Prf) -> dict[str, float]:
        return {"p": values.precision, "r": values.recall, "f": values.f1}

    return {
        "strict": prf(scores.entity()),
        "strict_one_class": prf(scores.entity_one_class),
        "token": prf(scores.token()),
        "token_one_class": prf(scores.token_one_class),
        "redact": scores.redact(),
        "full": scores.full,
        "clean": scores.clean,
        "messages": scores.messages["phi"] + scores.messages["no_phi"],
        "per_class": {
            label: {**prf(scores.entity(label)), "redact": scores.redact(label)} for label in labels
        },
    }


def print_tables(name: str, scores: dict[str, Scores], labels: list[str]) -> None:
    """Print the measures: one table for the systems, one for the classes.

    name (str): Name of the corpus.
    scores (Dict[str, Scores]): The counts of each system.
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
    for label in labels:
        cells = []
        for all_ in scores.values():
            p = all_.entity(label)
            cells.append(f"{p.precision:.3f} {p.recall:.3f} {p.f1:.3f}")
        merged = scores["merged"]
        rows.append([label, *cells, f"{merged.redact(label):.3f}", str(merged.entity(label).gold)])
    print(table(rows, header=["strict P R F1", *scores, "redact", "gold"], divider=True))


def make_page(nlp: Language, n: int, scores: dict[str, Scores], labels: Sequence[str]) -> str:
    """Write the measures as Markdown, with the date and the state of the project.

    nlp (Language): The pipeline.
    n (int): The number of messages.
    scores (Dict[str, Scores]): The counts of each system.
    labels (Sequence[str]): The classes.
    RETURNS (str): Two tables: systems, classes.
    """
    rows = []
    for system, all_ in scores.items():
        prfs = (all_.entity(), all_.entity_one_class, all_.token(), all_.token_one_class)
        shares = (all_.redact(), all_.full, all_.clean)
        rows.append([system, *map(_write_prf, prfs), *(f"{share:.3f}" for share in shares)])
    head = ["P / R / F1", "strict", "one class", "token", "token, one class"]
    systems = make_table([*head, "redact", "full", "clean"], rows)
    rows = [
        [label, *(_write_prf(all_.entity(label)) for all_ in scores.values())]
        + [f"{scores['merged'].redact(label):.3f}", str(scores["merged"].entity(label).gold)]
        for label in labels
    ]
    classes = make_table(["strict P / R / F1", *scores, "redact", "spans"], rows)
    spans = scores["merged"].entity().gold
    threshold = cast(PhiNer, nlp.get_pipe("phi_ner")).threshold
    state = f"{n} messages, {spans} spans, threshold {threshold:g}; {get_state()}."
    return f"{state}\n\n{systems}\n\n{classes}"


def _write_prf(prf: Prf) -> str:
    return f"{prf.precision:.3f} / {prf.recall:.3f} / {prf.f1:.3f}"


if __name__ == "__main__":
    typer.run(evaluate)
