"""From the entities of docs to mentions, and from surrogates to the new text."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from spacy.tokens import Doc, Span

from ...shared.labels import SINGLE_CLASS
from ...text.casing import fold
from ...text.folding import fold_text
from ..places.addresses import BETWEEN, find_inside, is_address
from .replacer import is_same
from .resemblance import shows
from .scope import Mention

TIMES = ("DATE", "AGE")
DASHES = "–—"
# What a surname that is not listed may be taken for, and what tells that it is a place.
UNSURE = ("LOCATION", "ORGANISATION")
WITHIN = (["i"], ["på"], ["vid"])
NEAR = 40  # how much of the text around an entity is read


class TextSpan(NamedTuple):
    """What of a text is replaced as one: an entity and, behind an address, the flat, the floor, the
    door, c/o. The names are those of a span."""

    start_char: int
    end_char: int
    label_: str
    text: str


def get_text_spans(text: str, entities: Sequence[Span]) -> list[TextSpan]:
    """Get what is replaced of a text: a span for each of its entities, which are in order."""
    spans: list[TextSpan] = []
    limits = [*(entity.start_char for entity in entities[1:]), len(text)]
    address = -1  # where the last part of an address ends
    for entity, limit in zip(entities, limits):
        start, end, label = entity.start_char, entity.end_char, entity.label_
        if label == "LOCATION":
            goes_on = address >= 0 and BETWEEN.fullmatch(text, address, start)
            if goes_on or is_address(text[start:end]):
                address = end = find_inside(text, end, limit)
        spans.append(TextSpan(start, end, label, text[start:end]))
    return spans


def as_people(
    texts: Sequence[str],
    entities: Sequence[Sequence[TextSpan]],
    is_listed: Callable[[str], bool],
) -> list[list[TextSpan]]:
    """Take unlisted places and organisations for people that are called like the surname of one: `tvärskog`,
    where somebody is called Lena Tvärskog."""
    words = [e.text.split() for own in entities for e in own if e.label_ == "PERSON"]
    surnames = {fold(own[-1]) for own in words if len(own) > 1}

    def read(text: str, entity: TextSpan) -> TextSpan:
        form = fold(entity.text)
        is_like = form in surnames or (form.endswith("s") and form[:-1] in surnames)
        if entity.label_ not in UNSURE or not is_like or is_listed(entity.text):
            return entity
        is_within = text[: entity.start_char].lower().split()[-1:] in WITHIN
        return entity if is_within else entity._replace(label_="PERSON")

    return [[read(text, entity) for entity in own] for text, own in zip(texts, entities)]


def class_of(entity: TextSpan | Span) -> str:
    """Get the class of an entity: its label; of what a single-class model found the one that it looks like."""
    if entity.label_ != SINGLE_CLASS:
        return entity.label_
    text = entity.text
    digits = sum(c.isdigit() for c in text)
    if "@" in text:
        return "EMAIL"
    if digits in (10, 12) and not text.startswith(("0", "+", "(")):
        return "PID"
    if digits >= 7 and text.lstrip("(").startswith(("0", "+")):
        return "PHONE"
    if digits and any(unit in text.lower() for unit in ("år", "mån", "veckor")):
        return "AGE"
    return "DATE" if digits else "PERSON"


def in_own_order(texts: Sequence[str], entities: Sequence[Sequence[TextSpan]]) -> list[int]:
    """Order messages in a way that does not depend on how they were given."""
    if len(texts) < 2:
        return [*range(len(texts))]

    def content(i: int) -> tuple[str, list[tuple[int, int, str]]]:
        return texts[i], [(e.start_char, e.end_char, e.label_) for e in entities[i]]

    return sorted(range(len(texts)), key=content)


def make_mention(entity: TextSpan | Span, text: str, message: int) -> Mention:
    """Make the mention of an entity, with the text around it, all of it folded."""
    start, end = entity.start_char, entity.end_char
    parts = text[start:end], text[max(0, start - NEAR) : start], text[end : end + NEAR]
    inside, before, after = (fold_text(part).text for part in parts)
    return Mention(inside, before, after, message, start)


def with_dashes(original: str, new: str) -> str:
    """Write a time, which is made of folded text, with the en or em dash of an original without a hyphen."""
    dash = next((dash for dash in DASHES if dash in original), None)
    return new.replace("-", dash) if dash and "-" not in original else new


def join_repeated(
    text: str, entities: Sequence[TextSpan], surrogates: Sequence[str]
) -> tuple[list[TextSpan], list[str]]:
    """Join the two parts of a name that were found apart and have one placeholder: `Hans` and, right
    behind it, `Müller` are not `[PERSON_1] [PERSON_1]`."""
    joined: list[TextSpan] = []
    written: list[str] = []
    for entity, new in zip(entities, surrogates):
        start, end = entity.start_char, entity.end_char
        last = joined[-1] if joined and new == written[-1] else None
        if (
            last
            and entity.label_ == "PERSON"
            and text[last.end_char : start].isspace()
            and last.text.isalpha()
            and entity.text.isalpha()
            and not shows(last.text, entity.text)
        ):
            start = last.start_char
            joined[-1] = TextSpan(start, end, entity.label_, text[start:end])
        else:
            joined.append(entity)
            written.append(new)
    return joined, written


def write_replacements(
    doc: Doc, text: str, entities: Sequence[TextSpan | Span], surrogates: Sequence[str]
) -> None:
    """Write `doc._.deidentified`, and what was replaced where to `doc._.replacements`."""
    spans = []
    for entity, surrogate in zip(entities, surrogates):
        start, end, label = entity.start_char, entity.end_char, entity.label_
        new = with_dashes(text[start:end], surrogate) if label in TIMES else surrogate
        spans.append((start, end, label, new))
    doc._.deidentified, replacements = replace_spans(text, spans)
    for entry in replacements:
        if is_same(text[entry["start"] : entry["end"]], entry["replacement"]):
            # Only what points at nobody stays (`surrogates.replacer.Replacer.keeps`), or what the
            # strategy keeps.
            entry["kept"] = True
    doc._.replacements = replacements


def replace_spans(
    text: str, spans: Iterable[tuple[int, int, str, str]]
) -> tuple[str, list[dict[str, Any]]]:
    """Put something in the place of spans of a text.

    spans (Iterable[tuple[int, int, str, str]]): Start, end and label of each, and what replaces it, in order.
    RETURNS (tuple[str, list[dict[str, Any]]]): The new text, and what was replaced where.
    """
    replacements: list[dict[str, Any]] = []
    out: list[str] = []
    position = length = 0
    for start, end, label, new in spans:
        out += (text[position:start], new)
        length += start - position + len(new)
        place = {"start": start, "end": end, "label": label, "replacement": new}
        replacements.append({**place, "out_start": length - len(new), "out_end": length})
        position = end
    return "".join(out) + text[position:], replacements
