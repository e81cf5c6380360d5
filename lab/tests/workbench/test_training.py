"""A variant is trained with other values of the config, tuned, scored and deleted."""

import sys
import time

import pytest
from spacy.cli._util import parse_config_overrides
from spacy.util import load_config

from lab.workbench.score_log import read_scores
from lab.workbench.scored import get_shares
from lab.workbench.training import (
    SCORES,
    Recipe,
    choose_rows,
    load_variant,
    run_variant,
    take,
    train_variant,
    write_overrides,
)
from tests.conftest import ROOT
from training_tools.generator.natural import get_digest
from training_tools.steps import plan_steps

ROWS = [
    {"text": "Hej Anna Lind!", "spans": [{"start": 4, "end": 13, "label": "PERSON"}]},
    {"text": "Det gör ont.", "spans": []},
    {"text": "Bor i Lund", "spans": [{"start": 6, "end": 10, "label": "LOCATION"}]},
]


@pytest.fixture(scope="module")
def recipe(encoder_path, lists_path):
    small = {
        "paths.lists": str(lists_path),
        "components.phi_ner.model.hidden_width": 16,
        "components.transformer.precision": "fp32",
        "initialize.components.surrogate_generator.lists.path": str(lists_path),
    }
    return Recipe(2, overrides=small, encoder=str(encoder_path), lists=str(lists_path))


def test_variant_is_trained_tuned_scored_and_deleted(recipe, tmp_path, monkeypatch):
    folder = tmp_path / "cell"
    folder.mkdir()
    (folder / "killed").touch()
    single = recipe.change({"components.phi_ner.single_class": True})
    monkeypatch.chdir(ROOT)
    figures = run_variant(
        single, ROWS, ROWS, {"dev": ROWS, "two": ROWS[:2]}, folder, seed=1, keep=True
    )
    assert not (folder / "killed").exists()
    nlp = load_variant(folder)
    assert nlp.get_pipe("phi_ner").labels == ("PHI",)
    assert "surrogate_generator" not in nlp.pipe_names
    training = nlp.config.interpolate()["training"]
    assert (training["max_steps"], training["seed"]) == (2, 1)
    assert [len(counts) for counts in figures["counts"].values()] == [3, 2]
    assert 0 <= get_shares(figures["counts"]["dev"])["redact"].value <= 1
    assert 0 < figures["threshold"] < 1
    assert [step for step, _ in read_scores(folder / SCORES)] == [0, 2]


def test_failed_training_says_so(tmp_path, capsys, monkeypatch):
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho No such pipe\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.chdir(ROOT)
    with pytest.raises(ValueError, match="failed"):
        run_variant(Recipe(1), ROWS, ROWS, {}, tmp_path / "cell")
    assert "No such pipe" in capsys.readouterr().err


def test_training_tells_scores_and_is_ended(tmp_path, monkeypatch):
    """A program that writes two scores and then sleeps: ended at the second."""
    scores = tmp_path / "cell" / SCORES
    program = tmp_path / "python"
    program.write_text(
        "#!/bin/sh\n"
        f"""echo '{{"step": 0, "score": 0.25}}' >> {scores}\n"""
        f"""echo '{{"step": 5, "score": 0.5}}' >> {scores}\n"""
        "exec sleep 60\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.chdir(ROOT)
    told = []

    def watch(step, score):
        told.append((step, score))
        if step == 5:
            raise InterruptedError

    start = time.monotonic()
    with pytest.raises(InterruptedError):
        train_variant(Recipe(10), ROWS, ROWS, tmp_path / "cell", watch=watch)
    assert told == [(0, 0.25), (5, 0.5)]
    assert time.monotonic() - start < 30


def test_overrides_survive_the_environment(monkeypatch):
    overrides = {
        "paths.train": "a folder/it's.spacy",
        "nlp.pipeline": ["one", "two"],
        "training.dropout": 0.5,
        "components.span_merger.disable": [],
        "training.flag": False,
        "training.none": None,
    }
    monkeypatch.setenv("SPACY_CONFIG_OVERRIDES", write_overrides(overrides))
    assert parse_config_overrides([]) == overrides


@pytest.mark.parametrize(
    ("config", "steps", "warmup"),
    [("mini", 5, 1), ("mini", 200, 5), ("mini", 5800, 150), ("kb_bert", 113, 50)],
)
def test_schedule_fits_the_steps(config, steps, warmup):
    plan = plan_steps(load_config(ROOT / "configs" / f"{config}.cfg"), steps)
    rate = "training.optimizer.learn_rate"
    assert plan["training.max_steps"] == plan[f"{rate}.total_steps"] - 1 == steps
    assert plan[f"{rate}.warmup_steps"] == warmup


def test_change_keeps_the_rest():
    recipe = Recipe(5, overrides={"a.b": 1, "a.c": 2}, encoder="e").change({"a.c": 3})
    assert recipe.describe()["overrides"] == {"a.b": 1, "a.c": 3}
    assert (recipe.steps, recipe.encoder) == (5, "e")


def test_sizes_are_nested_and_conversations_whole():
    rows = [
        {"text": f"message {n}", "spans": [], "conversation": f"c{n // 3}" if n < 12 else None}
        for n in range(40)
    ]
    few, more = choose_rows(rows, 10), choose_rows(rows, 25)
    assert 0 < len(few) <= 10 < len(more) <= 25
    assert all(row in more for row in few)
    for chosen in (few, more):
        names = [row["conversation"] for row in chosen if row["conversation"]]
        assert all(names.count(name) == 3 for name in names)
    assert choose_rows(rows, None) == rows and len(choose_rows(rows, 0)) in (1, 3)


def test_each_size_takes_in_all_of_a_smaller_one():
    threads = [[{"text": f"nummer {n}"}] for n in range(300)]
    threads += [[{"text": f"hej {n}"}, {"text": f"svar {n}"}, {"text": "ok"}] for n in range(100)]
    taken: list = []
    for size in (0, 1, 50, 300, None):
        now = take(threads, size)
        assert now[: len(taken)] == taken
        assert size is None or size - 3 < sum(map(len, now)) <= size
        taken = now
    assert sorted(map(get_digest, taken)) == sorted(map(get_digest, threads))
