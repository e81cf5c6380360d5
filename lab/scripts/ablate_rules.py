"""Measure what each rule of the span_merger is worth: the model's finds once, the merger again
without each rule. Writes the figures, and the page that lists the rules.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import spacy
import srsly
import typer
from spacy.tokens import Doc
from wasabi import msg

import components  # noqa: F401
from components.measures.gold import read_messages
from components.measures.scores import Scores
from components.measures.spans import CharSpan, get_entities, to_char_spans
from components.merging.rules import get_rules, merger_rules
from components.merging.span_merger import SpanMerger
from components.rules.phi_entity_ruler import PhiEntityRuler
from components.shared.labels import LABELS, SINGLE_CLASS
from training_tools.errors import clean_errors, demand_pipeline
from training_tools.markdown import fill_block, make_table

MEASURES = ("strict_f", "redact", "full", "clean")
Gold = Sequence[list[CharSpan]]


def ablate_rules(
    model_path: Path = typer.Argument(..., help="The trained pipeline"),
    data_path: Path = typer.Argument(..., help="Annotated messages, JSONL"),
    metrics_path: Path = typer.Argument(..., help="Where to write the figures, JSON"),
    page: Path | None = typer.Option(None, help="The page with the table of rules"),
    lower: bool = typer.Option(True, help="Also the same messages in lower case"),
) -> None:
    with clean_errors():
        messages = read_messages(data_path)
        demand_pipeline(model_path)
    nlp = spacy.load(model_path, disable=["surrogate_generator", "doc_cleaner"])
    texts = [message["text"] for message in messages]
    gold = [to_char_spans(message["spans"]) for message in messages]
    if lower:
        # What is longer in lower case has other offsets.
        same = [i for i, text in enumerate(texts) if len(text.lower()) == len(text)]
        texts, gold = texts + [texts[i].lower() for i in same], gold + [gold[i] for i in same]
    merger = cast(SpanMerger, nlp.get_pipe("span_merger"))
    with nlp.select_pipes(disable=["span_merger"]):
        docs = list(nlp.pipe(texts))
    with msg.loading("Merging without each rule"):
        figures = measure_rules(merger, docs, gold)
    metrics_path.parent.mkdir(parents=True, exist_ok=True)
    srsly.write_json(metrics_path, {"messages": len(docs), **figures})
    table = make_rule_table(figures)
    print(table)
    if page is not None:
        fill_block(page, "rules", table)
        ruler = cast(PhiEntityRuler, nlp.get_pipe("entity_ruler"))
        fill_block(page, "patterns", make_pattern_table(ruler.patterns))
        msg.good("Page written", page)


def measure_rules(merger: SpanMerger, docs: Sequence[Doc], gold: Gold) -> dict[str, Any]:
    """Merge with all rules, and without each.

    merger (SpanMerger): The pipe.
    docs (Sequence[Doc]): The documents, up to the model.
    gold (Sequence[List[Tuple[int, int, str]]]): Their true spans.
    RETURNS (Dict[str, Any]): "all": the measures with all rules; "rules": for each rule in how many
        messages it made a difference, in how many it was for the better or the worse, by true
        spans found less wrong ones, and how the measures change by it.
    """
    disabled = merger.disable
    with_all = [find(merger, doc) for doc in docs]
    base = score(docs, gold, with_all)
    rules = {}
    try:
        for id in [id for id in get_rules() if id not in disabled]:
            merger.disable = [*disabled, id]
            found = [find(merger, doc) for doc in docs]
            without = score(docs, gold, found)
            rules[id] = {
                **count_changes(gold, with_all, found),
                **{name: base[name] - without[name] for name in MEASURES},
            }
    finally:
        merger.disable = disabled
    return {"all": base, "rules": rules}


def find(merger: SpanMerger, doc: Doc) -> list[CharSpan]:
    return get_entities(merger(doc))


def score(docs: Sequence[Doc], gold: Gold, found: Gold) -> dict[str, float]:
    scores = Scores()
    for doc, true, predicted in zip(docs, gold, found):
        scores.add(doc.text, true, predicted)
    values = scores.entity().f1, scores.redact(), scores.full, scores.clean
    return dict(zip(MEASURES, values))


def count_changes(gold: Gold, with_rule: Gold, without: Gold) -> dict[str, int]:
    """Count the messages in which a rule makes a difference.

    gold, with_rule, without (Sequence[List[Tuple[int, int, str]]]): The true spans of each message,
        and those found with and without it.
    RETURNS (Dict[str, int]): "fired", "better", "worse".
    """
    counts: Counter[str] = Counter(fired=0, better=0, worse=0)
    for true, one, other in zip(gold, with_rule, without):
        if one != other:
            gain = len(set(true) ^ set(other)) - len(set(true) ^ set(one))
            counts["fired"] += 1
            counts["better"] += gain > 0
            counts["worse"] += gain < 0
    return dict(counts)


def make_rule_table(figures: dict[str, Any]) -> str:
    """Write the figures as a table in Markdown.

    figures (Dict[str, Any]): What `measure_rules` measured.
    RETURNS (str): The table.
    """
    head = ["rule", "classes", "what it does", "fired", "better", "worse"]
    rows = []
    for id, row in figures["rules"].items():
        rule = merger_rules.get(id)
        counts = [str(row[name]) for name in ("fired", "better", "worse")]
        changes = [f"{100 * row[name]:+.2f}" if row[name] else "0" for name in MEASURES]
        cells = [f"`{id}`", get_classes(rule.labels), rule.help, *counts, *changes]
        rows.append([cell.replace("|", "/") for cell in cells])
    return make_table([*head, "strict F1", "redact", "full", "clean"], rows)


def get_classes(labels: Iterable[str]) -> str:
    labels = [label for label in labels if label != SINGLE_CLASS]
    return "all" if len(labels) == len(LABELS) else ", ".join(labels)


def make_pattern_table(patterns: Iterable[dict[str, Any]]) -> str:
    """List the patterns as a table in Markdown.

    patterns (Iterable[Dict[str, Any]]): The patterns of the entity_ruler.
    RETURNS (str): The table: class, and the ids of its patterns.
    """
    ids: dict[str, list[str]] = {}
    for pattern in patterns:
        if "id" in pattern:
            label = "of no class" if pattern.get("negative") else pattern["label"]
            ids.setdefault(label, []).append(f"`{pattern['id']}`")
    return make_table(
        ["class", "patterns"], [[label, ", ".join(own)] for label, own in ids.items()]
    )


if __name__ == "__main__":
    typer.run(ablate_rules)
