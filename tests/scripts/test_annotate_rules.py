import json
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from components.measures.gold import check_message, read_messages
from scripts.annotate_rules import annotate, annotate_rules
from tests.cases import read_cases
from training_tools.formats.docs import rules_language

PATTERNS = Path(__file__).resolve().parents[2] / "assets" / "patterns.jsonl"
MESSAGE = "Hej, jag heter Anna Lind, 34 år. Ring 070-1740605"
FOUND = [("Anna Lind", "PERSON"), ("34 år", "AGE"), ("070-1740605", "PHONE")]


def get_found(row):
    return [(row["text"][span["start"] : span["end"]], span["label"]) for span in row["spans"]]


@pytest.fixture
def run(lists_path, tmp_path):
    def run(source, content, **options):
        data = content if isinstance(content, bytes) else content.encode("utf8")
        (tmp_path / source).write_bytes(data)
        out = tmp_path / "sub" / "out.jsonl"
        annotate_rules(tmp_path / source, out, lists_path, PATTERNS, **options)
        return read_messages(out)

    return run


def test_raw_jsonl(run, capsys):
    row = {"text": MESSAGE, "conversation": "c", "turn": 1, "own": [None]}
    rows = run("raw.jsonl", json.dumps(row) + "\n\n" + json.dumps({**row, "id": "b"}))
    assert {(*row,) for row in rows} == {("id", "text", "spans", "conversation", "turn", "own")}
    assert [(row["id"], get_found(row)) for row in rows] == [("raw-1", FOUND), ("b", FOUND)]
    assert {key: rows[0][key] for key in row} == row
    out = capsys.readouterr().out
    assert "2 messages, 6 spans found" in out and "had" not in out


def test_lines_of_text(run):
    rows = run("raw.txt", f"\ufeff{MESSAGE}\r\n\n  \nok tack\x85 \u2028😀")
    assert [row["id"] for row in rows] == ["raw-1", "raw-4"]
    assert rows[0]["text"] == MESSAGE and get_found(rows[0]) == FOUND
    assert rows[1] == {"id": "raw-4", "text": "ok tack\x85 \u2028😀", "spans": []}


def test_gold_spans_are_measured(run, capsys):
    gold = [{"start": 15, "end": 19, "label": "PERSON"}, {"start": 26, "end": 31, "label": "AGE"}]
    rows = [{"text": MESSAGE, "spans": gold}, {"text": MESSAGE}]
    found = run("gold.jsonl", "\n".join(map(json.dumps, rows)))
    assert [get_found(row) for row in found] == [FOUND, FOUND]
    out = capsys.readouterr().out
    assert "1 of them had" in out
    measured = {line.split()[0]: line.split()[1:6] for line in out.splitlines() if line.strip()}
    assert measured["PERSON"] == [".000", "/", ".000", "/", ".000"]
    assert measured["AGE"] == ["1.000", "/", "1.000", "/", "1.000"]


@pytest.mark.parametrize("source, said", [("a.jsonl", "gold"), ("a.csv", "neither")])
def test_gold_is_not_overwritten(tmp_path, source, said):
    with pytest.raises(typer.BadParameter, match=said):
        annotate_rules(tmp_path / source, tmp_path / "a.jsonl")


@pytest.mark.parametrize(
    "source, content, message",
    [
        *read_cases(__file__)["test_malformed_input"],
        ("raw.jsonl", json.dumps({"text": "Anna \ud83d"}), "raw.jsonl, line 1: half a surrogate"),
        ("raw.jsonl", json.dumps({"text": "Anna " * 250_000}), "E088"),
    ],
)
def test_malformed_input(run, capsys, source, content, message):
    with pytest.raises(typer.Exit):
        run(source, content)
    error = capsys.readouterr().err
    assert message in error and "Anna" not in error


@pytest.fixture(scope="module")
def nlp(lists_path):
    return rules_language(lists_path, PATTERNS)


PIECES = ["Anna", "Lind", "dr", "070-1740605", "3 maj", "Storgatan 3", "a@b.se", "34 år"]
PIECES += ["vårdcentralen", " ", "\n", "  ", "\xa0", "\u2028", "/", ",", "-", "😀", "s"]


@given(text=st.lists(st.sampled_from(PIECES), max_size=10).map("".join))
def test_what_is_found_is_a_well_formed_message(nlp, text):
    row = annotate({"id": "a", "text": text}, nlp(text))
    assert check_message(json.loads(json.dumps(row))) == row


def test_what_was_corrected_is_not_replaced(run, capsys):
    run("raw.txt", MESSAGE)
    with pytest.raises(typer.Exit):
        run("other.txt", "Hej")
    assert "out.jsonl is there" in capsys.readouterr().err
    assert [row["text"] for row in run("other.txt", "Hej", overwrite=True)] == ["Hej"]
