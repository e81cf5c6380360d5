"""What still tells who somebody is, measured."""

import pytest
import srsly
import typer

from lab.scripts import measure_stories


def test_measure(tmp_path, capsys):
    text, paths = "jag är präst och hemlig", (tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    for path, marks in zip(paths, ([[0, 12, "job"], [17, 23, "protected"]], [[7, 12, "rare job"]])):
        srsly.write_jsonl(path, [{"id": 1, "text": text, "marks": marks}])
    measure_stories.measure_stories(*paths, tmp_path / "m.json", None)
    figures = srsly.read_json(tmp_path / "m.json")
    shares = {name: (own["hits"], own["of"]) for name, own in figures.items()}
    assert shares["recall of the first reader"] == (1, 2) and shares["recall of both readers"] == (
        1,
        1,
    )
    assert shares["precision, JOB"] == (1, 1)
    srsly.write_jsonl(paths[0], [{"id": 1, "text": text, "marks": [[0, 99, "job"]]}])
    with pytest.raises(typer.Exit):
        measure_stories.measure_stories(*paths, tmp_path / "m.json", None)
    assert "line 1" in (said := capsys.readouterr().err) and "präst" not in said
