"""Cells are run once, and again where what they depend on has changed."""

import pytest

from lab.workbench.cells import digest, run_cells


def test_done_cells_are_kept(tmp_path):
    seen = []

    def run(settings):
        seen.append(settings["steps"])
        return {"f": settings["steps"] / 10}

    cells = {"one": {"steps": 1}, "two": {"steps": 2, "pair": (1, 2)}}
    first = run_cells("curve", cells, run, folder=tmp_path)
    assert (first["one"]["f"], first["two"]["f"], seen) == (0.1, 0.2, [1, 2])
    assert run_cells("curve", cells, run, folder=tmp_path) == first
    assert seen == [1, 2]
    run_cells("curve", {**cells, "two": {"steps": 3}}, run, folder=tmp_path)
    assert seen == [1, 2, 3]
    run_cells("curve", {"one": {"steps": 1}}, run, same={"corpus": "other"}, folder=tmp_path)
    assert seen == [1, 2, 3, 1]


def test_an_interrupted_experiment_goes_on(tmp_path):
    seen = []

    def run(settings):
        seen.append(settings["steps"])
        if settings["steps"] == 2 and seen.count(2) == 1:
            raise KeyboardInterrupt
        return {}

    cells = {"one": {"steps": 1}, "two": {"steps": 2}}
    with pytest.raises(KeyboardInterrupt):
        run_cells("curve", cells, run, folder=tmp_path)
    run_cells("curve", cells, run, folder=tmp_path)
    assert seen == [1, 2, 2]


def test_digest_changes_with_a_file(tmp_path):
    file, folder = tmp_path / "a", tmp_path / "b"
    folder.mkdir()
    file.write_text("one")
    (folder / "c").write_text("two")
    before = digest(file, folder)
    assert digest(file, folder) == before
    (folder / "c").write_text("three")
    assert digest(file, folder) != before
