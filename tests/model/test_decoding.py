"""The decoder and the marginals, against all sequences of tags."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.model.decoding import decode, find_phi, get_marginals, get_nll, get_tags
from tests.cases import cases
from tests.model.probabilities import make_probs

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
    single = probs.astype("float32")
    limit = float(np.float32(threshold))
    assert decode(single, LABELS, [limit] * len(LABELS)) == decode(single, LABELS, limit)


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


@cases
def test_cases(rows, threshold, spans):
    probs = make_probs(TAGS, rows)
    found = decode(probs, LABELS, threshold)
    assert [span[:3] for span in found] == [span[:3] for span in spans]
    assert [span[3] for span in found] == pytest.approx([span[3] for span in spans])


N = len(LABELS)
SEQUENCES = [
    [tags for tags in itertools.product(range(len(TAGS)), repeat=n) if is_well_formed([TAGS[i] for i in tags])]
    for n in range(5)
]  # fmt: skip


def sum_over(probs: np.ndarray, truth=None) -> tuple[np.ndarray, float]:
    """The marginals and the total over all well-formed sequences that agree with what is known."""
    sums = np.zeros_like(probs)
    total = 0.0
    for tags in SEQUENCES[len(probs)]:
        if truth and any(known not in (None, tag) for known, tag in zip(truth, tags)):
            continue
        weight = np.prod([row[tag] for row, tag in zip(probs, tags)])
        total += weight
        sums[range(len(tags)), tags] += weight
    return sums / total, total


@pytest.mark.parametrize("seed", range(8))
def test_equals_the_sum_over_all_sequences(seed):
    probs = get_probs(seed, 4)
    assert get_marginals([probs], N)[0] == pytest.approx(sum_over(probs)[0], abs=1e-4)


@given(st.integers(0, 10**6), st.lists(st.integers(0, 9), max_size=6), st.floats(0.1, 9))
def test_a_document_does_not_hang_on_others(seed, lengths, scale):
    probs = [get_probs(seed + i, n, scale) for i, n in enumerate(lengths)]
    together = get_marginals(probs, N)
    assert [len(each) for each in together] == lengths
    for each, alone in zip(together, probs):
        assert np.array_equal(each, get_marginals([alone], N)[0])
        assert each.sum(axis=1) == pytest.approx(np.ones(len(alone)))
        assert (each >= 0).all()


@given(st.lists(st.lists(st.sampled_from(range(len(TAGS))), max_size=8), max_size=4))
def test_a_network_that_is_wholly_sure_of_what_cannot_be(tags):
    probs = [np.eye(len(TAGS), dtype="float32")[each].reshape(-1, len(TAGS)) for each in tags]
    for each, sure in zip(get_marginals(probs, N), tags):
        assert np.isfinite(each).all()
        # What is of a class stays of it.
        for row, tag in zip(each, sure):
            if tag:
                label = (tag - 1) // 4
                assert row[1 + 4 * label : 5 + 4 * label].sum() == pytest.approx(1.0)


@pytest.mark.parametrize("far", [0, 1, 5])
def test_what_is_certain_parts_what_lies_beside_it(far):
    """A run between certain tokens is read as if nothing else were there."""
    run = get_probs(7, 3)
    certain = make_probs(TAGS, [{}] * far)
    whole = np.vstack([certain, run, certain, get_probs(8, 2) if far else run[:0], certain])
    assert get_marginals([whole], N)[0][far : far + 3] == pytest.approx(
        get_marginals([run], N)[0], abs=1e-5
    )


@cases
def test_what_marginals_are_for(rows, before, after):
    alone = make_probs(TAGS, rows)
    for probs, spans in ((alone, before), (get_marginals([alone], N)[0], after)):
        assert [span[:2] for span in decode(probs, LABELS, 0.02)] == spans


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("hidden", [(), (0,), (1, 2), (0, 1, 2, 3)])
def test_likelihood_among_all_sequences(seed, hidden):
    probs = get_probs(seed, 4)
    tags = SEQUENCES[4][np.random.default_rng(seed).integers(len(SEQUENCES[4]))]
    truth = [None if i in hidden else tag for i, tag in enumerate(tags)]
    loss, (gradient,) = get_nll([probs], [truth], N)
    (marginals, total), (targets, known) = sum_over(probs), sum_over(probs, truth)
    assert loss == pytest.approx(np.log(total) - np.log(known), abs=1e-3)
    assert gradient == pytest.approx(marginals - targets, abs=1e-4)


def test_gradient_is_that_of_the_loss():
    logits = np.random.default_rng(1).normal(size=(5, len(TAGS)))
    truth = [TAGS.index(tag) for tag in ("O", "B-PERSON", "L-PERSON", "U-DATE", "O")]

    def compute(logits):
        exp = np.exp(logits)
        return get_nll([exp / exp.sum(axis=1, keepdims=True)], [truth], N)

    gradient = compute(logits)[1][0]
    for i, j in itertools.product(range(5), range(len(TAGS))):
        step = np.zeros_like(logits)
        step[i, j] = 1e-4
        slope = (compute(logits + step)[0] - compute(logits - step)[0]) / 2e-4
        assert gradient[i, j] == pytest.approx(slope, abs=1e-4)


@pytest.mark.parametrize("lengths", [[], [0], [0, 0]])
def test_no_tokens(lengths):
    probs = [np.zeros((n, len(TAGS)), "float32") for n in lengths]
    assert [each.shape for each in get_marginals(probs, N)] == [each.shape for each in probs]
    assert get_nll(probs, [[] for _ in probs], N)[0] == 0.0
    assert get_tags(("A", "B")) == "O B-A I-A L-A U-A B-B I-B L-B U-B".split()  # noqa: SIM905
    # One class.
    probs = get_probs(3, 4)[:, :5]
    marginals = get_marginals([probs / probs.sum(axis=1, keepdims=True)], 1)[0]
    assert marginals.shape == (4, len(get_tags(["PHI"])))
    assert marginals[0, 2:4].sum() == 0.0
