"""The pipeline that a process loads once."""

import pytest

from components.frames import own_pipeline as loading


@pytest.fixture(autouse=True)
def nothing_loaded(monkeypatch):
    monkeypatch.setattr(loading, "_own", [])
    monkeypatch.setattr(loading, "_loaded", {})


def test_loaded_once_for_each_key(monkeypatch):
    loaded = []
    loading.bind_pipeline(lambda: loaded.append(len(loaded)) or f"pipeline {len(loaded)}")
    monkeypatch.setenv("SV_DEID_KEY", "a key for the tests")
    assert [loading.get_pipeline() for _ in range(3)] == ["pipeline 1"] * 3
    monkeypatch.setenv("SV_DEID_KEY", "another key for the tests")
    assert loading.get_pipeline() == "pipeline 2"
    monkeypatch.delenv("SV_DEID_KEY")
    assert [loading.get_pipeline(), loading.get_pipeline()] == ["pipeline 3"] * 2
    assert len(loading._loaded) == 1


def test_another_one_by_its_name():
    loading.bind_pipeline(lambda: "own")
    assert loading.get_pipeline(lambda: "theirs", "x") == "theirs"
    assert loading.get_pipeline(lambda: "not asked for", "x") == "theirs"
    assert loading.get_pipeline() == "own"


def test_nothing_to_load():
    with pytest.raises(ValueError, match="nlp=spacy.load"):
        loading.get_pipeline()
    assert loading.get_pipeline(lambda: "given") == "given"
