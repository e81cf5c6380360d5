"""Choosing the decision threshold."""

import numpy as np
import pytest
import spacy
import srsly
from hypothesis import given
from hypothesis import strategies as st

from components.model.decoding import get_tags
from components.pipes.phi_ner import PhiNer
from corpus_tools.formats.jsonl import write_messages
from scripts.tune_threshold import THRESHOLDS, get_f_beta, tune_threshold

SHARES = st.floats(0.01, 1)


@pytest.mark.parametrize(
    ("precision", "recall", "beta", "expected"),
    [
        (1.0, 0.5, 2.0, 5 / 9),
        (0.5, 1.0, 2.0, 5 / 6),
        (1.0, 0.5, 1.0, 2 / 3),
        (0.5, 1.0, 0.5, 5 / 9),
        (0.0, 1.0, 2.0, 0.0),
        (0.0, 0.0, 2.0, 0.0),
    ],
)
def test_f_beta(precision, recall, beta, expected):
    assert get_f_beta(precision, recall, beta) == pytest.approx(expected)


@given(SHARES, SHARES, st.floats(1.01, 10))
def test_beta_above_one_is_for_recall(low, high, beta):
    low, high = sorted((low, high))
    recall, precision = get_f_beta(low, high, beta), get_f_beta(high, low, beta)
    assert low - 1e-9 <= precision <= recall <= high + 1e-9


def test_tuned_pipeline_has_the_lowest_of_the_best_thresholds(tiny_path, tmp_path, monkeypatch):
    masses = {"Knurvla": 0.1, "Ydremo": 0.65, "Qvarla": 0.85}

    def predict(pipe, docs):
        """People, as sure as told."""
        tag = get_tags(pipe.labels).index("U-PERSON")
        probs = [np.zeros((len(doc), len(get_tags(pipe.labels))), dtype="float32") for doc in docs]
        for doc, rows in zip(docs, probs):
            rows[:, tag] = [masses.get(token.text, 0.0) for token in doc]
            rows[:, 0] = 1.0 - rows[:, tag]
        return probs

    monkeypatch.setattr(PhiNer, "predict", predict)
    text = "Knurvla och Ydremo och Qvarla"
    spans = [{"start": at, "end": at + 6, "label": "PERSON"} for at in (12, 23)]
    write_messages(tmp_path / "dev.jsonl", [{"id": "m", "text": text, "spans": spans}])
    paths = [tmp_path / name for name in ("dev.jsonl", "tuned", "metrics/threshold.json")]
    tune_threshold(tiny_path, *paths, beta=2.0)
    metrics = srsly.read_json(paths[2])
    best, curve = metrics["best"], metrics["curve"]
    found = {
        0.05: (2 / 3, 1.0),
        0.12: (1.0, 1.0),
        0.6: (1.0, 1.0),
        0.7: (1.0, 0.5),
        0.9: (0.0, 0.0),
    }
    for threshold, (precision, recall) in found.items():
        row = curve[THRESHOLDS.index(threshold)]
        values = (threshold, precision, recall, get_f_beta(precision, recall, 2.0))
        assert [row[key] for key in ("threshold", "p", "r", "f_beta")] == pytest.approx(values)
    assert best == curve[THRESHOLDS.index(0.12)] and metrics["beta"] == 2.0
    tuned = spacy.load(paths[1])
    assert tuned.get_pipe("phi_ner").threshold == tuned.config["components"]["phi_ner"]["threshold"]
    assert tuned.get_pipe("phi_ner").threshold == pytest.approx(0.12)
    assert tuned.pipe_names == spacy.load(tiny_path).pipe_names
