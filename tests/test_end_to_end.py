"""The whole road, cut short: `spacy project run all` on a small corpus, to the installed wheel."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import spacy.util

ROOT = Path(__file__).resolve().parent.parent
PARTS = ["assets", "components", "configs", "training_tools", "docs", "scripts"]
SHORT = "--training.max_steps 12 --training.eval_frequency 6"


@pytest.fixture(scope="module")
def project_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("project")
    for part in PARTS:
        shutil.copytree(ROOT / part, path / part, ignore=shutil.ignore_patterns("__pycache__"))
    requirements = ("requirements.txt", "requirements-test.txt", "requirements-extras.txt")
    for name in ("project.yml", *requirements, "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, path)
    return path


def run(path, command, *args, ok=True):
    env = {**os.environ, "SPACY_CONFIG_OVERRIDES": SHORT, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "spacy", "project", "run", command, ".", *args],
        cwd=path, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    output = done.stdout + done.stderr
    assert (done.returncode == 0) == ok, output[-4000:]
    return output


def check(path):
    wheels = list((path / "packages").glob("*/dist/*.whl"))
    assert len(wheels) == 1
    assert json.loads((path / "metrics" / "wheel.json").read_text())
    figures = json.loads((path / "metrics" / "evaluation.json").read_text())
    assert set(figures) == {"rules", "lists", "model", "merged", "careful"}
    assert figures["rules"]["per_class"]["EMAIL"]["r"] > 0.9
    assert figures["merged"]["redact"] >= figures["rules"]["redact"] > 0.2


@pytest.mark.slow
def test_all(project_path):
    run(project_path, "all", "--vars.size", "150")
    check(project_path)
    # A second run skips what has not changed, and a user's own messages join the training.
    again = run(project_path, "all", "--vars.size", "150")
    assert again.count("Skipping") >= 4
    row = {"id": "own-1", "text": "Hej Anna", "spans": [{"start": 4, "end": 8, "label": "PERSON"}]}
    own_path = project_path / "own.jsonl"
    own_path.write_text(json.dumps(row) + "\n", encoding="utf8")
    run(project_path, "corpus", "--vars.size", "150", "--vars.extra", "own.jsonl")
    assert '"extra-0/1"' in (project_path / "corpus" / "train.jsonl").read_text(encoding="utf8")


@pytest.mark.slow
def test_all_with_kb_bert(project_path, encoder_path):
    """KB-BERT's config, over a BERT of the same architecture and tokenizer class."""
    choice = ["--vars.size", "150", "--vars.config", "kb_bert"]
    run(project_path, "all", *choice, "--vars.encoder", str(encoder_path))
    check(project_path)
    config = spacy.util.load_config(project_path / "training/kb_bert/model-tuned/config.cfg")
    assert config["components"]["phi_ner"]["model"]["hidden_width"] == 256


@pytest.mark.slow
def test_kb_bert_without_network_says_what_to_do(project_path):
    output = run(project_path, "all", "--vars.config", "kb_bert", ok=False)
    assert "--vars.encoder" in output
    assert "huggingface-cli" in output
