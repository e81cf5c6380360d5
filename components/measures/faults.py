"""What a pipeline gets wrong, entity by entity: what kind of error, and what found or dropped it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from spacy.tokens import Doc, Span

from ..shared.labels import DOUBTED_KEY
from .figures import NOTHING
from .gold import Row
from .spans import find_characters, get_entities, to_char_span, to_char_spans


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
    """Compare an annotated message with what a pipeline has found in it: annotated entities first."""
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
    letters = find_characters(text, [(start, end, label)])
    left = letters - find_characters(text, [(ent.start_char, ent.end_char, "") for ent in ents])
    if best is None or left == letters:
        return "missed"
    if left:
        return "cut"
    return "label" if best.label_ != label else "bounds"


def get_origin(ent: Span) -> str:
    """Tell what found an entity first."""
    trace = ent._.trace or ()
    return str(trace[0]["by"]) if trace else str(ent._.source or NOTHING)


def describe_fault(row: Row, fault: Fault) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): The id of the message, the fields of `Fault`, the words and the whole message."""
    words = row["text"][fault.start : fault.end]
    return {"id": row.get("id"), **fault._asdict(), "words": words, "text": row["text"]}
