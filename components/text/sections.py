"""A long message is read in sections, so that memory and time are linear."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from spacy.tokens import Doc, Span, SpanGroup

from .hits import make_span

SIZE = 20_000  # characters
OVERLAP = 1_000
# Cut after one of these, as late as possible within the last part of a section.
CUTS = ("\n", " ")


class Section(NamedTuple):
    """A section of a text, and the characters whose finds are taken from it."""

    start: int
    end: int
    first: int
    last: int

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Find a stretch of the section in the whole text."""
        return self.start + start, self.start + end


class Whole(NamedTuple):
    """All of a text as one section, whose characters have other places in the other text."""

    last: int
    place: Callable[[int, int], tuple[int, int]]
    first: int = 0


# The part of a text that a doc was made of.
Part = Section | Whole


class Mark(NamedTuple):
    """A find, by its characters in the whole text."""

    start: int
    end: int
    label: str
    id: str
    values: tuple[Any, ...]


def get_sections(text: str, size: int = SIZE, overlap: int = OVERLAP) -> Iterator[Section]:
    """Cut a text into overlapping sections, at the end of a line or a word if there is one."""
    start = first = 0
    while start + size < len(text):
        end = _find_cut(text, start + size - overlap // 2, start + size)
        last = _find_cut(text, end - overlap, end - overlap // 2)
        yield Section(start, end, first, last)
        first = last
        start = _find_cut(text, last - overlap, last - overlap // 2)
    yield Section(start, len(text), first, len(text))


def _find_cut(text: str, low: int, high: int) -> int:
    """The place behind the last end of a line, or else of a word."""
    for sign in CUTS:
        at = text.rfind(sign, low, high)
        if at >= 0:
            return at + 1
    return high


def merge_sections(doc: Doc, parts: Sequence[tuple[Part, Doc]]) -> None:
    """Write what was found in the sections of a message to the message."""
    for key in dict.fromkeys(key for _, part in parts for key in part.spans):
        marks: dict[Mark, float | None] = {}
        for section, part in parts:
            group = part.spans.get(key, ())
            scores = group.attrs.get("scores", [None] * len(group)) if len(group) else []
            for span, score in zip(group, scores):
                mark = _mark(span, section)
                if mark:
                    marks.setdefault(mark, score)
        spans = [make_span(doc, *mark[:4]) for mark in marks]
        doc.spans[key] = SpanGroup(doc, name=key, spans=spans)
        for _, part in parts:
            # Attributes of the group that are dicts are merged.
            for name, value in part.spans.get(key, SpanGroup(part)).attrs.items():
                if isinstance(value, dict):
                    whole = doc.spans[key].attrs.setdefault(name, {})
                    whole.update(value)
        if None not in marks.values():
            doc.spans[key].attrs["scores"] = [*marks.values()]
    if not any(part.has_annotation("ENT_IOB") for _, part in parts):
        # No pipe has looked for entities.
        return
    found = [
        mark
        for section, part in parts
        for ent in part.ents
        if (mark := _mark(ent, section, ent._.source, ent._.score, _freeze(ent, section)))
    ]
    ents = []
    for mark in _unite(doc, sorted(set(found))):
        ent = make_span(doc, *mark[:4])
        ent._.source, ent._.score, trace = mark.values
        ent._.trace = [dict(step) for step in trace]
        ents.append(ent)
    doc.ents = ents


def _mark(span: Span, section: Part, *values: Any) -> Mark | None:
    start, end = section.place(span.start_char, span.end_char)
    if end <= section.first or start >= section.last:
        return None
    return Mark(start, end, span.label_, span.id_, values)


def _freeze(ent: Span, section: Part) -> tuple[tuple[tuple[str, Any], ...], ...]:
    """The trace of an entity, by its characters in the whole text, as what can be compared."""
    steps = []
    for step in ent._.trace:
        start, end = section.place(step["start"], step["end"])
        steps.append({**step, "start": start, "end": end})
    return tuple(tuple(step.items()) for step in steps)


def _unite(doc: Doc, marks: Sequence[Mark]) -> list[Mark]:
    """Make one of finds that share a token: what two sections saw of a name."""
    united: list[Mark] = []
    for mark in marks:
        span = make_span(doc, *mark[:4])
        mark = mark._replace(start=span.start_char, end=span.end_char)
        if united and mark.start < united[-1].end:
            last = united[-1]
            longer = max(last, mark, key=lambda one: one.end - one.start)
            united[-1] = longer._replace(start=last.start, end=max(last.end, mark.end))
        else:
            united.append(mark)
    return united
