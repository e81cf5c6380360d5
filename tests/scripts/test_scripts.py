"""What the scripts say of wrong data: one line, and nothing of a message."""

import json
from functools import partial
from pathlib import Path

import pytest
import srsly
import typer

from scripts import (
    agreement,
    annotate_rules,
    check_encoder,
    convert,
    evaluate,
    find_unmarked,
    lint_messages,
    make_corpus,
    report,
    sample,
    tune_threshold,
)
from tests.cases import cases
from tests.commands import call
from tests.conftest import ROOT

# The arguments; DATA is a file of messages with a mistake.
COMMANDS = [
    (evaluate.evaluate, "model DATA metrics.json"),
    (tune_threshold.tune_threshold, "model DATA tuned metrics.json"),
    (annotate_rules.annotate_rules, "DATA out.jsonl"), (convert.convert, "DATA out.conll"),
    (make_corpus.make_corpus, "messages lists out --extra DATA"),
    (lint_messages.lint_messages, "messages"), (agreement.agreement, "DATA other.jsonl"),
    (sample.sample, "model DATA out.jsonl"), (find_unmarked.find_unmarked, "model DATA out.jsonl"),
    (report.report, "model DATA"),
]  # fmt: skip


@pytest.mark.parametrize("command, args", COMMANDS, ids=[args for _, args in COMMANDS])
@pytest.mark.parametrize("content", [None, {"start": 4, "end": 99, "label": "PERSON"}])
def test_wrong_data(tmp_path, monkeypatch, capsys, command, args, content):
    monkeypatch.chdir(tmp_path)
    said = run_on_wrong_data(capsys, command, args, content)
    assert content or command is lint_messages.lint_messages or "no data.jsonl" in said


def run_on_wrong_data(capsys, command, args, content):
    """Run a script in this folder on a file with a wrong span, or on none, and give what it says: nothing
    of the message. It leaves nothing behind.
    """
    if content:
        row = {"text": "Hej Anna Hemligsson", "spans": [content]}
        Path("data.jsonl").write_text(json.dumps(row) + "\n", encoding="utf8")
    before = set(Path().iterdir())
    said = run(capsys, command, args.replace("DATA", "data.jsonl"))
    assert "Hemligsson" not in said and "Errno" not in said
    assert set(Path().iterdir()) == before
    return said


def run(capsys, command, args):
    """Run a script that fails, and give the one line that it says."""
    code = call(partial(typer.run, command), *args.split())
    said = capsys.readouterr()
    assert code == 1 and not said.out
    (line,) = said.err.splitlines()
    return line


@pytest.mark.parametrize("command, args", [pair for pair in COMMANDS if "model" in pair[1]])
def test_no_pipeline(tmp_path, monkeypatch, capsys, command, args):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.jsonl").write_text('{"text": "Hej", "spans": []}\n', encoding="utf8")
    (tmp_path / "model").mkdir()
    said = run(capsys, command, args.replace("DATA", "data.jsonl"))
    assert "no trained pipeline in model" in said and "spacy project run" in said


