"""Laying hits over final entities: what is found besides, and what is to stay."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from spacy.tokens import Doc, Span


class Piece(NamedTuple):
    """Tokens that are PHI, or are found to be, on which evidence (names joined by "+"), how surely,
    and what found and changed them (`span._.trace`).
    """

    start: int
    end: int
    label: str
    source: str
    score: float
    trace: tuple[dict[str, Any], ...]


def read_entity(ent: Span) -> Piece:
    """An entity as a piece."""
    trace = tuple(ent._.trace)
    return Piece(ent.start, ent.end, ent.label_, ent._.source, ent._.score, trace)


def write_entities(doc: Doc, pieces: Iterable[Piece]) -> None:
    """Write pieces that do not overlap to doc.ents, in place of the present ones."""
    ents = []
    for piece in pieces:
        ent = Span(doc, piece.start, piece.end, label=piece.label)
        ent._.source, ent._.score = piece.source, piece.score
        ent._.trace = [*piece.trace]
        ents.append(ent)
    doc.ents = ents


def make_step(by: str, span: Span, label: str, score: float) -> dict[str, Any]:
    """Make a step of a trace: what found a span or changed it (`by`), and how it was then."""
    start, end = span.start_char, span.end_char
    return {"by": by, "start": start, "end": end, "label": label, "score": score}


def lay_over(doc: Doc, entities: Iterable[Piece], hits: Iterable[Piece]) -> list[Piece]:
    """Unite what shares a token. The longest decides the label, a hit before an entity."""
    groups: list[list[tuple[bool, Piece]]] = []
    end = 0
    pieces = [*((True, hit) for hit in hits), *((False, entity) for entity in entities)]
    for is_hit, piece in sorted(pieces, key=lambda pair: (pair[1].start, -pair[1].end)):
        if not groups or piece.start >= end:
            groups.append([])
        groups[-1].append((is_hit, piece))
        end = max(end, piece.end)
    return [_unite(doc, group) for group in groups]


def _unite(doc: Doc, group: Sequence[tuple[bool, Piece]]) -> Piece:
    if len(group) == 1:
        return group[0][1]

    def rank(pair: tuple[bool, Piece]) -> tuple[int, bool, float]:
        is_hit, piece = pair
        span = doc[piece.start : piece.end]
        return span.end_char - span.start_char, is_hit, piece.score

    label = max(group, key=rank)[1].label
    # Of the entities first, as they were found first.
    pieces = [piece for _, piece in sorted(group, key=lambda pair: pair[0])]
    start, end = min(piece.start for piece in pieces), max(piece.end for piece in pieces)
    score = max(piece.score for piece in pieces)
    names = dict.fromkeys(name for piece in pieces for name in piece.source.split("+"))
    steps = [step for piece in pieces for step in piece.trace]
    trace = (*steps, make_step("unite", doc[start:end], label, score))
    return Piece(start, end, label, "+".join(names), score, trace)


def take_out(doc: Doc, piece: Piece, tokens: Collection[int], by: str) -> list[Piece]:
    """Take tokens out: what is left on either side, from first to last letter or digit."""
    left: list[Piece] = []
    run: list[int] = []
    for i in range(piece.start, piece.end + 1):
        if i < piece.end and i not in tokens:
            run.append(i)
            continue
        telling = [token for token in run if any(map(str.isalnum, doc[token].text))]
        run = []
        if telling:
            start, end = telling[0], telling[-1] + 1
            step = make_step(by, doc[start:end], piece.label, piece.score)
            left.append(piece._replace(start=start, end=end, trace=(*piece.trace, step)))
    return left
