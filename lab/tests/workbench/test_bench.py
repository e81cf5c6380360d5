"""Cells of trainings: when they are run again, and the options that lead to them."""

import sys

import pytest
import typer

from components.measures.gold import write_messages
from lab.workbench.bench import Bench, Variant, digest_rows, name_cell
from lab.workbench.options import make_bench, parse_numbers, with_bench
from lab.workbench.scored import MEASURES
from lab.workbench.training import Recipe
from tests.conftest import ROOT

ROWS = [
    {"id": "1", "text": "Hej Anna", "spans": [{"start": 4, "end": 8, "label": "PERSON"}]},
    {"id": "2", "text": "Det gör ont", "spans": []},
]


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    recipe = Recipe(5, lists="lab/examples")
    return Bench(ROWS, ROWS, {"test": ROWS}, recipe, (0, 1), metrics=tmp_path, work=tmp_path)


def count_runs(bench, variants):
    """Run variants: what was run, and what came out."""
    seen = []

    def score(recipe, train, dev, tests, folder, *, seed, keep):
        seen.append((folder.name, recipe.overrides, len(train), len(dev), list(tests)))
        return {"threshold": 0.5, "counts": {name: [[[seed, 2]] * len(MEASURES)] for name in tests}}

    return bench.run("try", variants, score), seen


def test_variants_run_for_each_seed_and_once(bench):
    variants = {
        "a b": Variant(ROWS),
        "c": Variant(lambda: ROWS[:1], {"x.y": 1}, {"made": 3}, dev=ROWS[:1], tests={"own": ROWS}),
    }
    results, seen = count_runs(bench, variants)
    assert seen == [
        ("a-b-0", {}, 2, 2, ["test"]),
        ("a-b-1", {}, 2, 2, ["test"]),
        ("c-0", {"x.y": 1}, 1, 1, ["own"]),
        ("c-1", {"x.y": 1}, 1, 1, ["own"]),
    ]
    assert results["a b"]["counts"] == {"test": [[[1, 4]] * len(MEASURES)]}
    assert len(results["c"]["runs"]) == 2
    assert count_runs(bench, variants) == (results, [])


@pytest.mark.parametrize(
    "change",
    [
        {"train": ROWS[:1]},
        {"overrides": {"x.y": 2}},
        {"about": {"made": 4}},
        {"dev": ROWS[:1]},
        {"tests": {"test": ROWS[:1]}},
    ],
)
def test_changed_variant_runs_again(bench, change):
    same = {"train": ROWS, "overrides": {"x.y": 1}, "about": {"made": 3}}
    count_runs(bench, {"a": Variant(**same)})
    assert len(count_runs(bench, {"a": Variant(**{**same, **change})})[1]) == 2


def test_rows_are_told_apart():
    digests = {digest_rows(rows) for rows in (ROWS, ROWS[:1], ROWS[::-1], [])}
    assert len(digests) == 4
    spoiled = [{**ROWS[0], "spans": []}, ROWS[1]]
    assert digest_rows(spoiled) not in digests
    assert digest_rows([{**row, "id": "other"} for row in ROWS]) == digest_rows(ROWS)


def test_names_of_cells_are_names_of_files():
    assert name_cell("dropout 0.5, 30 % / å", 1) == "dropout-0.5-30-å-1"


def test_options_reach_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    for name in ("a", "b", "c", "other/c"):
        path = tmp_path / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        write_messages(path, ROWS)
    given = []

    @with_bench
    def command(bench: Bench, share: float = 0.5) -> None:
        """Try."""
        given.append((bench, share))

    paths = [str(tmp_path / f"{name}.jsonl") for name in ("a", "b", "c", "other/c")]
    monkeypatch.setattr(sys, "argv", ["x", *paths, "--quick", "--seeds", "3,4", "--share", "0.25"])
    with pytest.raises(SystemExit) as end:
        typer.run(command)
    assert end.value.code == 0
    [(bench, share)] = given
    assert (share, bench.quick, bench.seeds, list(bench.tests)) == (
        0.25,
        True,
        [3, 4],
        [f"{tmp_path.name}/c", "other/c"],
    )
    assert bench.recipe.steps == 60 and bench.recipe.overrides == {"training.batcher.size": 250}
    assert "quick" in bench.state and "seeds 3, 4" in bench.state


def test_full_takes_the_steps_of_the_config(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    write_messages(tmp_path / "a.jsonl", ROWS)
    path = tmp_path / "a.jsonl"
    assert make_bench(path, path, [path]).recipe.steps == 5800
    assert make_bench(path, path, [path], steps=7).recipe.steps == 7
    (tmp_path / "empty.jsonl").touch()
    for tests, said in (([path, path], "Two corpora"), ([tmp_path / "empty.jsonl"], "no messages")):
        with pytest.raises(ValueError, match=said):
            make_bench(path, path, tests)


@pytest.mark.parametrize(("text", "numbers"), [("0", [0]), ("2, 1,2", [2, 1])])
def test_numbers(text, numbers):
    assert parse_numbers(text, "--seeds") == numbers


@pytest.mark.parametrize("text", ["", "a", "1,,2", "0.5"])
def test_wrong_numbers(text):
    with pytest.raises(ValueError, match="--seeds takes whole numbers"):
        parse_numbers(text, "--seeds")
