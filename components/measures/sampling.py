"""How much there is to learn from a message, by the probabilities of its tokens."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import minibatch
from thinc.types import Floats2d

from ..conversations.configuration import configured
from ..language.language import ChatLanguage
from ..model.decoding import sum_by_label
from ..model.phi_ner import PhiNer
from .gold import Row, demand_sound, make_docs
from .spans import get_entities, to_rows


def iter_probabilities(nlp: Language, docs: Iterable[Doc | str]) -> Iterator[tuple[Doc, Floats2d]]:
    """Run a pipeline up to its tagger, and yield each doc, to which `phi_ner.set_annotations` may
    be applied, with its tag probabilities, shape (n_tokens, n_tags).
    """
    phi_ner = cast(PhiNer, nlp.get_pipe("phi_ner"))
    behind = nlp.pipe_names[nlp.pipe_names.index("phi_ner") :]
    # The tagger needs the tokens that the pipes before it have read: those of the text as it is.
    as_it_is = {"clean": "none"} if isinstance(nlp, ChatLanguage) else {}
    with nlp.select_pipes(disable=behind), configured(nlp, as_it_is):
        for batch in minibatch(nlp.pipe(docs), nlp.batch_size):
            demand_sound(batch)
            for doc, probs in zip(batch, phi_ner.predict(batch)):
                yield doc, cast(Floats2d, np.asarray(phi_ner.model.ops.to_numpy(probs)))


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
