"""Which conversations may tell who somebody is, listed."""

import csv

import pytest
from typer.testing import CliRunner

from components.cli.app import make_app
from components.rules.regex import RunawayRegexError
from components.stories.finder import StoryFinder
from tests.cases import cases

from .conftest import read_jsonl, write_jsonl

ROWS = [
    ("a", "mamma till trillingar"),
    ("=b", "jag är präst"),
    ("=b", "Präst, med porfyri"),
    ("c", "hej"),
]


@pytest.fixture
def stories(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path / "in.jsonl", [{"conversation": n, "text": text} for n, text in ROWS])
    (tmp_path / "in.csv").write_text("text\nhej\n", encoding="utf8")
    # No pipeline is loaded.
    app = make_app(lambda: 1 / 0, "stories")
    return lambda *args: CliRunner().invoke(app, [*args])


def test_a_list_for_a_spreadsheet(stories):
    done = stories("in.jsonl", "out.csv")
    assert done.exit_code == 0 and "2 of 3 conversations" in done.stdout, done.output
    with open("out.csv", encoding="utf8", newline="") as file:
        listed = [[row["conversation"], row["kinds"], row["job"]] for row in csv.DictReader(file)]
    assert listed == [["'=b", "2", "präst; Präst"], ["a", "1", ""]]
    again = stories("in.jsonl", "out.csv")
    assert again.exit_code == 2 and "--overwrite" in again.output
    assert stories("in.jsonl", "out.csv", "--overwrite").exit_code == 0


def test_texts_at_paths(stories, tmp_path):
    texts = [{"text": "jag är präst"}, {"text": "i Norrbotten"}]
    write_jsonl(tmp_path / "in.jsonl", [{"id": "k", "messages": texts}])
    paths = ["--text-path", "messages[*].text", "--conversation-path", "id"]
    done = stories("in.jsonl", "out.jsonl", *paths)
    assert done.exit_code == 0, done.output
    listed = [{"conversation": "k", "words": {"JOB": ["präst"], "KEPT": ["Norrbotten"]}}]
    assert read_jsonl(tmp_path / "out.jsonl") == listed


def test_rows_that_cannot_be_read(stories, tmp_path, monkeypatch):
    find = StoryFinder.find

    def run_away(finder, text):
        if text == "aaa":
            raise RunawayRegexError
        return find(finder, text)

    monkeypatch.setattr(StoryFinder, "find", run_away)
    write_jsonl(tmp_path / "in.jsonl", [{"text": 1}, {"text": "aaa"}, {"text": "jag är präst"}])
    done = stories("in.jsonl", "out.jsonl")
    assert done.exit_code == 1 and "line 1" in done.stderr and "line 2: a pattern" in done.stderr
    assert "aaa" not in done.output
    listed = [{"conversation": "in.jsonl, line 3", "words": {"JOB": ["präst"]}}]
    assert read_jsonl(tmp_path / "out.jsonl") == listed


@cases
def test_wrong_usage(stories, tmp_path, args, said):
    done = stories(*args)
    assert done.exit_code == 2 and said in " ".join(done.stderr.split()), done.output
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", "in.jsonl"}
