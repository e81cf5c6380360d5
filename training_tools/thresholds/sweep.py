"""The merged result under one threshold after the other."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from thinc.types import Floats2d

from components.measures.bootstrap import get_middle_ratio, number_units, resample
from components.measures.sampling import iter_probabilities
from components.measures.scores import ONE, Scores
from components.measures.spans import CharSpan, get_entities, to_char_spans
from components.model.decoding import find_phi
from components.model.phi_ner import PhiNer

# From 0.02 on; below it lies what only a promise needs (`certificate.py`).
THRESHOLDS = (0.02, 0.05, 0.08, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
# The first three over tokens, classes taken as one.
MEASURES = ("p", "r", "f_beta", "strict_f", "redact", "full", "clean")

Thresholds = dict[str, float]


def count(scores: Scores, beta: float) -> np.ndarray:
    """Count what the measures are made of. Counts of messages add up.

    RETURNS (np.ndarray): Part and whole of each of `MEASURES`, shape (7, 2). With t, p and g the tokens
        found and true, found, and true, F-beta is (1 + b²) t / (p + b² g).
    """
    tokens, spans, messages = scores.token(ONE), scores.entity(), scores.messages
    weight = beta**2
    ratios = (
        (tokens.true, tokens.predicted),
        (tokens.true, tokens.gold),
        ((1 + weight) * tokens.true, tokens.predicted + weight * tokens.gold),
        spans.ratios["f"],
        (scores.counts["redacted"].total(), spans.gold),
        (messages["full"], messages["phi"]),
        (messages["clean"], messages["no_phi"]),
    )
    return np.array(ratios, dtype=float)


class Sweep:
    """Measures the merged result under any threshold. The probabilities are computed once; the rest
    follows from which tokens are PHI, and is remembered by that.
    """

    def __init__(
        self, nlp: Language, messages: Sequence[Mapping[str, Any]], beta: float = 2.0
    ) -> None:
        self.beta = beta
        self.phi_ner = cast(PhiNer, nlp.get_pipe("phi_ner"))
        self.span_merger = nlp.get_pipe("span_merger")
        self.numbers = np.array(number_units(cast(Any, messages)), dtype=int)
        self.messages: list[tuple[Doc, list[CharSpan], dict[bytes, np.ndarray]]] = []
        all_probs: list[Any] = []
        texts = [message["text"] for message in messages]
        for (doc, probs), message in zip(iter_probabilities(nlp, texts), messages):
            self.messages.append((doc, to_char_spans(message["spans"]), {}))
            all_probs.append(probs)
        self.probs = cast(Floats2d, np.vstack(all_probs))

    def count_messages(self, threshold: float | Thresholds) -> np.ndarray:
        """Count what is found in each message with a threshold, shape (n_messages, 7, 2)."""
        self.phi_ner.threshold = threshold
        is_phi = find_phi(self.probs, self.phi_ner.get_limits())
        found = []
        start = 0
        for doc, gold, known in self.messages:
            end = start + len(doc)
            key = is_phi[start:end].tobytes()
            if key not in known:
                self.phi_ner.set_annotations([doc], [self.probs[start:end]])
                scores = Scores()
                scores.add(doc.text, gold, get_entities(self.span_merger(doc)))
                known[key] = count(scores, self.beta)
            found.append(known[key])
            start = end
        return np.stack(found)

    def measure(self, threshold: float | Thresholds) -> dict[str, float]:
        """Give the measures with a threshold, 0 where nothing can be counted."""
        parts, wholes = self.count_messages(threshold).sum(axis=0).T
        shares = np.divide(parts, wholes, out=np.zeros(len(parts)), where=wholes > 0)
        return dict(zip(MEASURES, shares.tolist()))

    def count_units(self, threshold: float) -> np.ndarray:
        """Count what is found in each unit, a conversation or a message of none."""
        units = np.zeros((self.numbers.max() + 1, len(MEASURES), 2))
        np.add.at(units, self.numbers, self.count_messages(threshold))
        return units

    def get_row(self, threshold: float, seed: int | None = None) -> dict[str, Any]:
        """Measure a threshold; with a seed, by bootstrap, the intervals of what can be counted."""
        row = {"threshold": threshold, **self.measure(threshold)}
        if seed is None:
            return row
        samples = np.moveaxis(resample(self.count_units(threshold), seed=seed), 1, 0)
        intervals = {name: get_middle_ratio(*each.T) for name, each in zip(MEASURES, samples)}
        return {**row, "intervals": {name: list(each) for name, each in intervals.items() if each}}

    def count_leaks(self, threshold: float) -> tuple[int, int]:
        """Count the units in which anything annotated is left uncovered, and all units."""
        redacted, gold = self.count_units(threshold)[:, MEASURES.index("redact")].T
        return int((redacted < gold).sum()), len(gold)
