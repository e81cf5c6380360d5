"""Votes are counted as the paper has it; weights are those that are best on the dev set."""

import pytest

from lab.systems.base import System
from lab.systems.ensemble import Ensemble, choose, count

# The paper's weights and threshold
WEIGHTS, THRESHOLD = (0.5, 2.0, 2.5, 0.5), 3.0


@pytest.mark.parametrize(
    ("votes", "tag"),
    [
        # 2.5 + 0.5 is 3, which does not exceed 3; 2.5 + 2.0 does.
        (("B-AGE", "O", "B-AGE", "O"), "O"),
        (("O", "B-AGE", "B-AGE", "O"), "B-AGE"),
        (("B-AGE", "O", "B-AGE", "B-AGE"), "B-AGE"),
        # 2.5 and 0.5 against 2.0 and 0.5
        (("B-AGE", "B-DATE", "B-AGE", "B-DATE"), "O"),
        (("B-DATE", "B-DATE", "B-AGE", "B-DATE"), "O"),
        (("O", "O", "O", "O"), "O"),
    ],
)
def test_votes(votes, tag):
    assert count(votes, WEIGHTS, THRESHOLD) == tag


def test_weights_follow_who_is_right():
    # The first is right wherever the two differ.
    counts = {
        (("B-AGE", "O"), "B-AGE"): 3,
        (("O", "B-AGE"), "O"): 3,
        (("B-AGE", "B-DATE"), "B-AGE"): 2,
        (("O", "O"), "O"): 9,
    }
    weights, threshold = choose(counts)
    assert weights[0] > threshold >= weights[1]
    # Neither alone is right, both together are.
    counts = {
        (("B-AGE", "O"), "O"): 3,
        (("O", "B-AGE"), "O"): 3,
        (("B-AGE", "B-AGE"), "B-AGE"): 2,
    }
    weights, threshold = choose(counts)
    assert max(weights) <= threshold < sum(weights)


class Fixed(System):
    """Finds what it was told."""

    def __init__(self, found):
        self.found = found

    def fit(self, train, dev, seed): ...

    def find(self, texts):
        return [self.found[text] for text in texts]

    def to_disk(self, folder): ...

    def from_disk(self, folder): ...


def test_spans_are_voted_on_by_tokens(tmp_path):
    text, other = "Hej Anna Berg, 34 år", "  "
    members = {
        "one": Fixed({text: [(4, 13, "PERSON"), (15, 20, "AGE")], other: []}),
        "two": Fixed({text: [(4, 13, "PERSON")], other: []}),
        "three": Fixed({text: [(4, 8, "PERSON"), (15, 20, "DATE")], other: []}),
    }
    ensemble = Ensemble(members)
    ensemble.weights, ensemble.threshold = [1.0, 1.0, 1.0], 1.5
    assert ensemble.find([text, other]) == [[(4, 13, "PERSON")], []]
    ensemble.to_disk(tmp_path)
    read = Ensemble(members)
    read.from_disk(tmp_path)
    assert (read.weights, read.threshold) == (ensemble.weights, ensemble.threshold)
    assert read.find([text]) == [[(4, 13, "PERSON")]]
