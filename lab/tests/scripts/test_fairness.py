"""Whose information is left more often, from messages to the page."""

import json

import pytest
import spacy
import srsly
import typer

from lab.measures.fairness import LEAST
from lab.scripts.fairness import fairness, tell
from lab.workbench.scored import Share

# Rules find the number; at threshold 1 nothing finds the name.
NUMBER = {"text": "ring 070-174 06 05", "spans": [{"start": 5, "end": 18, "label": "PHONE"}]}
NAME = {"text": "XKNURVEL", "spans": [{"start": 0, "end": 8, "label": "PERSON"}]}


@pytest.fixture
def paths(tmp_path):
    for name, row in (("numbers", NUMBER), ("names", NAME)):
        rows = [{"id": f"message {number}", **row} for number in range(LEAST)]
        srsly.write_jsonl(tmp_path / f"{name}.jsonl", rows)
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- fairness -->\nSTALE\n<!-- /fairness -->\n", encoding="utf8")
    return [tmp_path / "numbers.jsonl", tmp_path / "names.jsonl"], tmp_path / "m.json", page


@pytest.fixture
def model_path(tiny_path, tmp_path):
    nlp = spacy.load(tiny_path)
    nlp.get_pipe("phi_ner").threshold = 1.0
    nlp.to_disk(tmp_path / "model")
    return tmp_path / "model"


def test_fairness(model_path, lists_path, paths, capsys):
    data, metrics, page = paths
    fairness(model_path, data, metrics, page, lists_path)
    figures = json.loads(metrics.read_text("utf8"))
    assert figures["messages"] == {"numbers": LEAST, "names": LEAST}
    part = figures["All classes, by writer"]
    assert part["redact"]["value"] == 0.5 and part["worst"] == "set: names"
    assert {"kind": "capitals", "group": "all capitals", "entities": LEAST}.items() <= next(
        group for group in part["groups"] if group["group"] == "all capitals"
    ).items()
    assert figures["PERSON, by name"]["redact"]["value"] == 0
    text = page.read_text("utf8")
    assert "| set | numbers | 30 | 1.000 (1.000-1.000) | +50.0 (" in text
    assert "STALE" not in text and text.startswith("a\n<!-- fairness -->\nMessages: numbers (30)")
    printed = capsys.readouterr().out
    assert "unlisted" in printed and "KNURVEL" not in printed + text + metrics.read_text("utf8")


def test_a_page_without_the_block(tiny_path, lists_path, paths):
    data, metrics, page = paths
    page.write_text("a\n", encoding="utf8")
    with pytest.raises(typer.Exit):
        fairness(tiny_path, data, metrics, page, lists_path)


def test_nobody_below():
    assert tell("all", Share(0.9, 0.8, 1.0), []).endswith("No group is below the mean.")
