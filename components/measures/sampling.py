"""How much there is to learn from a message, by the probabilities of its tokens."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from spacy.language import Language
from thinc.types import Floats2d

from ..model.decoding import sum_by_label
from ..model.phi_ner import PhiNer
from .gold import Row, make_docs
from .probabilities import iter_probabilities
from .spans import get_entities, to_rows


def sum_classes(probs: Floats2d) -> np.ndarray:
    """Sum the tags of each class."""
    tags = np.asarray(probs)
    return np.hstack([tags[:, :1], sum_by_label(tags[:, 1:])])


def count_phi(probs: Floats2d) -> float:
    """How many tokens of the message are expected to be PHI."""
    return float((1 - probs[:, 0]).sum())


def get_entropy(probs: Floats2d) -> float:
    """How much the model doubts the classes of the tokens, all together: total token entropy.

    Settles and Craven (2008): An analysis of active learning strategies for sequence labeling tasks,
    section 3.1.
    """
    classes = np.clip(sum_classes(probs), 1e-12, 1)
    return float(-(classes * np.log2(classes)).sum())


def get_closeness(probs: Floats2d) -> float:
    """How close the two likeliest classes of a token come, of the token where they come closest.

    Scheffer, Decomain and Wrobel (2001): Active hidden Markov models for information extraction.
    """
    if not len(probs):
        return 0.0
    first, second = np.sort(sum_classes(probs), axis=1)[:, :-3:-1].T
    return float(1 - (first - second).min())


SCORES: dict[str, Callable[[Floats2d], float]] = {
    "phi": count_phi,
    "entropy": get_entropy,
    "margin": get_closeness,
}


def score_messages(
    nlp: Language, rows: list[Row], pre_annotate: bool
) -> tuple[dict[str, list[float]], list[list[dict[str, Any]]]]:
    """Look at messages."""
    phi_ner = cast(PhiNer, nlp.get_pipe("phi_ner"))
    span_merger = nlp.get_pipe("span_merger")
    scores: dict[str, list[float]] = {name: [] for name in SCORES}
    found: list[list[dict[str, Any]]] = []
    for doc, probs in iter_probabilities(nlp, make_docs(nlp, rows, context=True)):
        for name, get_score in SCORES.items():
            scores[name].append(get_score(probs))
        if pre_annotate:
            phi_ner.set_annotations([doc], [probs])
            found.append(to_rows(get_entities(span_merger(doc))))
        else:
            found.append([])
    return scores, found
