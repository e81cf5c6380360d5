"""The script that evaluates the linking of mentions."""

import pytest

from lab.scripts.evaluate_linking import b_cubed


def test_b_cubed():
    # The example of Bagga and Baldwin (1998): the second response.
    entities = [1] * 5 + [2] * 2 + [3] * 5
    clusters = [1] * 5 + [2] * 2 + [1] * 5
    scores = b_cubed(entities, clusters)
    precision, recall = (sum(column) / len(scores) for column in zip(*scores))
    assert precision == pytest.approx(7 / 12) and recall == 1
