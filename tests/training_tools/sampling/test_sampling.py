"""What is chosen to be annotated."""

import math
from collections import Counter

import pytest

from components.measures.sampling import (
    SCORES,
    count_phi,
    get_closeness,
    get_entropy,
)
from components.model.decoding import get_tags
from tests.model.probabilities import make_probs
from training_tools.sampling import draw_best, draw_random

TAGS = get_tags(["PERSON", "DATE"])


SURE = {"B-PERSON": 0.5, "U-PERSON": 0.5}
TORN = {"B-PERSON": 0.25, "U-PERSON": 0.25, "U-DATE": 0.5}


@pytest.mark.parametrize(
    ("tokens", "phi", "entropy", "margin"),
    [
        ([{}, {}], 0, 0, 0),
        # Two tags of one class are no doubt.
        ([SURE, {}], 1, 0, 0), ([TORN, {}, TORN], 2, 2, 1), ([{"U-DATE": 0.5}], 0.5, 1, 1),
        ([{"U-DATE": 0.25}, SURE], 1.25, 2 - 0.75 * math.log2(3), 0.5), ([], 0, 0, 0),
    ],
)  # fmt: skip
def test_scores(tokens, phi, entropy, margin):
    probs = make_probs(TAGS, tokens)
    values = [count_phi(probs), get_entropy(probs), get_closeness(probs)]
    assert values == pytest.approx([phi, entropy, margin], abs=1e-6)
    assert [*SCORES] == ["phi", "entropy", "margin"]


def make_rows(*texts):
    return [{"text": text, "id": str(place)} for place, text in enumerate(texts)]


def test_best_without_their_likes():
    rows = make_rows(
        "Din tid är bokad 12/3 kl 10", "Ont i knäet sen i går", "din tid är bokad 24/11 kl 09",
        "DIN TID ÄR BOKAD 1/1 KL 10", "Får jag ta Alvedon",
    )  # fmt: skip
    scores = [0.3, 0.5, 0.9, 0.7, 0.1]
    assert draw_best(rows, scores, 2) == ([2, 1], 1)
    assert draw_best(rows, scores, 10) == ([2, 1, 4], 2)
    assert draw_best(rows, scores, 3, likeness=100) == ([2, 3, 1], 0)
    # The first of the same score.
    assert draw_best(make_rows("hej", "adjö", "tack"), [1, 1, 1], 2) == ([0, 1], 0)


def test_conversations_are_drawn_whole_and_each_as_likely():
    rows = [{"text": "x", "conversation": "long"}] * 8 + [{"text": "x"}, {"text": "x"}]
    drawn = Counter()
    for seed in range(600):
        places = draw_random(rows, 1, seed)
        assert places in ([*range(8)], [8], [9])
        drawn[places[0]] += 1
    # 200 each; the standard error is 11.5.
    assert all(abs(count - 200) < 46 for count in drawn.values())
    assert sorted(draw_random(rows, 99, 0)) == [*range(10)]
    assert draw_random(rows, 2, 5) == draw_random(rows, 2, 5)
