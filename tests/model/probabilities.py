"""What a network might say of tokens."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from components.model.decoding import get_tags


def make_probs(tags: Sequence[str], tokens: Sequence[Mapping[str, float]]) -> np.ndarray:
    """Make a row for each token: the probabilities of the tags that it names, the rest is no PHI."""
    probs = np.zeros((len(tokens), len(tags)), dtype="float32")
    for row, shares in zip(probs, tokens):
        for tag, share in shares.items():
            row[tags.index(tag)] = share
        row[0] += 1 - row.sum()
    return probs


def make_predict(masses: Mapping[str, tuple[str, float]]) -> Callable:
    """Make what `PhiNer.predict` is replaced by: for some words a label, and how sure it is of it."""

    def predict(pipe, docs):
        known = {word: {f"U-{label}": mass} for word, (label, mass) in masses.items()}
        tags = get_tags(pipe.labels)
        return [make_probs(tags, [known.get(token.text, {}) for token in doc]) for doc in docs]

    return predict
