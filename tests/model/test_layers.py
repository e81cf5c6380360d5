"""The layer predicts as thinc's does."""

import numpy as np
import pytest
from thinc.api import Mish, get_current_ops

from components.model.layers import make_mish


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
