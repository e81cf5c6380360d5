"""What is trained, for how long, and what a training depends on."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import spacy
import srsly
import torch
import typer
from spacy.cli.train import train as spacy_train
from spacy.util import load_config
from weasel.util import get_checksum

import training_tools.registered  # noqa: F401
from scripts.assemble import assemble
from scripts.train import keep_last, read_config
from tests.cases import cases
from tests.conftest import EXAMPLES, ROOT, run_python
from training_tools.assembly import ADDED, load_trained, set_thresholds
from training_tools.formats.docs import chat_language, write_docs
from training_tools.head import FILE, choose_head, read_head, set_head, write_head
from training_tools.steps import fit_steps, plan_size

RATE = "training.optimizer.learn_rate"
CONFIGS = sorted(path.stem for path in (ROOT / "configs").glob("*.cfg"))


def get_steps(config, given, messages):
    training = read_config(ROOT / "configs" / f"{config}.cfg", given, messages)["training"]
    schedule = training["optimizer"]["learn_rate"]
    steps = training["max_steps"], schedule["total_steps"], schedule["warmup_steps"]
    return *steps, training["eval_frequency"]


@cases
def test_steps_come_from_the_corpus(config, messages, steps):
    assert get_steps(config, {}, messages) == steps


@pytest.mark.parametrize("config", CONFIGS)
def test_steps_are_those_of_the_projects_corpus(config):
    """What the config says is what `spacy project run all` does."""
    own = load_config(ROOT / "configs" / f"{config}.cfg", interpolate=True)
    size = plan_size(own, has_head=False)
    assert fit_steps(own, size) == {**fit_steps(own, size), **get_planned(own)}


def get_planned(config):
    training = config["training"]
    rate = training["optimizer"]["learn_rate"]
    return {
        **{f"training.{name}": training[name] for name in ("max_steps", "eval_frequency")},
        **{f"{RATE}.{name}": rate[name] for name in ("total_steps", "warmup_steps")},
    }


def test_given_steps_stand():
    given = {"training.max_steps": 12, "training.eval_frequency": 6}
    assert get_steps("mini", given, 95_000) == (12, 13, 1, 6)
    with pytest.raises(ValueError, match="zero after 10 steps, the training makes 12"):
        get_steps("mini", {**given, f"{RATE}.total_steps": 10}, 95_000)


@pytest.fixture(scope="module")
def overrides(tmp_path_factory, encoder_path, lists_path):
    folder = tmp_path_factory.mktemp("corpus")
    rows = []
    for text, phi in EXAMPLES:
        places = {label: (text.index(value), len(value)) for value, label in phi.items()}
        spans = [{"start": at, "end": at + n, "label": key} for key, (at, n) in places.items()]
        rows.append({"text": text, "spans": spans})
    for split in ("train", "dev"):
        write_docs(folder / f"{split}.spacy", rows, chat_language())
    patterns = folder / "optional.jsonl"
    srsly.write_jsonl(patterns, srsly.read_jsonl(ROOT / "assets" / "optional_patterns.jsonl"))
    return {
        "paths.train": str(folder / "train.spacy"), "paths.dev": str(folder / "dev.spacy"),
        "paths.encoder": str(encoder_path), "paths.lists": str(lists_path),
        "paths.optional_patterns": str(patterns), "components.phi_ner.model.hidden_width": 16,
        "components.transformer.precision": "fp32", "training.max_steps": 3,
        "training.eval_frequency": 3, f"{RATE}.total_steps": 4, f"{RATE}.warmup_steps": 1,
    }  # fmt: skip


@pytest.fixture(scope="module")
def trained(overrides, tmp_path_factory):
    """What the command trains, in a process of its own."""
    folder = tmp_path_factory.mktemp("trained")
    options = " ".join(f"--{name}={json.dumps(value)}" for name, value in overrides.items())
    environment = {"SPACY_CONFIG_OVERRIDES": options, "OMP_NUM_THREADS": "1"}
    done = run_python("scripts.train", "configs/mini.cfg", folder, options=["-m"], **environment)
    assert done.returncode == 0, done.stderr[-4000:]
    (folder / "log.txt").write_text(done.stdout, encoding="utf8")
    return folder / "model-last"


def test_the_rate_of_the_last_step_is_told(trained):
    log = (trained.parent / "log.txt").read_text("utf8")
    step, rate = re.search(r"Learning rate of the last step, (\d+): (\S+)", log).groups()
    assert step == "3" and float(rate) > 0


def test_what_is_added_changes_nothing_of_the_training(overrides, trained, tmp_path):
    """The same weights, to the bit, as of a training with all pipes, and as many threads."""
    torch.set_num_threads(1)
    spacy_train(ROOT / "configs" / "mini.cfg", tmp_path, overrides=overrides)
    whole, part = map(spacy.load, (tmp_path / "model-last", trained))
    assert not set(ADDED) & set(part.pipe_names)
    assert set(ADDED) <= set(whole.pipe_names)
    for file in ("transformer/model.safetensors", "phi_ner/model"):
        one, other = (path / file for path in (tmp_path / "model-last", trained))
        assert one.read_bytes() == other.read_bytes(), file
    made = load_trained(trained)
    assert made.pipe_names == whole.pipe_names
    assert made.config["components"] == whole.config["components"]
    assert made.config["initialize"] == whole.config["initialize"] and "added" not in made.config
    for text, _ in EXAMPLES:
        assert made(text).to_json()["ents"] == whole(text).to_json()["ents"]
    made.to_disk(tmp_path / "made")
    assert spacy.load(tmp_path / "made").pipe_names == whole.pipe_names


def test_optional_patterns_change_without_a_training(overrides, trained):
    path = Path(overrides["paths.optional_patterns"])
    before = path.read_text("utf8")
    row = {"id": "mine.code", "label": "PLATE", "regex": "zz\\d+"}
    try:
        path.write_text(before + json.dumps(row) + "\n", "utf8")
        ruler = load_trained(trained).get_pipe("custom_ruler")
    finally:
        path.write_text(before, "utf8")
    assert row in ruler.optional


@pytest.mark.parametrize("exclude", [["surrogate_generator", "doc_cleaner"], list(ADDED)])
def test_pipes_that_are_not_wanted_are_not_added(trained, exclude):
    nlp = load_trained(trained, exclude=exclude)
    assert not set(exclude) & set(nlp.pipe_names)


@pytest.fixture
def with_head(trained, encoder_path, tmp_path):
    """The folder of the encoder, with what was trained as its head."""
    nlp = load_trained(trained)
    nlp.get_pipe("gazetteer_matcher").ordinary = {"sten"}
    set_thresholds(nlp, 0.08, {"balanced": 0.08, "careful": {"AGE": 0.01, "default": 0.02}})
    write_head(nlp, shutil.copytree(encoder_path, tmp_path / "encoder"))
    return tmp_path / "encoder"


def test_a_head_is_put_back(trained, with_head):
    head, nlp, other = read_head(with_head / FILE), spacy.load(trained), spacy.load(trained)
    other.get_pipe("transformer").backend = "torch"
    zeros = {name: np.zeros_like(weight) for name, weight in head.weights.items()}
    set_head(other, head._replace(weights=zeros))
    texts = [text for text, _ in EXAMPLES]
    assert not np.allclose(predict(nlp, texts), predict(other, texts), atol=1e-3)
    set_head(other, head)
    # What the whole corpus has as ordinary words, a small one may lack.
    assert "sten" in other.get_pipe("gazetteer_matcher").ordinary
    assert np.allclose(predict(nlp, texts), predict(other, texts), atol=1e-3)


def predict(nlp, texts):
    with nlp.select_pipes(disable=["doc_cleaner"]):
        docs = [nlp(text) for text in texts]
    return np.concatenate(nlp.get_pipe("phi_ner").predict(docs))


def test_a_head_of_another_version_is_refused(trained, with_head):
    head = read_head(with_head / FILE)
    evidence = {"evidence.weight": head.weights["evidence.weight"][:, 1:]}
    with pytest.raises(ValueError, match="--from-encoder"):
        set_head(spacy.load(trained), head._replace(weights={**head.weights, **evidence}))


def test_own_messages_keep_the_last_weights(tmp_path):
    for name in ("best", "last"):
        (tmp_path / f"model-{name}").mkdir()
        (tmp_path / f"model-{name}" / name).touch()
    keep_last(tmp_path)
    assert [path.name for path in (tmp_path / "model-best").iterdir()] == ["last"]
    assert (tmp_path / "model-last" / "last").exists()


def test_a_training_goes_on_from_the_head(overrides, with_head):
    given = {**overrides, "paths.encoder": str(with_head)}
    config = load_config(ROOT / "configs" / "mini.cfg", overrides=given, interpolate=True)
    assert choose_head(config) == with_head / "head.safetensors"
    config["schedule"].pop("with_head")
    assert choose_head(config) is None


@pytest.mark.parametrize("name", ["mini", "small"])
@cases
def test_a_head_leaves_fewer_steps_at_a_lower_rate(name, has_head, n_own, messages, steps, rate):
    path = ROOT / "configs" / f"{name}.cfg"
    assert plan_size(load_config(path), has_head, n_own) == messages
    own = read_config(path, {}, messages + 3 * (n_own if n_own > 10 else 0), has_head)["training"]
    assert (own["max_steps"], own["optimizer"]["learn_rate"]["initial_rate"]) == (steps, rate)


def test_a_config_without_a_plan_says_what_to_do():
    with pytest.raises(ValueError, match="--vars.size"):
        plan_size({}, has_head=False)


def test_the_small_encoders_share_their_settings():
    small, mini = (load_config(ROOT / "configs" / f"{name}.cfg") for name in ("small", "mini"))
    mini["paths"]["encoder"] = "assets/encoder/sv-chat-small"
    mini["training"]["optimizer"]["encoder_scale"] = 0.1
    assert small == mini


def test_what_ships_is_assembled_without_a_training(
    overrides, trained, with_head, tmp_path, monkeypatch
):
    given = {**overrides, "paths.encoder": str(with_head)}
    options = " ".join(f"--{name}={json.dumps(value)}" for name, value in given.items())
    monkeypatch.setenv("SPACY_CONFIG_OVERRIDES", options)
    assemble(ROOT / "configs" / "mini.cfg", tmp_path / "new" / "made")
    made, nlp = spacy.load(tmp_path / "new" / "made"), load_trained(trained)
    assert made.pipe_names == nlp.pipe_names
    assert made.get_pipe("phi_ner").mode == "balanced"
    assert made.get_pipe("gazetteer_matcher").ordinary == {"sten"}
    assert made.get_pipe("phi_ner").thresholds["careful"]["AGE"] == 0.01
    texts = [text for text, _ in EXAMPLES]
    assert np.allclose(predict(made, texts), predict(nlp, texts), atol=1e-3)
    # Everybody who assembles it has the same pipeline, of which figures and a certificate may tell.
    assemble(ROOT / "configs" / "mini.cfg", tmp_path / "again", lists="assets/lists")
    assert get_checksum(tmp_path / "again") == get_checksum(tmp_path / "new" / "made")
    (with_head / "head.safetensors").unlink()
    with pytest.raises(typer.Exit):
        assemble(ROOT / "configs" / "mini.cfg", tmp_path / "new" / "made")
