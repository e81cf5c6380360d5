import json

import pytest
import typer

from scripts.find_unmarked import find_unmarked, iter_unmarked
from tests.cases import message
from tests.conftest import ROOT
from training_tools.formats.docs import rules_language

ROW = message("Hej, jag heter [Anna|PERSON] Lind, 34 år. Ring [070-1740605|PHONE]", own=1)


@pytest.fixture(scope="module")
def nlp(lists_path):
    return rules_language(lists_path, ROOT / "assets" / "patterns.jsonl")


def test_what_nobody_has_marked(nlp):
    (row,) = iter_unmarked(nlp, [ROW, message("Hej", id="2")])
    assert {key: row[key] for key in ROW} == ROW
    (span,) = row["unmarked"]
    assert (row["text"][span["start"] : span["end"]], span["label"]) == ("34 år", "AGE")
    assert span["source"] == "rules" and 0 < span["score"] <= 1


def test_script(tiny_path, tmp_path, capsys):
    path, out = tmp_path / "own.jsonl", tmp_path / "new" / "out.jsonl"
    before = json.dumps({**ROW, "spans": ROW["spans"][:1]})
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
