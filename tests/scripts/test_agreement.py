"""The command that measures how far annotators agree."""

from functools import partial

import pytest
import srsly
import typer

from components.measures.gold import read_messages, write_messages
from scripts.agreement import agreement
from tests.cases import message
from tests.commands import call
from training_tools.report.folder import read_outcomes

ROWS = [message("Hej [Anna|PERSON]", id="1"), message("Tack [Bo|PERSON]", id="2")]


def test_command(tmp_path, capsys):
    files = [tmp_path / name for name in ("anna.jsonl", "bo.jsonl")]
    write_messages(files[0], [*ROWS, message("Hm", id="3")])
    write_messages(files[1], [ROWS[0], {**ROWS[1], "spans": []}])
    disputed = tmp_path / "talk" / "disputed.jsonl"
    args = [*files, "--metrics", tmp_path / "metrics", "--disputed", disputed]
    assert call(partial(typer.run, agreement), *args) == 0
    (outcome,) = read_outcomes(tmp_path / "metrics")
    # Four tokens: one agreed PERSON, one more of anna's. (.75 - .5) / .5.
    assert outcome.figures["mean"]["kappa"] == pytest.approx(0.5)
    assert outcome.figures["mean"]["f"] == pytest.approx(2 / 3)
    assert "1 messages are of one annotator only" in capsys.readouterr().out
    assert [row["id"] for row in read_messages(disputed)] == ["2"]
    assert srsly.read_json(tmp_path / "metrics/outcomes/agreement.json")["name"] == "agreement"
