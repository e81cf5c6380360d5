"""The merged result under one threshold after the other."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from thinc.types import Floats2d

from components.measures.bootstrap import number_units
from components.measures.probabilities import iter_probabilities
from components.measures.scores import Scores
from components.measures.spans import CharSpan, get_entities, to_char_spans
from components.model.decoding import find_phi
from components.model.phi_ner import PhiNer
from training_tools.thresholds.counts import Counts, get_intervals

# From 0.02 on; below it lies what only a promise needs (`certificate.py`).
THRESHOLDS = (0.02, 0.05, 0.08, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)

Thresholds = dict[str, float]


class Sweep:
    """Measures the merged result under any threshold. The probabilities are computed once; the rest
    follows from which tokens are PHI, and is remembered by that.
    """

    def __init__(self, nlp: Language, messages: Sequence[Mapping[str, Any]]) -> None:
        self.phi_ner = cast(PhiNer, nlp.get_pipe("phi_ner"))
        self.span_merger = nlp.get_pipe("span_merger")
        self.numbers = np.array(number_units(cast(Any, messages)), dtype=int)
        self.messages: list[tuple[Doc, list[CharSpan], dict[bytes, Counts]]] = []
        all_probs: list[Any] = []
        texts = [message["text"] for message in messages]
        for (doc, probs), message in zip(iter_probabilities(nlp, texts), messages):
            self.messages.append((doc, to_char_spans(message["spans"]), {}))
            all_probs.append(probs)
        self.probs = cast(Floats2d, np.vstack(all_probs))

    def find(self, threshold: float | Thresholds) -> list[Counts]:
        """RETURNS (list[Found]): What is found in each message with a threshold."""
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
                known[key] = Counts.from_scores(scores)
            found.append(known[key])
            start = end
        return found

    def measure(self, threshold: float | Thresholds) -> Counts:
        """RETURNS (Counts): What the measures with a threshold are made of."""
        return Counts(*map(sum, zip(*self.find(threshold))))

    def measure_units(self, threshold: float) -> np.ndarray:
        """Count each unit, a conversation or a message of none, in the order of `Counts`."""
        units = np.zeros((self.numbers.max() + 1, len(Counts._fields)), dtype=int)
        np.add.at(units, self.numbers, self.find(threshold))
        return units

    def get_row(self, threshold: float, beta: float, seed: int | None = None) -> dict[str, Any]:
        """Measure a threshold."""
        row = {"threshold": threshold, **self.measure(threshold).get_figures(beta)}
        if seed is None:
            return row
        intervals = get_intervals(self.measure_units(threshold), beta, seed=seed)
        return {**row, "intervals": {name: list(bounds) for name, bounds in intervals.items()}}

    def count_leaks(self, threshold: float) -> tuple[int, int]:
        """Count the units in which anything annotated is left uncovered, and all units."""
        counts = Counts(*self.measure_units(threshold).T)
        return int((counts.redacted < counts.gold).sum()), len(counts.gold)
