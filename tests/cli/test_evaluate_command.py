"""The measures of the installed pipeline, from the command line."""

import json

import pytest
import spacy
import srsly
from typer.testing import CliRunner

from components.cli.app import make_app
from components.measures.evaluation import name_corpora
from tests.cases import cases

# The tiny model finds something or nothing; rules find the number.
ROWS = [
    {"text": "Ring 070-174 06 05!", "spans": [{"start": 5, "end": 18, "label": "PHONE"}]},
    {"text": "Hej", "spans": []},
]


@pytest.fixture
def run(tiny_path, tmp_path):
    def run_evaluate(*args, rows=ROWS, load=lambda: spacy.load(tiny_path)):
        srsly.write_jsonl(tmp_path / "gold.jsonl", rows)
        args = [arg.replace("TMP", str(tmp_path)) for arg in args]
        return CliRunner().invoke(make_app(load, "evaluate"), [*args, "--threshold", "1"])

    return run_evaluate


def test_measures_are_told_and_written(run, tmp_path):
    done = run("TMP/gold.jsonl", "--output", "TMP/figures.json", "--all")
    assert done.exit_code == 0, done.output
    assert "gold: 2 messages, 1 spans" in done.stdout and "Ring" not in done.output
    assert "strict F1" in done.stdout and "leak a sentence" in done.stdout
    line = next(line for line in done.stdout.splitlines() if line.startswith("AGE"))
    assert line.split() == ["AGE", *"–/–/–".replace("/", " / ").split() * 2, "–", "0"]
    figures = json.loads((tmp_path / "figures.json").read_text())["gold"]
    assert figures["strict"]["f"] == figures["token_weighted"]["f"] == figures["clean"] == 1.0
    assert figures["leak"] == 0.0 and figures["sentences"] == 2
    assert figures["per_class"]["AGE"]["f"] is None
    assert figures["intervals"]["redact"] == [1.0, 1.0]


def test_three_figures_come_first(run):
    done = run("TMP/gold.jsonl")
    rows = [
        line.split()[0] for line in done.stdout.splitlines() if line.startswith(("re", "fu", "cl"))
    ]
    assert rows == ["redact", "full", "clean"] and "strict" not in done.stdout
    assert "2 messages" in done.stdout and "1 spans" in done.stdout
    assert run("TMP/gold.jsonl", "--all").stdout.startswith(done.stdout)


def test_errors_are_written_word_by_word(run, tmp_path):
    rows = [
        {"id": "a", "text": "Hej Knurvel!", "spans": [{"start": 4, "end": 11, "label": "PERSON"}]},
        {"id": "b", "text": "Ring 070-174 06 05!", "spans": []},
    ]
    done = run("TMP/gold.jsonl", "--errors", "TMP/errors.jsonl", rows=rows)
    assert done.exit_code == 0, done.output
    assert "errors.jsonl: 2. It" in done.stderr and "HOLDS PHI" in done.stderr
    assert "Knurvel" not in done.output
    missed, spurious = srsly.read_jsonl(tmp_path / "errors.jsonl")
    assert missed == {
        "corpus": "gold", "id": "a", "kind": "missed", "start": 4, "end": 11, "gold": "PERSON",
        "found": "–", "by": "–", "score": None, "words": "Knurvel", "text": "Hej Knurvel!",
    }  # fmt: skip
    assert (spurious["id"], spurious["kind"], spurious["found"]) == ("b", "spurious", "PHONE")
    assert spurious["words"] == "070-174 06 05" and spurious["by"].startswith("rules:phone")
    path = tmp_path / "errors.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    done = run("TMP/gold.jsonl", "--errors", "TMP/errors.jsonl", load=lambda: 1 / 0)
    assert done.exit_code == 2 and "--overwrite" in done.stderr


def test_nothing_is_overwritten_without_being_told(run, tmp_path):
    path = tmp_path / "figures.json"
    path.write_text("mine")

    def load():
        raise AssertionError("nothing is loaded before that is known")

    done = run("TMP/gold.jsonl", "--output", "TMP/figures.json", load=load)
    assert done.exit_code == 2 and "--overwrite" in done.stderr and path.read_text() == "mine"
    assert run("TMP/gold.jsonl", "--output", "TMP/figures.json", "--overwrite").exit_code == 0
    assert "gold" in json.loads(path.read_text())


def test_corpora_side_by_side(run, tmp_path):
    (tmp_path / "b").mkdir()
    srsly.write_jsonl(tmp_path / "b" / "gold.jsonl", ROWS[1:])
    done = run("TMP/gold.jsonl", "TMP/b/gold.jsonl", "--output", "TMP/figures.json")
    assert done.exit_code == 0, done.output
    first, second = json.loads((tmp_path / "figures.json").read_text()).values()
    assert (first["messages"], second["messages"]) == (2, 1)
    assert second["strict"]["f"] is None and "full" not in second["intervals"]


@cases
def test_wrong_files(run, tmp_path, content, said):
    (tmp_path / "bad.jsonl").write_text(content)
    done = run("TMP/bad.jsonl", load=lambda: 1 / 0)
    assert done.exit_code == 2 and said in done.stderr and "Hemligsson" not in done.output


def test_failed_messages_are_not_measured(run, monkeypatch):
    monkeypatch.setattr("components.model.phi_ner.PhiNer.predict", lambda self, docs: 1 / 0)
    done = run("TMP/gold.jsonl")
    assert done.exit_code == 2 and "2 of 2 messages failed, the first in phi_ner" in done.stderr


def test_names_of_corpora(tmp_path):
    paths = [tmp_path / "a.jsonl", tmp_path / "b" / "a.jsonl", tmp_path / "c.jsonl"]
    assert name_corpora(paths) == [
        (tmp_path / "a").as_posix(), (tmp_path / "b" / "a").as_posix(), "c"
    ]  # fmt: skip
