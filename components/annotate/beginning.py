"""What an annotation begins with: suggested marks, the order of the messages, work done elsewhere."""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import cast

from spacy.language import Language

from ..lists.gazetteer_matcher import GazetteerMatcher
from ..measures.gold import Row, demand_sound, group_conversations, make_docs
from ..measures.sampling import score_messages
from ..measures.spans import get_entities, to_rows
from ..model.phi_ner import PhiNer
from ..rules.phi_entity_ruler import PhiEntityRuler
from ..shared.find_pipes import get_encoder_names, get_names
from ..shared.labels import LABELS
from ..surrogates.surrogate_generator import SurrogateGenerator
from .choices import By, Order
from .edits import Mark, accept
from .store import DONE, Store, StoreError, check_layer

# Which of `SCORES` tells what comes first.
SCORED_BY = {Order.DOUBTFUL: "entropy", Order.PHI: "phi"}
# What does not run, beside the encoder, where the marks are not the whole pipeline's.
LEFT_OUT: dict[By, tuple[type, ...]] = {
    By.RULES: (PhiNer, GazetteerMatcher),
    By.LISTS: (PhiNer, PhiEntityRuler),
    By.PIPELINE: (),
}


def suggest(nlp: Language, rows: Sequence[Row], by: By) -> list[list[Mark]]:
    """Mark what the pipeline finds, or a part of it, or raise ValueError if a pipe fails."""
    names = get_names(nlp, *LEFT_OUT[by], SurrogateGenerator)
    if by is not By.PIPELINE:
        names += get_encoder_names(nlp)
    with nlp.select_pipes(disable=names):
        docs = [*nlp.pipe(make_docs(nlp, rows, context=True))]
    demand_sound(docs)
    found = ([span for span in get_entities(doc) if span[2] in LABELS] for doc in docs)
    return [cast(list[Mark], to_rows(spans)) for spans in found]


def order_messages(
    rows: Sequence[Row], by: Order, nlp: Language | None = None, seed: int = 0
) -> list[int]:
    """Order messages: as in the file; most doubtful or most PHI first; shuffled conversations."""
    places = list(range(len(rows)))
    if by is Order.RANDOM:
        units = group_conversations(rows)
        Random(seed).shuffle(units)
        return [place for unit in units for place in unit]
    if by in SCORED_BY:
        assert nlp is not None
        scores = score_messages(nlp, [*rows], False)[0][SCORED_BY[by]]
        places.sort(key=lambda place: (-scores[place], place))
    return places


def add_layers(store: Store, layers: Mapping[str, Sequence[Row]]) -> None:
    """Take over the finished work of annotators. Signs that a name may not have become hyphens."""
    places = {row["id"]: place for place, row in enumerate(store.rows)}
    for name, rows in layers.items():
        layer = name_layer(name)
        for row in rows:
            state = store.get(places[row["id"]], layer)
            comment = row.get("comment")
            comment = comment if isinstance(comment, str) else None
            store.change(state, accept(row["spans"]), status=DONE, comment=comment)


def name_layer(name: str) -> str:
    """Turn what another tool calls an annotator, such as an e-mail address, into a name that is valid here."""
    try:
        return check_layer(name)
    except StoreError:
        return check_layer(re.sub(r"[^\w.-]+", "-", name)[:40].strip("-.") or "annotator")
