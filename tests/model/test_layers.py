"""The layers do what thinc's do."""

import numpy as np
import pytest
from thinc.api import Mish, expand_window, get_current_ops

from components.model.tagger import make_mish, make_neighbours


@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0])
def test_prediction_is_that_of_thinc(scale: float):
    rng = np.random.default_rng(0)
    X = (scale * rng.standard_normal((40, 7))).astype("float32")
    quick, slow = make_mish(5), Mish(5, normalize=True)
    for layer in (quick, slow):
        layer.initialize(X=X)
    slow.from_bytes(quick.to_bytes())
    np.testing.assert_allclose(quick.predict(X), slow.predict(X), atol=2e-5)
    np.testing.assert_allclose(quick(X, True)[0], quick.predict(X), atol=2e-5)


def test_it_trains_as_thinc_does():
    X = get_current_ops().asarray2f(np.random.default_rng(1).standard_normal((6, 3)))
    quick, slow = make_mish(4, 3), Mish(4, 3, normalize=True)
    for layer in (quick, slow):
        layer.initialize()
    slow.from_bytes(quick.to_bytes())
    gradients = []
    for layer in (quick, slow):
        output, backprop = layer(X, True)
        gradients.append(backprop(np.ones_like(output)))
    np.testing.assert_allclose(*gradients, atol=1e-6)


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_neighbours_are_those_of_thinc(n: int):
    X = get_current_ops().asarray2f(np.random.default_rng(0).standard_normal((n, 5)))
    quick, slow = make_neighbours(), expand_window(1)
    np.testing.assert_array_equal(quick.predict(X), slow.predict(X))
    outputs = [layer(X, True) for layer in (quick, slow)]
    np.testing.assert_array_equal(outputs[0][0], outputs[1][0])
    np.testing.assert_array_equal(*(backprop(output) for output, backprop in outputs))
