"""Which spans of annotated messages lie on boundaries of tokens."""

import json

import pytest
import typer
from typer.testing import CliRunner

from lab.scripts.check_alignment import check_alignment


def test_check_alignment(tmp_path):
    app = typer.Typer()
    app.command()(check_alignment)
    rows = [
        {"id": "m1", "text": "Hej /Rut", "spans": [{"start": 5, "end": 8, "label": "PERSON"}]},
        {"id": "m2", "text": "Hej Ruts", "spans": [{"start": 4, "end": 7, "label": "PERSON"}]},
    ]
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf8")
    result = CliRunner().invoke(app, [str(path)])
    assert result.exit_code == 0
    assert "gold.jsonl: 1 of 2 spans aligned, 50.00%" in result.output
    assert "m2\tPERSON\t4\t7" in result.output
    assert "Rut" not in result.output
    assert "'Rut'" in CliRunner().invoke(app, [str(path), "--show-text"]).output


@pytest.mark.parametrize(
    "line",
    ["{", '{"text": "a"}', '{"text": "a", "spans": [{"start": 0, "end": 9, "label": "AGE"}]}'],
)
def test_check_alignment_names_the_bad_line(tmp_path, capsys, line):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"text": "a", "spans": []}\n' + line + "\n", encoding="utf8")
    with pytest.raises(typer.Exit):
        check_alignment([path])
    assert "bad.jsonl, line 2: " in capsys.readouterr().err
