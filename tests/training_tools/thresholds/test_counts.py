"""Measures of thresholds as ratios of counts, and their intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import fbeta_score, precision_score, recall_score

from components.measures.scores import Scores
from training_tools.thresholds.counts import Counts, get_intervals

TEXT = "Anna Berg bor i Lund sen maj"
GOLD = [(0, 9, "PERSON"), (16, 20, "LOCATION")]


def count(gold, found, text=TEXT):
    scores = Scores()
    scores.add(text, gold, found)
    return Counts.from_scores(scores)


def test_counts_of_a_message():
    counts = count(GOLD, [(0, 4, "PERSON"), (16, 20, "PERSON"), (25, 28, "DATE")])
    assert counts == Counts(
        token_true=2, token_predicted=3, token_gold=3, true=0, predicted=3, gold=2, redacted=1,
        full=0, with_phi=1, clean=0, without_phi=0,
    )  # fmt: skip
    figures = counts.get_figures(2.0)
    assert figures == pytest.approx(
        {
            "p": 2 / 3,
            "r": 2 / 3,
            "f_beta": 2 / 3,
            "strict_f": 0,
            "redact": 0.5,
            "full": 0,
            "clean": 0,
        }
    )


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1), st.floats(0.1, 10))
def test_shares_are_those_of_scikit_learn(tokens, beta):
    gold, found = np.array(tokens).T
    counts = Counts(int((gold & found).sum()), int(found.sum()), int(gold.sum()))
    figures = counts.get_figures(beta)
    expected = {
        "p": precision_score(gold, found, zero_division=0),
        "r": recall_score(gold, found, zero_division=0),
        "f_beta": fbeta_score(gold, found, beta=beta, zero_division=0),
    }
    assert {name: figures[name] for name in expected} == pytest.approx(expected)


def test_intervals():
    found, missed = count(GOLD, GOLD), count(GOLD, [])
    units = np.array([found, missed] * 50)
    intervals = get_intervals(units, 2.0)
    # Of 100 units with a share of .5 the middle 95 % of samples are within about .1.
    assert intervals["r"].low == pytest.approx(0.4, abs=0.02)
    assert intervals["full"].high == pytest.approx(0.6, abs=0.02)
    assert intervals["p"] == (1.0, 1.0)
    # Nothing without PHI.
    assert "clean" not in intervals
