"""What was there before a stream is not searched for garbage while it runs."""

import gc

import pytest

from components import pipe_conversations
from components.language import garbage
from components.language.garbage import spare_for_good, spare_old_objects


@pytest.mark.parametrize("way", ["pipe", "conversations"])
def test_a_stream_spares_old_objects_and_sets_them_free(tiny_nlp, way):
    texts = ["Hej Anna Lind", "Ring 070-174 06 05"]
    stream = tiny_nlp.pipe(texts) if way == "pipe" else pipe_conversations(tiny_nlp, [texts])
    next(stream)
    assert gc.get_freeze_count()
    stream.close()
    assert not gc.get_freeze_count()


def test_what_others_have_frozen_stays_frozen(tiny_nlp):
    gc.freeze()
    try:
        with spare_old_objects():
            list(tiny_nlp.pipe(["Hej"]))
        assert gc.get_freeze_count()
    finally:
        gc.unfreeze()


def test_objects_are_set_free_after_an_error():
    with pytest.raises(ValueError), spare_old_objects():
        raise ValueError
    assert not gc.get_freeze_count()


def test_frozen_objects_are_not_counted_again(tiny_nlp, monkeypatch):
    """That takes as long as a search for garbage: for a message alone five times its own time."""
    counts = []
    monkeypatch.setattr(gc, "get_freeze_count", lambda: counts.append(1))
    with spare_old_objects():
        list(tiny_nlp.pipe(["Hej"]))
    assert len(counts) == 1
    spare_for_good()
    try:
        list(tiny_nlp.pipe(["Hej"]))
    finally:
        gc.unfreeze()
        garbage._has_frozen = False
    assert len(counts) == 1
