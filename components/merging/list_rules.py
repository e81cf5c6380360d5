"""Rules for what the lists know: which of it counts on its own."""

from collections.abc import Iterator

from spacy.tokens import Span

from ..shared.labels import GAZETTEER_KEY
from .facts import Facts
from .finds import Find, make_find
from .rules import rule


@rule("stand.unambiguous")
def stand_unambiguous(facts: Facts) -> Iterator[Find]:
    """`i Visby` → `i [Visby]`: what is nothing else, of the kinds in `standalone`."""
    for hit, score in _iter_hits(facts):
        if hit.id_ in facts.standalone and score == 1.0:
            yield make_find(hit.start, hit.end, hit.label_, GAZETTEER_KEY, score, hit.id_)


@rule("stand.first_and_last", ["PERSON"])
def stand_first_and_last(facts: Facts) -> Iterator[Find]:
    """`Bo Sommar` → `[Bo Sommar]`: each may be an ordinary word, both with a capital are a person."""
    firsts: dict[int | None, Span] = {}
    for hit, _ in _iter_hits(facts):
        if not hit.text.istitle():
            continue
        if hit.id_ == "first_name":
            firsts[hit.end] = hit
        first = firsts.get(facts.end_before(hit.start)) if hit.id_ == "surname" else None
        if first is not None:
            ends = first.start, hit.end
            yield make_find(*ends, "PERSON", GAZETTEER_KEY, 1.0, "first_name+surname")


def _iter_hits(facts: Facts) -> Iterator[tuple[Span, float]]:
    """The hits that are no part of a disease, a drug, a term or a timestamp's time."""
    for hit, score in facts.hits:
        if (facts.negative | facts.beside).isdisjoint(range(hit.start, hit.end)):
            yield hit, score
