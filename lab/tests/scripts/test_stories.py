"""What still tells who somebody is, listed and measured."""

import csv
import re

import pytest
import srsly
import typer

from lab.measures.stories import StoryFinder
from lab.scripts import measure_stories, stories


@pytest.fixture(scope="module")
def finder():
    return StoryFinder()


@pytest.fixture
def made(finder, monkeypatch):
    for module in (stories, measure_stories):
        monkeypatch.setattr(module, "StoryFinder", lambda: finder)


CASES = """
Vi har [skyddade personuppgifter]PROTECTED. Jag är [hemofilipatient]DIAGNOSIS och jobbar som [ormskötare]JOB
[trillingarnas]FAMILY bvc i [Norrbotten]KEPT, se 1177.se eller [www.hund.se]KEPT; mamma jobbar som undersköterska
Har [Fabrys sjukdom]DIAGNOSIS men inte Parkinsons sjukdom. Tog [SM-guld]ACHIEVEMENT, det stod [i tidningen]EVENT
"""


@pytest.mark.parametrize("case", CASES.strip().splitlines())
def test_what_is_found(finder, case):
    text = re.sub(r"\[(.*?)\][A-Z]+", r"\1", case)
    found = [(text[start:end], kind) for start, end, kind in finder.find(text)]
    assert found == re.findall(r"\[(.*?)\]([A-Z]+)", case)


def test_the_list(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the lists are read
    rows = [
        ("a", "mamma till trillingar"),
        ("=b", "jag är präst"),
        ("=b", "Präst, med porfyri"),
        ("c", "hej"),
    ]
    srsly.write_jsonl("in.jsonl", [{"conversation": name, "text": text} for name, text in rows])
    stories.stories("in.jsonl", "out.csv", ["text"], "conversation")
    with open("out.csv", encoding="utf8", newline="") as file:
        listed = [[row["conversation"], row["kinds"], row["job"]] for row in csv.DictReader(file)]
    assert listed == [["'=b", "2", "präst; Präst"], ["a", "1", ""]]
    srsly.write_jsonl("in.jsonl", [{"text": 1}, {"text": "jag är präst"}])
    with pytest.raises(typer.Exit):
        stories.stories("in.jsonl", "out.jsonl", ["text"], "conversation")
    words = {"JOB": ["präst"]}
    assert [*srsly.read_jsonl("out.jsonl")] == [
        {"conversation": "in.jsonl, line 2", "words": words}
    ]


def test_measure(made, tmp_path, capsys):
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
