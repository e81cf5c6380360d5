"""The callbacks and the optimizer of the training."""

import numpy as np
import pytest
import spacy
from thinc.api import Optimizer

from components.model import training


@pytest.mark.parametrize(("every", "calls"), [(1, 6), (2, 3), (5, 2), (100, 1)])
def test_release_memory(monkeypatch: pytest.MonkeyPatch, every: int, calls: int) -> None:
    seen: list[int] = []
    # Without glibc there is nothing to call.
    for trim in (seen.append, None):
        monkeypatch.setattr(training, "_find_malloc_trim", lambda trim=trim: trim)
        release = training.configure_release_memory(every)
        for step in range(6):
            release(spacy.blank("sv"), {"step": step, "epoch": 0})
    assert len(seen) == calls


def test_encoder_learns_slower() -> None:
    optimizer = training.configure_adam(0.1, encoder_scale=0.2, L2=0.0, grad_clip=1.0)
    moved = {}
    for name in ("W", "evidence.weight", "bert.encoder.layer.0.output.dense.weight"):
        weights, _ = optimizer((1, name), np.zeros(4, dtype="f"), np.ones(4, dtype="f"))
        moved[name] = float(-weights[0])
    slow = moved["bert.encoder.layer.0.output.dense.weight"]
    assert slow > 0 and moved["evidence.weight"] == moved["W"]
    assert slow == pytest.approx(0.2 * moved["W"], rel=1e-3)


def test_it_learns_as_thinc_does() -> None:
    options = {"L2": 0.01, "grad_clip": 1.0}
    quick = training.configure_adam(0.1, encoder_scale=1.0, **options)
    slow = Optimizer(0.1, L2_is_weight_decay=True, use_averages=False, **options)
    rng = np.random.default_rng(0)
    start = rng.standard_normal((5, 3)).astype("f")
    one, other = start.copy(), start.copy()
    for _ in range(20):
        gradient = rng.standard_normal((5, 3)).astype("f")
        one, left = quick((1, "W"), one, gradient.copy())
        other, _ = slow((1, "W"), other, gradient.copy())
        assert not left.any()
    assert np.abs(one - start).max() > 0.1
    np.testing.assert_allclose(one, other, atol=1e-5)
