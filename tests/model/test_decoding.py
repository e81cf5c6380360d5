"""The decoder against an exhaustive search."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.model.decoding import decode, find_phi, get_tags

LABELS = ("PERSON", "DATE")
TAGS = get_tags(LABELS)


def get_probs(seed: int, n: int, scale: float = 2.0) -> np.ndarray:
    logits = np.random.default_rng(seed).normal(size=(n, len(TAGS))) * scale
    exp = np.exp(logits)
    return exp / exp.sum(axis=1, keepdims=True)


def is_well_formed(tags: tuple) -> bool:
    open_label = None
    for tag in tags:
        kind, _, label = tag.partition("-")
        if open_label is None and kind not in ("B", "U", "O"):
            return False
        if open_label is not None and (kind not in ("I", "L") or label != open_label):
            return False
        open_label = label if kind in ("B", "I") else None
    return open_label is None


def to_spans(tags: tuple) -> list:
    spans, start = [], 0
    for i, tag in enumerate(tags):
        if tag[0] in "BU":
            start = i
        if tag[0] in "LU":
            spans.append((start, i + 1, tag[2:]))
    return spans


def close(probs: np.ndarray, threshold: float) -> np.ndarray:
    """Tags that go on where the neighbour is no PHI, counted as tags that end."""
    closed = probs.copy()
    is_phi = [False, *(1 - probs[:, 0] > threshold), False]
    for i, row in enumerate(closed):
        for label in LABELS:
            b, inner, last, u = (TAGS.index(f"{tag}-{label}") for tag in "BILU")
            if not is_phi[i]:
                row[[b, u]] += row[[inner, last]]
                row[[inner, last]] = 0
            if not is_phi[i + 2]:
                row[[last, u]] += row[[inner, b]]
                row[[inner, b]] = 0
    return closed


@pytest.mark.parametrize("seed", range(10))
def test_equals_exhaustive_search(seed):
    probs = get_probs(seed, 4)
    threshold = 0.5
    allowed = [TAGS[1:] if 1 - row[0] > threshold else TAGS[:1] for row in probs]
    best = max(
        (tags for tags in itertools.product(*allowed) if is_well_formed(tags)),
        key=lambda tags: sum(
            np.log(row[TAGS.index(t)] + 1e-12) for row, t in zip(close(probs, threshold), tags)
        ),
    )
    assert [span[:3] for span in decode(probs, LABELS, threshold)] == to_spans(best)


@given(st.integers(0, 10**6), st.integers(0, 30), st.floats(0, 1))
def test_covers_just_the_tokens_above_the_threshold(seed, n, threshold):
    probs = get_probs(seed, n)
    spans = decode(probs, LABELS, threshold)
    covered = [i for start, end, _, _ in spans for i in range(start, end)]
    assert covered == np.flatnonzero(1 - probs[:, 0] > threshold).tolist()
    assert all(0 <= score <= 1.000001 for *_, score in spans)


@pytest.mark.parametrize("threshold, n_spans", [(0.05, 1), (0.3, 1), (0.5, 0), (1.0, 0)])
def test_threshold_is_on_the_summed_mass(threshold, n_spans):
    # No single PHI tag has more than 0.1, all together have 0.4.
    probs = np.full((1, len(TAGS)), 0.4 / 8)
    probs[0, 0] = 0.6
    probs[0, TAGS.index("U-DATE")] += 0.0001
    probs[0, TAGS.index("U-PERSON")] -= 0.0001
    spans = decode(probs, LABELS, threshold)
    assert len(spans) == n_spans
    assert all(label == "DATE" for _, _, label, _ in spans)


@given(st.integers(0, 10**6), st.integers(0, 30), st.floats(0, 1, width=32))
def test_one_threshold_for_all_labels_is_a_number(seed, n, threshold):
    probs = get_probs(seed, n).astype("float32")
    assert decode(probs, LABELS, [threshold] * len(LABELS)) == decode(probs, LABELS, threshold)


@given(st.integers(0, 10**6), st.integers(0, 30), st.floats(0, 1), st.floats(0, 1))
def test_threshold_of_the_likeliest_label_counts(seed, n, person, date):
    probs = get_probs(seed, n)
    expected = []
    for row in probs:
        is_person = row[1:5].sum() >= row[5:].sum()
        expected.append(bool(1 - row[0] > (person if is_person else date)))
    assert find_phi(probs, [person, date]).tolist() == expected
    covered = [i for span in decode(probs, LABELS, [person, date]) for i in range(*span[:2])]
    assert covered == np.flatnonzero(expected).tolist()


def make(**tags: float) -> np.ndarray:
    """A row of probabilities, the rest of it O."""
    row = np.zeros(len(TAGS))
    for name, share in tags.items():
        row[TAGS.index(name.replace("_", "-"))] = share
    row[0] += 1 - row.sum()
    return row


@pytest.mark.parametrize(
    ("rows", "threshold", "spans"),
    [
        ([], 0.5, []),
        # The score is the mass of the label.
        ([make(B_PERSON=0.8), make(L_PERSON=0.6, L_DATE=0.4)], 0.5, [(0, 2, "PERSON", 0.7)]),
        # `1-2` where only the 2 is above the threshold, as the end of a date.
        ([make(), make(L_DATE=0.9, U_PERSON=0.1)], 0.5, [(1, 2, "DATE", 0.9)]),
        # Neighbours stay apart.
        ([make(U_PERSON=1.0)] * 2, 0.5, [(0, 1, "PERSON", 1.0), (1, 2, "PERSON", 1.0)]),
        # Neither label has more than a half, both together have 0.6.
        ([make(U_PERSON=0.35, U_DATE=0.25)], (0.5, 0.9), [(0, 1, "PERSON", 0.35)]),
        ([make(U_PERSON=0.35, U_DATE=0.25)], (0.7, 0.1), []),
        # The threshold itself is not exceeded.
        *(([make(U_DATE=threshold)], threshold, []) for threshold in (0.0, 0.25, 0.5, 1.0)),
    ],
)
def test_cases(rows, threshold, spans):
    found = decode(np.array(rows).reshape(-1, len(TAGS)), LABELS, threshold)
    assert [span[:3] for span in found] == [span[:3] for span in spans]
    assert [span[3] for span in found] == pytest.approx([span[3] for span in spans])


def test_tags_in_order():
    assert get_tags(("A", "B")) == "O B-A I-A L-A U-A B-B I-B L-B U-B".split()  # noqa: SIM905
