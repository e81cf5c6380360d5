"""From tag probabilities to spans: the decision threshold and the constrained Viterbi search."""

from collections.abc import Sequence

import numpy as np
from thinc.types import Floats2d

BILU = ("B", "I", "L", "U")

# (start token, end token, label, probability)
ScoredSpan = tuple[int, int, str, float]


def get_tags(labels: Sequence[str]) -> list[str]:
    """The 4 * n_labels + 1 BILUO tags of some labels: O, then B, I, L, U of each label."""
    return ["O"] + [f"{tag}-{label}" for label in labels for tag in BILU]


def decode(
    probs: Floats2d, labels: Sequence[str], threshold: float | Sequence[float]
) -> list[ScoredSpan]:
    """Find the spans of one document. A token is PHI when the summed probability of all PHI tags
    exceeds the threshold (see `find_phi`), and takes the likeliest PHI tag (Arvidsson and Gerle
    2022, section 5.1.2); within each run of such tokens, Viterbi finds the likeliest well-formed tag
    sequence. Tags that continue beyond the run (the first token is inside, the last one is not the
    last) count as if the span began or ended there.

    probs (Floats2d): Tag probabilities, shape (n_tokens, 4 * n_labels + 1), in the order of
        `get_tags`.
    labels (Sequence[str]): The labels.
    threshold (float | Sequence[float]): Least PHI probability, 0 to 1, or one for each label.
    RETURNS (list[tuple[int, int, str, float]]): Start token, end token (exclusive), label and
        probability: the mean over the tokens of the summed probability of the label's four tags.
    """
    is_phi = find_phi(probs, threshold)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], is_phi.astype(np.int8), [0]))))
    spans: list[ScoredSpan] = []
    for start, end in edges.reshape(-1, 2).tolist():
        run = np.asarray(probs[start:end, 1:])
        by_label = sum_by_label(run)
        if len(run) == 1:
            # Every tag of a label counts as a span of one token.
            label = int(by_label.argmax())
            spans.append((start, end, labels[label], float(by_label[0, label])))
            continue
        for first, last, label in _viterbi(np.log(_close(run, len(labels)) + 1e-12), len(labels)):
            score = float(by_label[first : last + 1, label].mean())
            spans.append((start + first, start + last + 1, labels[label], score))
    return spans


def sum_by_label(tags: np.ndarray) -> np.ndarray:
    """Sum over a label's tags: (n_tokens, 4 * n_labels) becomes (n_tokens, n_labels)."""
    n_tokens, n_tags = tags.shape
    return tags.reshape(n_tokens, n_tags // len(BILU), len(BILU)).sum(axis=2)


def find_phi(probs: Floats2d, threshold: float | Sequence[float]) -> np.ndarray:
    """Whether each token is PHI, shape (n_tokens,): the summed probability of all PHI tags exceeds the threshold, or,
    where each label has one, that of the label with the most of it. The sum is of all labels there, too:
    what is PHI of one class or another must not be lost for the doubt which.
    """
    mass = 1.0 - probs[:, 0]
    if isinstance(threshold, Sequence):
        by_label = sum_by_label(np.asarray(probs[:, 1:]))
        # In the precision of the probabilities, as a number is.
        return mass > np.asarray(threshold, dtype=mass.dtype)[by_label.argmax(axis=1)]
    return mass > threshold


def _close(run: np.ndarray, n_labels: int) -> np.ndarray:
    """Close a run at its ends, shape (n_tokens, 4 * n_labels): give the probability of I and L of the first
    token to B and U, that of B and I of the last one to U and L.
    """
    tags = run.reshape(len(run), n_labels, 4).copy()
    for token, moves in ((0, ((1, 0), (2, 3))), (-1, ((0, 3), (1, 2)))):
        for source, goal in moves:
            tags[token, :, goal] += tags[token, :, source]
            tags[token, :, source] = 0.0
    return tags.reshape(run.shape)


def _viterbi(logs: np.ndarray, n_labels: int) -> list[tuple[int, int, int]]:
    """Find the likeliest well-formed BILU sequence of a closed run by log probabilities, shape (n_tokens,
    4 * n_labels): first token, last token and index of the label of each span.
    """
    n = len(logs)
    scores = logs.reshape(n, n_labels, 4)
    begin, inside, last, unit = (scores[:, :, i] for i in range(4))
    # best[t]: score of the best segmentation of the first t tokens.
    # open_[label]: score of the best one whose last span, of that label, is not yet closed.
    best = np.full(n + 1, -np.inf)
    best[0] = 0.0
    open_ = np.full(n_labels, -np.inf)
    open_start = np.zeros(n_labels, dtype=np.int64)
    back: list[tuple[int, int]] = [(0, 0)]
    for t in range(n):
        by_unit = best[t] + unit[t]
        by_last = open_ + last[t]
        unit_label, last_label = int(by_unit.argmax()), int(by_last.argmax())
        if by_last[last_label] > by_unit[unit_label]:
            best[t + 1] = by_last[last_label]
            back.append((int(open_start[last_label]), last_label))
        else:
            best[t + 1] = by_unit[unit_label]
            back.append((t, unit_label))
        by_begin, by_inside = best[t] + begin[t], open_ + inside[t]
        starts = by_begin >= by_inside
        open_ = np.where(starts, by_begin, by_inside)
        open_start = np.where(starts, t, open_start)
    spans: list[tuple[int, int, int]] = []
    t = n
    while t > 0:
        start, label = back[t]
        spans.append((start, t - 1, label))
        t = start
    return spans[::-1]
