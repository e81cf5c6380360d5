"""The layer does what thinc's does."""

import numpy as np
import pytest
from thinc.api import expand_window, get_current_ops

from components.model.neighbours import make_neighbours


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_it_is_that_of_thinc(n: int):
    X = get_current_ops().asarray2f(np.random.default_rng(0).standard_normal((n, 5)))
    quick, slow = make_neighbours(), expand_window(1)
    np.testing.assert_array_equal(quick.predict(X), slow.predict(X))
    outputs = [layer(X, True) for layer in (quick, slow)]
    np.testing.assert_array_equal(outputs[0][0], outputs[1][0])
    np.testing.assert_array_equal(*(backprop(output) for output, backprop in outputs))
