"""The layers do what thinc's do; the callbacks and the optimizer of the training."""

import numpy as np
import pytest
import spacy
import torch
from thinc.api import Mish, Optimizer, expand_window, get_current_ops

from components.model import training
from components.model.tagger import make_mish, make_neighbours

# Parameters of a `chat_encoder`, and of networks of transformers.
ENCODERS = (
    "bert.encoder.layer.0.output.dense.weight",
    "encoder.layer.0.output.dense.weight",
    "layers.0.mlp.Wi.weight",
)


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
    for name in ("W", "evidence.weight", *ENCODERS):
        weights, _ = optimizer((1, name), np.zeros(4, dtype="f"), np.ones(4, dtype="f"))
        moved[name] = float(-weights[0])
    assert moved["W"] > 0 and moved["evidence.weight"] == moved["W"]
    for name in ENCODERS:
        assert moved[name] == pytest.approx(0.2 * moved["W"], rel=1e-3)


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


def test_bf16_on_cpu(encoder_path, able):
    """It changes what a training computes, not what it passes on and saves."""
    nlp = spacy.blank("sv")
    model = {"name": str(encoder_path), "transformer_config": {"attn_implementation": "eager"}}
    pipe = nlp.add_pipe("transformer", config={"model": model})
    pipe.initialize(list)
    doc = nlp.make_doc("Hej, jag heter Anna Lind")
    full = pipe.predict([doc]).doc_data[0].tensors[0]
    training.configure_bf16_on_cpu("transformer")(nlp)
    half = pipe.predict([doc]).doc_data[0].tensors[0]
    assert half.dtype == np.float32 and np.array_equal(full, half) != able
    np.testing.assert_allclose(full, half, atol=0.05)
    assert all(w.dtype == torch.float32 for w in pipe.model.transformer.parameters())
    loaded = spacy.blank("sv").add_pipe("transformer", config={"model": model})
    loaded.from_bytes(pipe.to_bytes())
    np.testing.assert_allclose(loaded.predict([doc]).doc_data[0].tensors[0], full, atol=1e-6)


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
