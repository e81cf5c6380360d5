"""Rules for what the lists know: which of it counts on its own."""

from collections.abc import Iterator

from spacy.tokens import Span

from ..labels import GAZETTEER_KEY
from .finds import Find, make_find
from .reading import Reading
from .rules import rule


@rule("stand.unambiguous")
def stand_unambiguous(reading: Reading) -> Iterator[Find]:
    """`i Visby` → `i [Visby]`: what is nothing else, of the kinds in `standalone`."""
    for hit, score in get_hits(reading):
        if hit.id_ in reading.standalone and score == 1.0:
            yield make_find(hit.start, hit.end, hit.label_, GAZETTEER_KEY, score, hit.id_)


@rule("stand.first_and_last", ["PERSON"])
def stand_first_and_last(reading: Reading) -> Iterator[Find]:
    """`Bo Sommar` → `[Bo Sommar]`: each may be an ordinary word, both with a capital are a person."""
    firsts: dict[int, Span] = {}
    for hit, _ in get_hits(reading):
        if hit.id_ == "first_name" and hit.text.istitle():
            firsts[hit.end] = hit
        if hit.id_ == "surname" and hit.text.istitle():
            before = reading.end_before(hit.start)
            if before in firsts:
                first = firsts[before]
                ends = first.start, hit.end
                yield make_find(*ends, "PERSON", GAZETTEER_KEY, 1.0, "first_name+surname")


def get_hits(reading: Reading) -> Iterator[tuple[Span, float]]:
    """The hits that no disease, drug or web address takes."""
    for hit, score in reading.scored_hits:
        tokens = range(hit.start, hit.end)
        if not reading.negative.isdisjoint(tokens):
            continue
        if hit.label_ == "ORGANISATION" and not reading.addresses.isdisjoint(tokens):
            continue
        yield hit, score
