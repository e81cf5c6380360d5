"""The callbacks and the optimizer of the training."""

import numpy as np
import pytest
import spacy

from components.model import training


@pytest.mark.parametrize(("every", "calls"), [(1, 6), (2, 3), (5, 2), (100, 1)])
def test_release_memory(monkeypatch: pytest.MonkeyPatch, every: int, calls: int) -> None:
    seen: list[int] = []
    monkeypatch.setattr(training, "_find_malloc_trim", lambda: seen.append)
    release = training.configure_release_memory(every)
    for step in range(6):
        release(spacy.blank("sv"), {"step": step, "epoch": 0})
    assert len(seen) == calls


def test_release_memory_without_glibc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "_find_malloc_trim", lambda: None)
    training.configure_release_memory(1)(spacy.blank("sv"), {"step": 0, "epoch": 0})


def test_encoder_learns_slower() -> None:
    optimizer = training.configure_adam(0.1, encoder_scale=0.2, L2=0.0, grad_clip=1.0)
    moved = {}
    for name in ("W", "evidence.weight", "bert.encoder.layer.0.output.dense.weight"):
        weights, _ = optimizer((1, name), np.zeros(4, dtype="f"), np.ones(4, dtype="f"))
        moved[name] = float(-weights[0])
    slow = moved["bert.encoder.layer.0.output.dense.weight"]
    assert slow > 0 and moved["evidence.weight"] == moved["W"]
    assert slow == pytest.approx(0.2 * moved["W"], rel=1e-3)
