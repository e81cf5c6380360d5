"""`evaluate`: figures of a corpus, with their intervals."""

import json
from pathlib import Path

import pytest
import spacy
import srsly
import typer

from components.measures.figures import write_share
from components.measures.gold import make_docs, read_gold
from scripts.evaluate import evaluate
from tests.cases import cases, message
from training_tools.assembly import set_thresholds
from training_tools.pipeline_parts import evaluate_systems, write_figures

# The tiny model finds something or nothing; rules find the number.
ROWS = [
    message("Ring [070-174 06 05|PHONE]!", id="0"),
    message("Hej", id="1"),
]


@pytest.fixture
def data_path(tmp_path):
    path = tmp_path / "natural.jsonl"
    srsly.write_jsonl(path, ROWS)
    return path


@pytest.fixture(scope="module")
def strict_path(tiny_path, tmp_path_factory):
    """At threshold 1 rules alone find something."""
    path = tmp_path_factory.mktemp("strict")
    nlp = spacy.load(tiny_path)
    set_thresholds(nlp, 1.0, {"careful": 1.0})
    nlp.to_disk(path)
    return path


def test_figures(strict_path, data_path, tmp_path):
    evaluate(strict_path, data_path, tmp_path / "m.json")
    figures = json.loads((tmp_path / "m.json").read_text())
    assert [*figures] == ["rules", "lists", "model", "merged", "careful"]
    assert figures["lists"]["strict"]["r"] == 0.0
    assert figures["merged"]["per_class"]["PHONE"]["redact"] == figures["merged"]["clean"] == 1.0
    assert figures["merged"]["messages"] == 2
    intervals = figures["merged"]["intervals"]
    assert intervals["strict"]["f"] == intervals["per_class"]["PHONE"]["p"] == [1.0, 1.0]
    assert [*intervals["per_class"]] == ["PHONE"]


def test_shares_are_printed(strict_path, data_path, capsys):
    evaluate(strict_path, data_path)
    printed = capsys.readouterr().out
    assert "redact, direct identifiers   1.000 (1.000-1.000)" in printed
    assert "characters left              .000 (.000-.000)" in printed


def test_conversations_are_resampled_whole(strict_path, tmp_path):
    """One message right and one wrong: the share of right ones moves, unless they are of one."""
    rows = [ROWS[0], message("[Bo|EMAIL]", id="1")]
    ranges = []
    for more in ({}, {"conversation": "a"}):
        srsly.write_jsonl(tmp_path / "data.jsonl", [{**row, **more} for row in rows])
        path = tmp_path / "m.json"
        evaluate(strict_path, tmp_path / "data.jsonl", path)
        figures = json.loads(path.read_text())["rules"]
        assert figures["full"] == 0.5
        ranges.append(figures["intervals"]["full"])
    assert ranges == [[0.0, 1.0], [0.5, 0.5]]


def test_failed_messages_are_not_measured(strict_path, data_path, tmp_path, monkeypatch, capsys):
    """A message that a pipe fails on is left without entities: it would count as clean."""
    monkeypatch.setattr("components.model.phi_ner.PhiNer.predict", lambda self, docs: 1 / 0)
    path = tmp_path / "m.json"
    with pytest.raises(typer.Exit):
        evaluate(strict_path, data_path, path)
    said = "".join(capsys.readouterr())
    assert "2 of 2 messages failed" in said and "phi_ner (ZeroDivisionError" in said
    assert not path.exists()


def test_figures_of_another_corpus_are_kept(strict_path, data_path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    own, other, path = Path("natural.jsonl"), Path("own/natural.jsonl"), tmp_path / "m" / "e.json"
    other.parent.mkdir()
    srsly.write_jsonl(other, ROWS[:1])

    def read(name):
        return srsly.read_json(path.with_name(name))["merged"]

    # The same corpus again: its figures are written again.
    for _ in range(2):
        evaluate(strict_path, own, path)
        assert [file.name for file in path.parent.iterdir()] == ["e.json"]
    evaluate(strict_path, other, path)
    assert "is now in" in capsys.readouterr().out
    assert read("e-natural.json")["messages"] == 2 and read("e.json")["messages"] == 1
    assert read("e.json")["file"] == "own/natural.jsonl"
    systems = {
        str(file): evaluate_systems(spacy.load(strict_path), "", read_gold(file))[1]
        for file in (own, other)
    }
    write_figures(path, systems, [own, other], None)
    assert read("e.json")["messages"] == 2 and read("e-own-natural.json")["messages"] == 1


@pytest.mark.parametrize("content", ["mine", '{"merged": 1}', "[]"])
def test_other_files_are_not_overwritten(strict_path, data_path, tmp_path, capsys, content):
    path = tmp_path / "mine.json"
    path.write_text(content)
    with pytest.raises(typer.Exit):
        evaluate(strict_path, data_path, path)
    assert "something else" in "".join(capsys.readouterr()) and path.read_text() == content
    (tmp_path / "none.jsonl").touch()
    with pytest.raises(typer.Exit):
        evaluate(strict_path, tmp_path / "none.jsonl", tmp_path / "m.json")
    assert "holds no message" in "".join(capsys.readouterr())
    assert not (tmp_path / "m.json").exists()


@cases
def test_shares(share, interval, text):
    assert write_share(share, interval) == text


def test_messages_in_lower_case_and_with_context(tiny_nlp):
    rows = [message(text, conversation="a") for text in ("Hur gammal är DU, Bo?", "İ 52")]
    first, second = make_docs(tiny_nlp, rows, True, True)
    assert (first.text, second.text) == ("hur gammal är du, bo?", "İ 52")
    assert (first._.context, second._.context) == (None, "hur gammal är du, bo?")
    assert [doc._.context for doc in make_docs(tiny_nlp, rows)] == [None, None]
