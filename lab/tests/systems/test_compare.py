"""The comparison from end to end, in tiny: all systems, resumed, told."""

import pytest
import srsly
import typer
from typer.testing import CliRunner

from components.measures.gold import write_messages
from lab.scripts import compare
from lab.systems.measuring import Comparison
from lab.systems.pipeline import Pipeline
from lab.systems.roster import MEMBERS, Amount
from lab.workbench.training import Recipe
from training_tools.report.folder import read_outcomes

TINY = Amount(iterations=15, lstm_epochs=2, lstm_batch=4, cnn_epochs=3, kb_steps=2, rounds=1)
# The systems that are measured with each seed
SEEDED = ["lstm", "lstm-crf", "spacy-cnn", "ensemble"]


@pytest.fixture
def run(tmp_path, rows, lists_path, tiny_path, monkeypatch):
    """Runs the command."""
    monkeypatch.setattr(compare, "QUICK", TINY)
    app = typer.Typer()
    app.command()(compare.compare)
    corpora = {"train": rows, "dev": rows[:8], "made": rows[8:28], "mine": rows[:3]}
    for name, own in corpora.items():
        write_messages(tmp_path / f"{name}.jsonl", own)

    def invoke(*options, corpora=("train", "dev", "made", "mine")):
        paths = [str(tmp_path / f"{name}.jsonl") for name in corpora]
        given = {
            "--seeds": "0,1",
            "--lists": lists_path,
            "--ours": tiny_path,
            "--work": tmp_path / "work",
            "--metrics": tmp_path / "metrics",
            "--kb-bert": tmp_path / "nowhere",
        }
        flat = [str(part) for pair in given.items() for part in pair]
        return CliRunner().invoke(app, [*paths, "--quick", *flat, *options])

    return invoke


def test_all_systems(run, tmp_path, monkeypatch):
    done = run()
    assert done.exit_code == 0, done.output
    (outcome,) = read_outcomes(tmp_path / "metrics")
    assert outcome.figures["missing"] == ["kb-bert"]
    made, mine, gains, by_seed, papers = outcome.tables
    names = [row[0] for row in made.rows]
    assert len(names) == 9 and [row[0] for row in mine.rows] == names
    cells = {row[0]: dict(zip(made.head, row)) for row in made.rows}
    kb_bert = cells["this project's over KB-BERT"]
    assert kb_bert["strict F1"] == "not measured: weights not there" and kb_bert["MB"] == "–"
    assert cells["CRF"]["strict F1"].startswith(("1.000", ".9"))
    # It was not trained here; nor was all that votes.
    assert [cells[name]["training, CPU min"] for name in ("CRF", "this project's", names[-1])] == [
        "0.0",
        "–",
        "–",
    ]
    assert papers.title == "In the papers"
    assert len(gains.rows) == 7 and len(by_seed.rows) == len(SEEDED)
    assert len(outcome.plots) == 4 and "BiLSTM-CRF" in outcome.plots[0].svg
    sizes = {name: own["bytes"] for name, own in outcome.figures["systems"].items()}
    assert sizes["ensemble"] > sum(sizes[name] for name in MEMBERS)
    kept = sorted(path.stem for path in (tmp_path / "metrics/cells/compare").iterdir())
    alone = ["crf", "pipeline", "pipeline-without-lists", "thesis-rules"]
    assert kept == sorted(
        [f"{name}-{seed}" for name in SEEDED for seed in (0, 1)] + [f"{name}-0" for name in alone]
    )
    # Nothing of a message is in what is kept but what was learnt.
    for path in (tmp_path / "metrics").rglob("*.*"):
        assert "Anna" not in path.read_text(encoding="utf8")
    monkeypatch.setattr(Comparison, "measure", lambda *_: pytest.fail("measured again"))
    assert run().exit_code == 0
    assert run("--systems", "crf, lstm").exit_code == 0
    (outcome,) = read_outcomes(tmp_path / "metrics")
    assert [row[0] for row in outcome.tables[0].rows] == ["CRF", "BiLSTM"]


def test_what_was_learnt_is_measured_on_other_messages(run, tmp_path):
    assert run("--systems", "crf", corpora=("train", "dev", "mine")).exit_code == 0
    model = tmp_path / "work/compare/crf-0/model/model.crfsuite"
    before = model.stat().st_mtime_ns
    assert run("--systems", "crf", corpora=("train", "dev", "made")).exit_code == 0
    assert model.stat().st_mtime_ns == before
    assert run("--systems", "crf", corpora=("made", "dev", "mine")).exit_code == 0
    assert model.stat().st_mtime_ns > before
    kept = srsly.read_json(tmp_path / "work/compare/crf-0/fitted.json")
    assert kept["minutes"] > 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--systems", "crf,hmm"], "There is no system hmm: choose of thesis-rules, crf"),
        (["--ours", "nowhere", "--systems", "pipeline"], "There is no trained pipeline in nowhere"),
    ],
)
def test_wrong_options(run, options, says):
    done = run(*options)
    assert done.exit_code == 1 and says in done.output


def test_pipeline_is_trained_without_lists(rows, encoder_path, lists_path, tmp_path):
    small = {
        "components.phi_ner.model.hidden_width": 16,
        "initialize.components.surrogate_generator.lists.path": str(lists_path),
    }
    recipe = Recipe(2, overrides=small, encoder=str(encoder_path), lists=str(lists_path))
    system = Pipeline(recipe, lists=False)
    assert system.learns and system.seeded
    system.fit(rows[:8], rows[:8], seed=0)
    assert "gazetteer_matcher" not in system.nlp.pipe_names
    ner = system.nlp.get_pipe("phi_ner")
    system.to_disk(tmp_path)
    read = Pipeline(recipe, lists=False)
    read.from_disk(tmp_path)
    assert read.nlp.get_pipe("phi_ner").threshold == ner.threshold
    assert [len(found) for found in read.find(["Hej", "", "Anna"])] == [
        len(found) for found in system.find(["Hej", "", "Anna"])
    ]
