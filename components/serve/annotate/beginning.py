"""What an annotation begins with: marks that something suggests, and the order of the messages."""

from collections.abc import Sequence
from random import Random
from typing import Any

from spacy.language import Language

from ...find_pipes import get_encoder_names, get_names
from ...labels import LABELS
from ...measures.gold import Row, demand_sound, group_conversations, make_docs
from ...measures.spans import get_entities
from ...pipes.gazetteer_matcher import GazetteerMatcher
from ...pipes.phi_entity_ruler import PhiEntityRuler
from ...pipes.phi_ner import PhiNer
from ...pipes.surrogate_generator import SurrogateGenerator
from ...sampling.scores import SCORES, score_messages
from .edits import Mark

NONE, FILE, RULES, LISTS, PIPELINE = SUGGESTERS = ("none", "file", "rules", "lists", "pipeline")
# What a message comes first by, and which of `SCORES` tells it.
ORDERS = {"file": "", "doubtful": "entropy", "phi": "phi", "random": ""}
# What does not run, beside the encoder, where the marks are not the whole pipeline's.
LEFT_OUT: dict[str, tuple[type, ...]] = {
    RULES: (PhiNer, GazetteerMatcher),
    LISTS: (PhiNer, PhiEntityRuler),
    PIPELINE: (),
}


def suggest(nlp: Language, rows: Sequence[Row], by: str) -> list[list[Mark]]:
    """Mark what the pipeline finds, or a part of it.

    nlp (Language): The pipeline.
    rows (Sequence[Row]): The messages.
    by (str): One of `SUGGESTERS` that the pipeline knows.
    RETURNS (list[list[Mark]]): The marks of each message.
    RAISES (ValueError): If a pipe fails on one.
    """
    names = get_names(nlp, *LEFT_OUT[by], SurrogateGenerator)
    if by != PIPELINE:
        names += get_encoder_names(nlp)
    with nlp.select_pipes(disable=names):
        docs = [*nlp.pipe(make_docs(nlp, rows, context=True))]
    demand_sound(docs)
    return [
        [
            {"start": start, "end": end, "label": label}
            for start, end, label in get_entities(doc)
            if label in LABELS
        ]
        for doc in docs
    ]


def order_messages(
    rows: Sequence[Row], by: str, nlp: Language | None = None, seed: int = 0
) -> list[int]:
    """Tell in which order messages are best annotated.

    rows (Sequence[Row]): The messages.
    by (str): One of `ORDERS`: as in the file; most doubtful first; most PHI expected first; at
        random, conversations whole.
    nlp (Language | None): The pipeline, which looks at them for some orders.
    seed (int): Of the random order.
    RETURNS (list[int]): Their places.
    """
    places = list(range(len(rows)))
    if by == "random":
        units = group_conversations(rows)
        Random(seed).shuffle(units)
        return [place for unit in units for place in unit]
    name = ORDERS[by]
    if name:
        assert nlp is not None and name in SCORES
        scores: dict[str, list[Any]] = score_messages(nlp, [*rows], False)[0]
        places.sort(key=lambda place: (-scores[name][place], place))
    return places
