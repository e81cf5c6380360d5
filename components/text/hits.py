"""Evidence on a document: span groups with a score for each span, parallel in `attrs["scores"]`."""

from collections.abc import Iterable, Iterator

from spacy.tokens import Doc, Span, SpanGroup


def write_hits(doc: Doc, key: str, hits: Iterable[tuple[Span, float]]) -> None:
    """Write spans and their scores to a span group, in place of the present ones."""
    hits = list(hits)
    group = SpanGroup(doc, name=key, spans=[span for span, _ in hits])
    group.attrs["scores"] = [score for _, score in hits]
    doc.spans[key] = group


def iter_hits(doc: Doc, key: str) -> Iterator[tuple[Span, float]]:
    """Iterate over the spans of a group and their scores. A document may lack the group."""
    if key in doc.spans:
        group = doc.spans[key]
        yield from zip(group, group.attrs["scores"])


def make_span(doc: Doc, start: int, end: int, label: str, id: str = "") -> Span:
    """Make a span of all tokens that a stretch touches; ValueError if the text lacks it."""
    span = doc.char_span(start, end, label, alignment_mode="expand", span_id=id)
    if span is None:
        raise ValueError(f"There are no characters {start} to {end} in a text of {len(doc.text)}.")
    return span


def get_tokens(spans: Iterable[Span]) -> set[int]:
    """The indices of the tokens of spans."""
    return {i for span in spans for i in range(span.start, span.end)}
