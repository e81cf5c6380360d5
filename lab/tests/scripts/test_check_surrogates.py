"""The script that checks surrogates: counts, and cases only where they are asked for."""

import json

import pytest
import typer

from lab.scripts.check_surrogates import check_surrogates, print_checks
from lab.surrogate_checks import CHECKS, make_talks
from lab.surrogate_checks.base import Case, Check, add, gather
from tests.surrogates.hand_lists import LISTS


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Messages and lists in a folder."""
    monkeypatch.setenv("SV_DEID_KEY", "a key for the tests only")
    (tmp_path / "lists").mkdir()
    for name, rows in LISTS.items():
        lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
        (tmp_path / "lists" / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf8")
    # Twice the same id: messages are told by where they stand.
    rows = [
        {
            "id": "m",
            "text": text,
            "spans": [{"start": start, "end": len(text), "label": label}],
            "conversation": "c",
        }
        for text, start, label in [("Hej Anna", 4, "PERSON"), ("annars till Höör", 12, "LOCATION")]
    ]
    (tmp_path / "messages.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf8")
    return tmp_path


def run(data, **options):
    paths = data / "messages.jsonl", data / "metrics" / "checks.json"
    check_surrogates(*paths, lists=data / "lists", **options)
    return paths[1].read_text(encoding="utf8")


def test_counts_of_all_checks(data, capsys):
    written = run(data)
    counts = json.loads(written)
    assert counts.keys() == CHECKS.keys()
    assert counts["unchanged"] == {"checked": 2, "failed": 0}
    assert counts["capitals"]["checked"] == 2
    # `annars` is no word that these lists know.
    assert counts["remaining"] == {"checked": 2, "failed": 1}
    said = capsys.readouterr().out
    assert "remaining" in said and "Anna" not in said + written
    run(data, cases=True)
    assert "m: 'Anna' > 'annars': still there" in capsys.readouterr().out


def test_several_keys(data, capsys):
    counts = json.loads(run(data, keys=20, cases=True))
    assert counts["unchanged"] == {"checked": 40, "failed": 0}
    said = capsys.readouterr().out
    # What is left is left under any key.
    assert said.count("still there") == counts["remaining"]["failed"] == 20


def test_wrong_data(data, capsys):
    with pytest.raises(typer.Exit):
        check_surrogates(data / "none.jsonl", data / "checks.json", lists=data / "lists")
    assert "There is no" in capsys.readouterr().err


def test_talks_are_conversations():
    rows = [{"id": name, "conversation": talk} for name, talk in zip("abcd", ["c", None, "c", ""])]
    talks = make_talks(rows, [FakeDoc(row["id"]) for row in rows])
    assert [[message for message, _ in talk.outputs] for talk in talks] == [
        ["a", "c"],
        ["b"],
        ["d"],
    ]
    assert [[mention.message for mention in talk.mentions] for talk in talks] == [
        ["a", "c"], ["b"], ["d"]
    ]  # fmt: skip


class FakeDoc:
    """A doc that is one name."""

    def __init__(self, text):
        self.text = text
        self._ = self
        self.deidentified = "x"
        self.replacements = [{"start": 0, "end": 1, "label": "PERSON", "replacement": "x"}]


def test_sums():
    case = Case("m", "Eva", "Eva", "unchanged")
    one = gather([None, case, None])
    assert one == Check(3, 1, [case])
    assert add([one, gather([]), one]) == Check(6, 2, [case, case])


def test_nothing_checked_is_no_share(capsys):
    print_checks({"eras": Check(0, 0, [])}, cases=True)
    assert "–" in capsys.readouterr().out
