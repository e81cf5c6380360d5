"""The whole road, cut short: `spacy project run all` on a small corpus, to the installed wheel."""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import spacy
import srsly

from components.model.chat_encoder import ChatEncoder
from components.shared.find_pipes import find_pipe
from components.text.folding import fold_text
from tests.conftest import ROOT
from training_tools.assembly import load_trained
from training_tools.conversion import find_stock

PARTS = ["assets", "components", "configs", "training_tools", "docs", "scripts"]
SHORT = "--training.max_steps 12 --training.eval_frequency 6"


@pytest.fixture(scope="module")
def project_path(tmp_path_factory):
    path = tmp_path_factory.mktemp("project")
    for part in PARTS:
        shutil.copytree(ROOT / part, path / part, ignore=shutil.ignore_patterns("__pycache__"))
    requirements = [f"requirements{part}.txt" for part in ("", "-wheel", "-test", "-extras")]
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
def test_quick(project_path):
    """Encoder and head as they ship, before there is a corpus."""
    output = run(project_path, "quick")
    assert "there is no corpus/train.jsonl" in output
    assert len(list((project_path / "packages").glob("*/dist/*.whl"))) == 1
    assert not json.loads((project_path / "metrics" / "wheel.json").read_text())["failures"]


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
    """KB-BERT's config, over a BERT of the same architecture and tokenizer class. `prove` loads the wheel
    where neither transformers nor spacy-transformers is.
    """
    choice = ["--vars.size", "1200", "--vars.config", "kb_bert"]
    log = run(project_path, "all", *choice, "--vars.encoder", str(encoder_path))
    step, rate = re.search(r"Learning rate of the last step, (\d+): (\S+)", log).groups()
    assert step == "12" and float(rate) > 0
    check(project_path)
    trained = load_trained(project_path / "training/kb_bert/model-best")
    shipped = spacy.load(next((project_path / "packages").glob("*/sv_deid_chat/sv_deid_chat-*")))
    assert find_stock(trained) and not find_stock(shipped)
    trained.get_pipe("phi_ner").threshold = shipped.get_pipe("phi_ner").threshold
    find_pipe(shipped, ChatEncoder).precision = "fp32"
    rows = srsly.read_jsonl(project_path / "corpus" / "train.jsonl")
    # What folding changes is read otherwise.
    texts = [row["text"] for row in rows if fold_text(row["text"]).text == row["text"]][:1000]
    assert len(texts) == 1000
    alone = [get_ents(doc) for doc in shipped.pipe(texts)]
    assert [get_ents(doc) for doc in trained.pipe(texts)] == alone
    with ThreadPoolExecutor(16) as pool:
        assert [get_ents(doc) for doc in pool.map(shipped, texts)] == alone


def get_ents(doc):
    return [(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents]


@pytest.mark.slow
def test_kb_bert_without_network_says_what_to_do(project_path):
    output = run(project_path, "all", "--vars.config", "kb_bert", ok=False)
    assert "--vars.encoder" in output
    assert "hf download" in output