@pytest.fixture
def configs_path(tmp_path, encoder_path, monkeypatch):
    """A project's folder, with configs over a local encoder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "configs"
    path.mkdir()
    text = (ROOT / "configs" / "mini.cfg").read_text(encoding="utf8")
    for name in ("mini", "other"):
        (path / f"{name}.cfg").write_text(
            text.replace("assets/encoder/sv-chat-mini", str(encoder_path)), encoding="utf8"
        )
    return path


CHECK = "configs/mini.cfg --encoder= --gpu-id -1"


@pytest.mark.parametrize("needs", ["", "--needs= --needs configs --needs corpus/test.jsonl"])
def test_encoder_is_there(configs_path, capsys, needs):
    check = partial(typer.run, check_encoder.check_encoder)
    assert call(check, *CHECK.split(), *needs.split()) == 0
    assert "Encoder found" in capsys.readouterr().out


@cases
def test_what_training_needs(configs_path, capsys, config, args, said):
    Path("empty").mkdir()
    args = f"{CHECK.replace('mini', config)} {args}"
    assert said in run(capsys, check_encoder.check_encoder, args)


def test_folder_without_weights(configs_path, encoder_path, monkeypatch):
    """A config alone is no encoder, and no hub is asked for a folder that is here."""
    monkeypatch.setattr(check_encoder, "model_info", pytest.fail)
    Path("empty").mkdir()
    Path("bare").mkdir()
    Path("bare/config.json").write_text('{"model_type": "bert"}', encoding="utf8")
    for name in ("empty", "bare"):
        assert not check_encoder.is_local(name) and not check_encoder.is_on_hub(name)
    assert check_encoder.is_local(str(encoder_path))


def test_more_steps_may_be_asked_for(configs_path, monkeypatch, capsys):
    """The schedule is made for them."""
    monkeypatch.setenv("SPACY_CONFIG_OVERRIDES", "--training.max_steps 9000")
    assert call(partial(typer.run, check_encoder.check_encoder), *CHECK.split()) == 0
    assert "9000 steps" in capsys.readouterr().out


@cases
def test_schedule_that_ends_before_the_training(configs_path, monkeypatch, capsys, old, new, given):
    path = configs_path / "mini.cfg"
    text = path.read_text("utf8").replace("max_epochs = 0\n", "")
    text = text.replace("batch_by_padded.v1", "batch_by_sequence.v1").replace("buffer = 256", "")
    path.write_text(text.replace("discard_oversize = false", "").replace(old, new), "utf8")
    monkeypatch.setenv("SPACY_CONFIG_OVERRIDES", given)
    said = run(capsys, check_encoder.check_encoder, f"{CHECK} --size 5000000")
    assert said.startswith("The learning rate is zero after") and "total_steps" in said


@pytest.mark.parametrize("cupy, cuda", [(False, True), (True, False), (True, True)])
def test_gpu(configs_path, monkeypatch, capsys, cupy, cuda):
    def require(gpu_id):
        if not cupy:
            raise ValueError("Cannot use GPU, CuPy is not installed")

    monkeypatch.setattr(check_encoder, "require_gpu", require)
    monkeypatch.setattr(check_encoder.torch.cuda, "is_available", lambda: cuda)
    if cupy and cuda:
        check_encoder.check_encoder(configs_path / "mini.cfg", "", 3, [])
    else:
        args = CHECK.replace("-1", "3")
        said = run(capsys, check_encoder.check_encoder, args)
        assert said.startswith("GPU 3 cannot be used")
        assert "pip install -r requirements-cuda.txt" in said


def test_without_network_it_says_what_to_do(monkeypatch, capsys):
    def refuse(*args, **kwargs):
        raise OSError("no network")

    monkeypatch.setattr(check_encoder, "is_local", lambda name: False)
    monkeypatch.setattr(check_encoder, "model_info", refuse)
    with pytest.raises(SystemExit):
        check_encoder.check_encoder(ROOT / "configs" / "kb_bert.cfg")
    said = "".join(capsys.readouterr())
    assert "--vars.encoder" in said and "hf download" in said


def test_requirements_for_cuda():
    text = (ROOT / "requirements-cuda.txt").read_text(encoding="utf8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines[0] == "-r requirements.txt" and lines[1].startswith("cupy-cuda12x>=")


def test_first_command_of_all_tells_what_is_missing():
    """The project hands it all that a user may choose wrongly."""
    project = srsly.read_yaml(ROOT / "project.yml")
    first = project["workflows"]["all"][0]
    (script,) = next(c["script"] for c in project["commands"] if c["name"] == first)
    for name in ("config", "encoder", "gpu", "extra", "test", "lists"):
        assert f"${{vars.{name}}}" in script
