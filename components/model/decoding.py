"""From tag probabilities to spans: marginals over well-formed sequences, threshold, Viterbi search."""

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
    """The likeliest BILU sequence of logs (n_tokens, 4 * n_labels): first, last, label index."""
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


# A token with a higher probability of O separates its document: the tokens before and after it do
# not depend on each other.
CERTAIN = 1.0 - 1e-6
# This share of a label goes to its other tags, so that there always is a well-formed sequence.
SMOOTH = 1e-9
# The least probability of a tag in the loss.
LEAST = 1e-12


def get_marginals(probs: Sequence[np.ndarray], n_labels: int) -> list[np.ndarray]:
    """Compute how likely the tags of each token are, given that those of its document are
    well-formed: what begins goes on, and ends, with one label.

    probs (Sequence[np.ndarray]): For each document the probabilities of its tokens' tags on their own,
        shape (n_tokens, 4 * n_labels + 1), in the order of `get_tags`.
    RETURNS (list[np.ndarray]): Probabilities of the same shapes.
    """
    return _condition(probs, n_labels)[0]


def get_nll(
    probs: Sequence[np.ndarray], truth: Sequence[Sequence[int | None]], n_labels: int
) -> tuple[float, list[np.ndarray]]:
    """Compute the negative log likelihood of the tags that are known, among all well-formed sequences,
    and its gradient. A tag that is not known may be any.

    probs (Sequence[np.ndarray]): As `get_marginals` takes them, the output of a softmax.
    truth (Sequence[Sequence[int | None]]): For each document the tags of its tokens, None where it is
        not known.
    RETURNS (tuple[float, list[np.ndarray]]): The sum over the documents, and for each the gradient with respect
        to what went into the softmax, of the shapes of `probs`.
    """
    loss = 0.0
    known = []
    for each, tags in zip(probs, truth):
        rows = [i for i, tag in enumerate(tags) if tag is not None]
        columns = [tag for tag in tags if tag is not None]
        loss -= float(np.log(np.maximum(each[rows, columns], LEAST)).sum())
        fixed = np.array(each)
        fixed[rows] = 0.0
        fixed[rows, columns] = 1.0
        known.append(fixed)
    marginals, log_total = _condition(probs, n_labels)
    targets, log_known = _condition(known, n_labels)
    return loss + log_total - log_known, [a - b for a, b in zip(marginals, targets)]


def _condition(probs: Sequence[np.ndarray], n_labels: int) -> tuple[list[np.ndarray], float]:
    """The marginals, and the logarithm of how likely well-formed sequences are together."""
    if not sum(map(len, probs)):
        return [np.array(each) for each in probs], 0.0
    flat = np.concatenate(probs)
    ends = np.cumsum([len(each) for each in probs])
    document = np.repeat(np.arange(len(probs)), [len(each) for each in probs])
    # Runs of tokens that may be PHI, and one more on each side.
    doubtful = flat[:, 0] <= CERTAIN
    beside = document[1:] == document[:-1]
    read = doubtful.copy()
    read[1:] |= doubtful[:-1] & beside
    read[:-1] |= doubtful[1:] & beside
    result = np.zeros_like(flat)
    result[:, 0] = 1.0
    tokens = np.flatnonzero(read)
    log_total = 0.0
    if len(tokens):
        starts = np.flatnonzero((np.diff(tokens) > 1) | (np.diff(document[tokens]) > 0)) + 1
        lengths = np.diff([0, *starts, len(tokens)])
        run = np.repeat(np.arange(len(lengths)), lengths)
        place = np.concatenate([np.arange(length) for length in lengths])
        padded = np.zeros((lengths.max(), len(lengths), flat.shape[1]))
        padded[:, :, 0] = 1.0
        padded[place, run] = flat[tokens]
        marginals, log_total = _run(padded, n_labels)
        result[tokens] = marginals[place, run]
    return np.split(result, ends[:-1]), log_total


def _run(tags: np.ndarray, n_labels: int) -> tuple[np.ndarray, float]:
    """Do so for runs side by side, by forward-backward (Rabiner 1989): shape (n_tokens, n_runs, n_tags)."""
    n, n_runs, _ = tags.shape
    outside = tags[:, :, 0]
    by_label = tags[:, :, 1:].reshape(n, n_runs, n_labels, len(BILU))
    by_label = by_label + SMOOTH * by_label.sum(axis=3, keepdims=True)
    begin, inside, last, unit = np.moveaxis(by_label, 3, 0)
    whole = outside + unit.sum(axis=2)
    # How much leads to the place in front of a token, and how much leads on from it: with nothing
    # open, and with something of each label. All of a place is scaled to one.
    to_shut, to_open = np.ones((n + 1, n_runs)), np.zeros((n + 1, n_runs, n_labels))
    from_shut, from_open = np.ones((n + 1, n_runs)), np.zeros((n + 1, n_runs, n_labels))
    log_total = 0.0
    for t in range(n):
        shut = to_shut[t] * whole[t] + (to_open[t] * last[t]).sum(axis=1)
        open_ = to_shut[t][:, None] * begin[t] + to_open[t] * inside[t]
        scale = shut + open_.sum(axis=1)
        to_shut[t + 1], to_open[t + 1] = shut / scale, open_ / scale[:, None]
        log_total += float(np.log(scale).sum())
    log_total += float(np.log(to_shut[n]).sum())
    for t in reversed(range(n)):
        shut = from_shut[t + 1] * whole[t] + (from_open[t + 1] * begin[t]).sum(axis=1)
        open_ = from_shut[t + 1][:, None] * last[t] + from_open[t + 1] * inside[t]
        scale = shut + open_.sum(axis=1)
        from_shut[t], from_open[t] = shut / scale, open_ / scale[:, None]
    before, behind = to_shut[:-1, :, None], from_shut[1:, :, None]
    parts = (
        before * begin * from_open[1:],
        to_open[:-1] * inside * from_open[1:],
        to_open[:-1] * last * behind,
        before * unit * behind,
    )
    result = np.empty_like(tags)
    result[:, :, 0] = to_shut[:-1] * outside * from_shut[1:]
    result[:, :, 1:] = np.stack(parts, axis=3).reshape(n, n_runs, -1)
    return result / result.sum(axis=2, keepdims=True), log_total
