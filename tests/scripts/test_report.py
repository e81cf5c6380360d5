"""`spacy project run report` on messages of one's own: no corpus, no training."""

import json
from functools import partial

import srsly
import typer

from scripts.report import report
from tests.cases import message
from tests.commands import call
from tests.conftest import ROOT
from training_tools.report.folder import read_outcomes

ROWS = [
    message("Ring [070-174 06 05|PHONE]!", id="1"),
    # An error for sure: no phone number is without figures.
    message("Hej [Knurvelstock|PHONE]", id="2"),
]


def test_report_of_own_messages(tiny_path, tmp_path, monkeypatch):
    """The command of the project, on its own data."""
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    (tmp_path / "training" / "mini").mkdir(parents=True)
    (tmp_path / "training" / "mini" / "model-tuned").symlink_to(tiny_path)
    srsly.write_jsonl(tmp_path / "mine.jsonl", ROWS)
    commands = srsly.read_yaml(ROOT / "project.yml")["commands"]
    (line,) = next(command["script"] for command in commands if command["name"] == "report")
    line = line.replace("${vars.config}", "mini").replace("${vars.test}", "mine.jsonl")
    *command, model, data = line.split()
    assert command == ["python", "-B", "-m", "scripts.report"]
    monkeypatch.chdir(tmp_path)
    assert call(partial(typer.run, report), model, data) == 0
    outcomes = {outcome.name: outcome for outcome in read_outcomes(tmp_path / "metrics")}
    assert {"evaluate", "leaks", "errors"} <= set(outcomes)
    assert all(outcome.data.startswith("mine (2 messages") for outcome in outcomes.values())
    page = (tmp_path / "metrics" / "report.html").read_text("utf8")
    assert "Knurvelstock" not in page
    for outcome in outcomes.values():
        assert f'id="outcome-{outcome.name}"' in page
    figures = json.loads((tmp_path / "metrics" / "report.json").read_text("utf8"))
    assert set(figures) == {"rules", "lists", "model", "merged", "careful"}
    # The page of errors is another one: it quotes messages.
    assert "Knurvelstock" in (tmp_path / "metrics" / "errors.html").read_text("utf8")
