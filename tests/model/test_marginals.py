"""Marginals of well-formed tags against all sequences, one by one."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.model.decoding import decode, get_marginals, get_nll, get_tags

from .test_decoding import LABELS, TAGS, get_probs, is_well_formed, make

N = len(LABELS)
SEQUENCES = [
    [tags for tags in itertools.product(range(len(TAGS)), repeat=n) if is_well_formed([TAGS[i] for i in tags])]
    for n in range(5)
]  # fmt: skip


def count(probs: np.ndarray, truth=None) -> tuple[np.ndarray, float]:
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
    assert get_marginals([probs], N)[0] == pytest.approx(count(probs)[0], abs=1e-4)


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
    certain = np.tile(make(), (far, 1))
    whole = np.vstack([certain, run, certain, get_probs(8, 2) if far else run[:0], certain])
    assert get_marginals([whole], N)[0][far : far + 3] == pytest.approx(
        get_marginals([run], N)[0], abs=1e-5
    )


@pytest.mark.parametrize(
    ("rows", "before", "after"),
    [
        # `[Anna] ringde`: .03 of `ringde` would go on from something that has not begun.
        ([make(U_PERSON=0.97), make(I_PERSON=0.01, L_PERSON=0.02)], [(0, 1), (1, 2)], [(0, 1)]),
        # `[Fadumo Warsame]`: the first name says that it goes on.
        ([make(B_PERSON=0.98), make(L_PERSON=0.01)], [(0, 1)], [(0, 2)]),
    ],
)
def test_what_marginals_are_for(rows, before, after):
    for probs, spans in ((np.array(rows), before), (get_marginals([np.array(rows)], N)[0], after)):
        assert [span[:2] for span in decode(probs, LABELS, 0.02)] == spans


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("hidden", [(), (0,), (1, 2), (0, 1, 2, 3)])
def test_likelihood_among_all_sequences(seed, hidden):
    probs = get_probs(seed, 4)
    tags = SEQUENCES[4][np.random.default_rng(seed).integers(len(SEQUENCES[4]))]
    truth = [None if i in hidden else tag for i, tag in enumerate(tags)]
    loss, (gradient,) = get_nll([probs], [truth], N)
    (marginals, total), (targets, known) = count(probs), count(probs, truth)
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


def test_one_class():
    probs = get_probs(3, 4)[:, :5]
    marginals = get_marginals([probs / probs.sum(axis=1, keepdims=True)], 1)[0]
    assert marginals.shape == (4, len(get_tags(["PHI"])))
    assert marginals[0, 2:4].sum() == 0.0
