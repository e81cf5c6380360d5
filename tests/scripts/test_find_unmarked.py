import json

import pytest
import typer

from scripts.find_unmarked import find_unmarked, iter_unmarked
from tests.conftest import ROOT
from training_tools.formats.docs import rules_language

TEXT = "Hej, jag heter Anna Lind, 34 år. Ring 070-1740605"
ANNA = {"start": 15, "end": 19, "label": "PERSON"}
PHONE = {"start": 38, "end": 49, "label": "PHONE"}


@pytest.fixture(scope="module")
def nlp(lists_path):
    return rules_language(lists_path, ROOT / "assets" / "patterns.jsonl")


def test_what_nobody_has_marked(nlp):
    messages = [
        {"id": "1", "text": TEXT, "spans": [ANNA, PHONE], "own": 1},
        {"id": "2", "text": "Hej", "spans": []},
    ]
    (row,) = iter_unmarked(nlp, messages)
    assert {key: row[key] for key in messages[0]} == messages[0]
    (span,) = row["unmarked"]
    assert (TEXT[span["start"] : span["end"]], span["label"]) == ("34 år", "AGE")
    assert span["source"] == "rules" and 0 < span["score"] <= 1


def test_script(tiny_path, tmp_path, capsys):
    path, out = tmp_path / "own.jsonl", tmp_path / "new" / "out.jsonl"
    before = json.dumps({"id": "1", "text": TEXT, "spans": [ANNA]})
    path.write_text(before, encoding="utf8")
    find_unmarked(tiny_path, path, out)
    (row,) = map(json.loads, out.read_text("utf8").splitlines())
    assert {"AGE", "PHONE"} <= {span["label"] for span in row["unmarked"]}
    output = capsys.readouterr().out
    assert "1 of 1 messages" in output and "070" not in output and "Anna" not in output
    # One's own file is kept.
    with pytest.raises(typer.Exit):
        find_unmarked(tiny_path, path, path)
    assert path.read_text("utf8") == before
