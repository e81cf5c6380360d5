"""The callbacks of the training."""

import pytest
import spacy

from components import training


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
