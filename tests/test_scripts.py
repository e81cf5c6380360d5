"""What the scripts say of wrong data: one line, and nothing of a message."""

import json
import sys

import pytest
import typer

from corpus_tools.brat import read_brat, write_brat
from scripts import (
    annotate_rules,
    benchmark,
    check_alignment,
    convert,
    corpus_report,
    evaluate,
    lint_messages,
    make_corpus,
    tune_threshold,
)

# The arguments; DATA is a file of messages with a mistake.
COMMANDS = [
    (evaluate.evaluate, "model DATA metrics.json"),
    (tune_threshold.tune_threshold, "model DATA tuned metrics.json"),
    (benchmark.benchmark, "model DATA metrics.json"),
    (check_alignment.check_alignment, "DATA"),
    (annotate_rules.annotate_rules, "DATA out.jsonl"),
    (convert.convert, "DATA out.conll"),
    (corpus_report.corpus_report, "DATA"),
    (make_corpus.make_corpus, "messages lists out --extra DATA"),
    (lint_messages.lint_messages, "messages"),
]


@pytest.mark.parametrize("command, args", COMMANDS, ids=[args for _, args in COMMANDS])
@pytest.mark.parametrize("content", [None, {"start": 4, "end": 99, "label": "PERSON"}])
def test_wrong_data(tmp_path, monkeypatch, capsys, command, args, content):
    monkeypatch.chdir(tmp_path)
    if content:
        row = {"text": "Hej Anna Hemligsson", "spans": [content]}
        (tmp_path / "data.jsonl").write_text(json.dumps(row) + "\n", encoding="utf8")
    before = set(tmp_path.iterdir())
    monkeypatch.setattr(sys, "argv", ["x", *args.replace("DATA", "data.jsonl").split()])
    with pytest.raises(SystemExit) as error:
        typer.run(command)
    said = capsys.readouterr()
    assert error.value.code == 1 and len(said.err.splitlines()) == 1
    assert "Hemligsson" not in said.err + said.out
    assert set(tmp_path.iterdir()) == before


def test_no_messages_in_brat(tmp_path):
    write_brat(tmp_path / "brat", [])
    assert read_brat(tmp_path / "brat") == []
