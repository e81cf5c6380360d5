"""Several systems that vote on each token.

Lange, Adel and Strötgen (2019): NLNDE: the neither-language-nor-domain-experts' way of Spanish
medical document de-identification, section 3, S5. Where the paper is silent:
- Weights and threshold are those of the given ranges, in steps of a half, with the best F1 of the
  dev set's tokens; of equal ones the first.
- That a system finds nothing in a token is no vote: the threshold alone speaks against PHI.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import srsly

from components.measures.formats.conll import OUTSIDE, get_tags
from components.measures.gold import Row, Span
from components.measures.spans import CharSpan
from lab.systems.base import Message, System
from training_tools.formats.docs import chat_language

WEIGHTS = np.arange(0.5, 3.1, 0.5)
THRESHOLDS = np.arange(1.0, 5.1, 0.5)
FILE = "votes.json"

Votes = tuple[str, ...]
"""The tag that each system gives a token."""


class Ensemble(System):
    """The systems together."""

    def __init__(self, members: Mapping[str, System]) -> None:
        """Create it.

        members (Mapping[str, System]): The systems by name; they have learnt before.
        """
        self._nlp = chat_language()
        self.members = members
        self.weights: list[float] = []
        self.threshold = 0.0

    def fit(self, train: Sequence[Row], dev: Sequence[Row], seed: int) -> None:
        """Choose weights and threshold on the dev set."""
        messages = [Message.split(self._nlp, row["text"]) for row in dev]
        votes = self._gather([row["text"] for row in dev], messages)
        truth = [get_tags(message.bounds, row["spans"]) for message, row in zip(messages, dev)]
        counts = Counter(
            pair for own, tags in zip(votes, truth) for pair in zip(own, tags, strict=True)
        )
        self.weights, self.threshold = choose(counts)

    def find(self, texts: Sequence[str]) -> list[list[CharSpan]]:
        messages = [Message.split(self._nlp, text) for text in texts]
        return [
            message.join([count(own, self.weights, self.threshold) for own in votes])
            for message, votes in zip(messages, self._gather(texts, messages))
        ]

    def _gather(self, texts: Sequence[str], messages: Sequence[Message]) -> list[list[Votes]]:
        """RETURNS (list[list[Votes]]): The votes on each token of each message."""
        found = [member.find(texts) for member in self.members.values()]
        return [
            [*zip(*(get_tags(message.bounds, to_spans(own[i])) for own in found))]
            for i, message in enumerate(messages)
        ]

    def to_disk(self, folder: Path) -> None:
        weights = dict(zip(self.members, self.weights))
        srsly.write_json(folder / FILE, {"weights": weights, "threshold": self.threshold})

    def from_disk(self, folder: Path) -> None:
        kept = srsly.read_json(folder / FILE)
        self.weights = [kept["weights"][name] for name in self.members]
        self.threshold = kept["threshold"]


def to_spans(found: Sequence[CharSpan]) -> list[Span]:
    return [{"start": start, "end": end, "label": label} for start, end, label in found]


def count(votes: Votes, weights: Sequence[float], threshold: float) -> str:
    """Count the votes on a token.

    votes (Votes): The tags.
    weights (Sequence[float]): The weight of each system.
    threshold (float): What the weights of a tag must sum up to more than.
    RETURNS (str): The tag with the most, `O` where none has enough.
    """
    sums: dict[str, float] = {}
    for tag, weight in zip(votes, weights):
        if tag != OUTSIDE:
            sums[tag] = sums.get(tag, 0.0) + weight
    best = max(sorted(sums), key=sums.__getitem__, default=OUTSIDE)
    return best if sums.get(best, 0.0) > threshold else OUTSIDE


def choose(counts: Mapping[tuple[Votes, str], int]) -> tuple[list[float], float]:
    """Choose the weights and the threshold.

    counts (Mapping[tuple[Votes, str], int]): How often there were these votes on a token, and what
        its tag is.
    RETURNS (tuple[list[float], float]): The weight of each system, and the threshold.
    """
    pairs = [*counts]
    numbers = np.array([counts[pair] for pair in pairs])
    tags = sorted({tag for votes, truth in pairs for tag in (*votes, truth)} - {OUTSIDE})
    index = {tag: number for number, tag in enumerate(tags)}
    n_systems = len(pairs[0][0])
    is_for = np.zeros((len(pairs), n_systems, len(tags)))
    for row, (votes, _) in enumerate(pairs):
        for system, tag in enumerate(votes):
            if tag != OUTSIDE:
                is_for[row, system, index[tag]] = 1
    truth = np.array([index.get(true, -1) for _, true in pairs])
    n_true = numbers[truth >= 0].sum()
    best, best_f1 = ([float(WEIGHTS[0])] * n_systems, float(THRESHOLDS[0])), -1.0
    for weights in product(WEIGHTS, repeat=n_systems):
        sums = np.tensordot(is_for, np.array(weights), axes=(1, 0))
        first, highest = sums.argmax(1), sums.max(1)
        for threshold in THRESHOLDS:
            taken = highest > threshold
            right = numbers[taken & (first == truth)].sum()
            f1 = 2 * right / max(1, numbers[taken].sum() + n_true)
            if f1 > best_f1:
                best_f1 = f1
                best = [float(weight) for weight in weights], float(threshold)
    return best
