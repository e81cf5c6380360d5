"""The callbacks and the optimizer of the training."""

import numpy as np
import pytest
import spacy
import torch
from thinc.api import Optimizer

from components.model import training

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


@pytest.mark.parametrize("able", [False, True])
def test_bf16_on_cpu(encoder_path, monkeypatch: pytest.MonkeyPatch, able: bool) -> None:
    """It changes what a training computes, not what it passes on and saves."""
    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.setattr(torch.cpu, name, lambda: able, raising=False)
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
