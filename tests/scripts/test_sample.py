"""The command that chooses what to annotate."""

import pytest
import typer

from components.measures.formats.brat import read_brat, write_brat
from components.measures.gold import read_messages, write_messages
from components.model.phi_ner import PhiNer
from scripts.sample import sample
from tests.cases import cases
from tests.model.probabilities import make_predict
from training_tools.report.folder import read_outcomes

TEXTS = {
    "sure": "Knurvla och Ydremo och Knurvla", "torn": "Kanske Qvarla", "none": "Ont i knäet",
    "copy": "kanske Qvarla",
}  # fmt: skip
MASSES = {"Knurvla": ("PERSON", 0.99), "Ydremo": ("PERSON", 0.99), "Qvarla": ("PERSON", 0.6)}


@pytest.fixture
def draw(tiny_path, tmp_path, monkeypatch):
    """Chooses of four messages, and gives what is written and the outcome."""
    monkeypatch.setattr(PhiNer, "predict", make_predict(MASSES))
    rows = [{"id": id, "text": text, "author": "patient"} for id, text in TEXTS.items()]
    rows[0]["spans"] = [{"start": 0, "end": 7, "label": "DATE"}]
    source = tmp_path / "raw.jsonl"
    write_messages(source, rows)

    def run(by, number, target="chosen.jsonl", **options):
        sample(tiny_path, source, tmp_path / target, by, number, metrics=tmp_path, **options)
        (outcome,) = read_outcomes(tmp_path)
        return read_messages(tmp_path / target), outcome

    return run


@pytest.mark.parametrize(
    ("by", "ids"), [("phi", ["sure", "torn"]), ("entropy", ["torn", "sure"]), ("margin", ["torn", "sure"])]
)  # fmt: skip
def test_best(draw, by, ids):
    rows, outcome = draw(by, 2)
    assert [row["id"] for row in rows] == ids
    assert all(row["spans"] == [] and row["author"] == "patient" for row in rows)
    assert outcome.figures["left_out"] == (by != "phi")
    assert outcome.figures["mean"]["phi"] == pytest.approx({"chosen": 1.785, "all": 1.0425})
    assert "it takes 59 drawn at random of which none leaks, 93 if one does" in outcome.says
    assert not any(word in str(outcome) for word in MASSES)


def test_marked_for_annotators(draw, tmp_path):
    rows, _ = draw("phi", 1, pre_annotate=True)
    spans = [(span["start"], span["end"], span["label"]) for span in rows[0]["spans"]]
    assert spans == [(0, 7, "PERSON"), (12, 18, "PERSON"), (23, 30, "PERSON")]
    write_brat(tmp_path / "brat", rows)
    assert [row["spans"] for row in read_brat(tmp_path / "brat")] == [rows[0]["spans"]]


def test_at_random_keeps_copies(draw):
    rows, outcome = draw("random", 4)
    assert {row["id"] for row in rows} == {*TEXTS} and outcome.figures["left_out"] == 0


@cases
def test_what_cannot_be(draw, capsys, options, said):
    with pytest.raises(typer.Exit):
        draw("phi", 1, **options)
    assert said in capsys.readouterr().err


def test_annotations_are_not_replaced(draw, tmp_path, capsys):
    """What was chosen is annotated where it lies."""
    (tmp_path / "chosen.jsonl").write_text('{"text": "Knurvla", "spans": [1]}')
    with pytest.raises(typer.Exit):
        draw("phi", 2)
    assert "chosen.jsonl is there" in capsys.readouterr().err
    assert "[1]" in (tmp_path / "chosen.jsonl").read_text()
    rows, _ = draw("phi", 2, overwrite=True)
    assert len(rows) == 2
