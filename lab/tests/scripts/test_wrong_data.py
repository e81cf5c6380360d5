"""What the scripts of the laboratory say of wrong data: one line, and nothing of a message."""

import pytest

from lab.scripts import (
    attack,
    benchmark,
    certify,
    check_alignment,
    corpus_report,
    count_words,
    evaluate_surrogates,
    stability,
    write_examples,
)
from tests.conftest import ROOT
from tests.scripts.test_scripts import run, run_on_wrong_data

COMMANDS = [
    (benchmark.benchmark, "model data.jsonl metrics.json"),
    (check_alignment.check_alignment, "data.jsonl"),
    (corpus_report.corpus_report, "data.jsonl"),
    (attack.attack, "data.jsonl"),
    (stability.stability, "model data.jsonl metrics.json"),
    (certify.certify, "model data.jsonl certificate.json"),
]


@pytest.mark.parametrize("command, args", COMMANDS, ids=[args for _, args in COMMANDS])
@pytest.mark.parametrize("content", [None, {"start": 4, "end": 99, "label": "PERSON"}])
def test_wrong_data(tmp_path, monkeypatch, capsys, command, args, content):
    monkeypatch.chdir(tmp_path)
    said = run_on_wrong_data(capsys, command, args, content)
    assert content or "no data.jsonl" in said


@pytest.mark.parametrize(
    "command, args",
    [
        (evaluate_surrogates.evaluate_surrogates, "model data.jsonl metrics.json --lists lists"),
        (write_examples.write_examples, "model examples page.md"),
    ],
)
def test_no_pipeline(tmp_path, lists_path, monkeypatch, capsys, command, args):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").mkdir()
    (tmp_path / "lists").symlink_to(lists_path)
    for path in (tmp_path / "data.jsonl", tmp_path / "examples" / "data.jsonl"):
        path.write_text('{"text": "Hej", "spans": []}\n', encoding="utf8")
    (tmp_path / "model").mkdir()
    said = run(capsys, command, args)
    assert "no trained pipeline in model" in said and "spacy project run" in said


def test_no_texts_to_count(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for config_path in (ROOT / "configs" / "pretrain.json", tmp_path / "missing.json"):
        args = f"missing words.tsv --config-path {config_path}"
        said = run(capsys, count_words.count_words, args)
        assert "missing" in said and "Errno" not in said
    assert not any(tmp_path.iterdir())
