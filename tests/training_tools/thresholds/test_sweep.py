"""Measures of thresholds as ratios of counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import fbeta_score, precision_score, recall_score

from components.measures.scores import Scores
from training_tools.thresholds.sweep import MEASURES, count


def make_counts(text, gold, found, beta=2.0):
    scores = Scores()
    scores.add(text, gold, found)
    return dict(zip(MEASURES, count(scores, beta).tolist()))


def test_counts_of_a_message():
    text, gold = "Anna Berg bor i Lund sen maj", [(0, 9, "PERSON"), (16, 20, "LOCATION")]
    found = [(0, 4, "PERSON"), (16, 20, "PERSON"), (25, 28, "DATE")]
    assert make_counts(text, gold, found) == {
        "p": [2, 3], "r": [2, 3], "f_beta": [10, 15], "strict_f": [0, 5], "redact": [1, 2],
        "full": [0, 1], "clean": [0, 0],
    }  # fmt: skip
    assert make_counts("Hej", [], [])["clean"] == [1, 1]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1), st.floats(0.1, 10))
def test_shares_are_those_of_scikit_learn(tokens, beta):
    spans = [
        [(3 * i, 3 * i + 2, "PERSON") for i, is_phi in enumerate(each) if is_phi]
        for each in zip(*tokens)
    ]
    counts = make_counts("ab " * len(tokens), *spans, beta)
    gold, found = np.array(tokens).T
    expected = {
        "p": precision_score(gold, found, zero_division=0),
        "r": recall_score(gold, found, zero_division=0),
        "f_beta": fbeta_score(gold, found, beta=beta, zero_division=0),
    }
    shares = {name: part / whole if whole else 0 for name, (part, whole) in counts.items()}
    assert {name: shares[name] for name in expected} == pytest.approx(expected)
