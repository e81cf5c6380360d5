"""What a pipeline gets wrong, entity by entity: what kind of error, and what found or dropped it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from spacy.tokens import Doc, Span

from ..merging.rules import merger_rules
from ..shared.labels import (
    CONVERSATION_KEY,
    DOUBTED_KEY,
    GAZETTEER_KEY,
    KNOWN_KEY,
    LABELS,
    OWN_KEY,
    PHI_KEY,
    RULES_KEY,
)
from .figures import NOTHING
from .gold import Row
from .spans import get_entities, to_char_span, to_char_spans

# What finds or drops, by the span group that tells of it.
RULE = "rule"
ORIGINS = {
    RULES_KEY: "a pattern found it",
    GAZETTEER_KEY: "a list found it",
    PHI_KEY: "the model found it",
    KNOWN_KEY: "it is known of a participant",
    OWN_KEY: "a component of your own set it",
    CONVERSATION_KEY: "another message of the conversation told it",
    RULE: "a rule of the merger dropped it",
    NOTHING: "nothing found it",
}
# From the worst to the least; what each means is in `Fault`.
KINDS = ("missed", "cut", "spurious", "label", "bounds")


class Fault(NamedTuple):
    """An annotated entity that was not found as it is, or something found that is none.

    kind (str): `missed`: none of its letters and digits is covered; `cut`: some are left;
        `spurious`: found where nothing is annotated; `label`: of another class; `bounds`: covered,
        of the same class, from elsewhere or to elsewhere.
    start (int), end (int): Where it is in the text.
    gold (str), found (str): The annotated class and the one found, – for none.
    by (str): What found it (`rules:date.slash`, `phi`), or the rule that dropped it
        (`doubt.form`); – where nothing was found.
    score (float | None): The score of what was found.
    """

    kind: str
    start: int
    end: int
    gold: str
    found: str
    by: str
    score: float | None


def find_faults(row: Row, doc: Doc) -> Iterator[Fault]:
    """Compare a message as annotated with what was found in it.

    row (Row): The message with its spans.
    doc (Doc): The same after the pipeline.
    YIELDS (Fault): The errors, annotated entities first.
    """
    right = {*to_char_spans(row["spans"])} & {*get_entities(doc)}
    for span in row["spans"]:
        start, end, label = to_char_span(span)
        if (start, end, label) in right:
            continue
        ents = _get_overlapping(doc.ents, start, end)
        best = max(ents, key=lambda ent: _overlap(ent, start, end), default=None)
        kind = _tell_kind(doc.text, start, end, label, ents, best)
        if best is None:
            doubted = _get_overlapping(doc.spans.get(DOUBTED_KEY, ()), start, end)
            by = max(doubted, key=lambda ent: _overlap(ent, start, end)).id_ if doubted else NOTHING
            yield Fault(kind, start, end, label, NOTHING, by, None)
        else:
            yield Fault(kind, start, end, label, best.label_, get_origin(best), best._.score)
    for ent in doc.ents:
        if not any(s["start"] < ent.end_char and ent.start_char < s["end"] for s in row["spans"]):
            place = ent.start_char, ent.end_char
            yield Fault("spurious", *place, NOTHING, ent.label_, get_origin(ent), ent._.score)


def _get_overlapping(spans: Iterable[Span], start: int, end: int) -> list[Span]:
    return [span for span in spans if span.start_char < end and start < span.end_char]


def _overlap(span: Span, start: int, end: int) -> int:
    return min(span.end_char, end) - max(span.start_char, start)


def _tell_kind(
    text: str, start: int, end: int, label: str, ents: Sequence[Span], best: Span | None
) -> str:
    covered = {i for ent in ents for i in range(ent.start_char, ent.end_char)}
    letters = [i for i in range(start, end) if text[i].isalnum()]
    left = [i for i in letters if i not in covered]
    if best is None or len(left) == len(letters):
        return "missed"
    if left:
        return "cut"
    return "label" if best.label_ != label else "bounds"


def get_origin(ent: Span) -> str:
    """Tell what found an entity first."""
    trace = ent._.trace or ()
    return str(trace[0]["by"]) if trace else str(ent._.source or NOTHING)


def get_family(by: str) -> str:
    """Tell what kind of thing found or dropped something.

    by (str): What did, see `Fault`.
    RETURNS (str): One of `ORIGINS`.
    """
    if by in merger_rules:
        return RULE
    return by.partition(":")[0].partition("+")[0]


def describe_fault(row: Row, fault: Fault) -> dict[str, Any]:
    """Tell of an error what its reader needs. It holds the message.

    row (Row): The message with its spans.
    fault (Fault): The error.
    RETURNS (dict[str, Any]): The id of the message, what `Fault` has, the words and the message.
    """
    words = row["text"][fault.start : fault.end]
    return {"id": row.get("id"), **fault._asdict(), "words": words, "text": row["text"]}


def make_confusions(
    rows: Sequence[Row], faults: Sequence[Sequence[Fault]]
) -> dict[str, dict[str, int]]:
    """Count which class was taken for which: each annotated entity with the one found that covers
    most of it, and what was found beside.

    rows (Sequence[Row]): The messages with their spans.
    faults (Sequence[Sequence[Fault]]): The errors of each.
    RETURNS (dict[str, dict[str, int]]): The counts by annotated class, then by class found; – is
        none.
    """
    counts = {gold: dict.fromkeys((*LABELS, NOTHING), 0) for gold in (*LABELS, NOTHING)}
    for row, own in zip(rows, faults):
        wrong = {(fault.start, fault.end, fault.gold) for fault in own}
        for span in row["spans"]:
            if to_char_span(span) not in wrong:
                counts[span["label"]][span["label"]] += 1
        for fault in own:
            counts[fault.gold][fault.found] += 1
    return counts


def count_faults(faults: Iterable[Fault]) -> dict[str, dict[str, dict[str, int]]]:
    """Count errors.

    faults (Iterable[Fault]): The errors.
    RETURNS (dict[str, dict[str, dict[str, int]]]): By `class`, `origin` (one of `ORIGINS`) and
        `found_by`: the name, the kind of error, and how many.
    """
    tables: dict[str, dict[str, Counter[str]]] = {"class": {}, "origin": {}, "found_by": {}}
    for fault in faults:
        label = fault.found if fault.gold == NOTHING else fault.gold
        names = {"class": label, "origin": get_family(fault.by), "found_by": fault.by}
        for table, name in names.items():
            tables[table].setdefault(name, Counter())[fault.kind] += 1
    return {
        table: {
            name: {kind: counts[kind] for kind in KINDS}
            for name, counts in sorted(rows.items(), key=lambda item: (-item[1].total(), item[0]))
        }
        for table, rows in tables.items()
    }
