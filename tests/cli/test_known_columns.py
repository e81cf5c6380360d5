"""What is known of the participants, from columns of the table."""

import json

import pytest

from components.known.known_matcher import parse_known_columns
from components.vault import Vault
from tests.cases import cases

from .conftest import read_jsonl, write_jsonl
from .test_tables import read, write

ROWS = [
    {"conversation": "c", "patient_name": "Rutger Knurvel", "pnr": "", "text": "knurvel här"},
    {"conversation": "c", "patient_name": "", "pnr": "900101-2385", "text": "mitt nr 9001012385"},
    {"conversation": "d", "patient_name": "", "pnr": "", "text": "knurvel"},
]
ARGS = ["--known", "name=patient_name, PID = pnr", "--strategy", "label"]


@pytest.mark.parametrize("name, n_process", [("in.jsonl", 2), ("in.csv", 1), ("in.parquet", 2)])
def test_found_in_the_conversation_and_left_out(finish, tmp_path, name, n_process):
    path, out = write(tmp_path / name, ROWS), tmp_path / f"out{name[2:]}"
    code, said = finish(path, out, *ARGS, "--n-process", n_process, rows=2)
    assert code == 0 and "copied as it is" not in said, said
    rows = read(out)
    assert [row["text"] for row in rows] == ["[PERSON] här", "mitt nr [PID]", "knurvel"]
    assert not {"patient_name", "pnr"} & {*rows[0]}


def test_numbers_texts_and_a_vault(finish, tmp_path, monkeypatch):
    """A number is its digits; a column that is read as a text, too, stays."""
    monkeypatch.setenv("SV_DEID_VAULT_KEY", Vault.new_key())
    rows = [{"pnr": 199001012385, "text": "jag är 900101-2385"}]
    path = write_jsonl(tmp_path / "in.jsonl", rows)
    args = ["--known", "pid=pnr", "--strategy", "label", "--vault", "vault.jsonl"]
    assert finish(path, "out.jsonl", *args)[0] == 0
    (row,) = read_jsonl(tmp_path / "out.jsonl")
    assert {*row} == {"text", "vault"} and row["text"] == "jag är [PID]"
    write_jsonl(path, [{"who": "Rutger Knurvel", "text": "knurvel"}])
    args = ["--known", "name=who", "--text-field", "who", "--text-field", "text"]
    assert finish(path, "new.jsonl", *args, "--strategy", "label")[0] == 0
    assert read_jsonl(tmp_path / "new.jsonl") == [{"who": "[PERSON]", "text": "[PERSON]"}]


@pytest.mark.parametrize(
    "pid, phone", [('="199001012385"', '="0701740605"'), ("199001012385.0", "701740605.0")]
)
def test_clothes_of_a_spreadsheet(finish, tmp_path, pid, phone):
    text = "jag är 900101-2385, ring 070-1740605"
    path = write(tmp_path / "in.csv", [{"pnr": pid, "tel": phone, "text": text}])
    args = ["--known", "pid=pnr,phone=tel", "--strategy", "label", "--report", "a.json"]
    assert finish(path, "out.csv", *args)[0] == 0
    (row,) = read(tmp_path / "out.csv")
    assert row["text"] == "jag är [PID], ring [PHONE]"
    found = json.loads((tmp_path / "a.json").read_text())["counts"]["found"]
    assert all("known" in source for label in found for source in found[label])


@cases
def test_wrong_usage(finish, tmp_path, value, said):
    path = write(tmp_path / "in.csv", ROWS)
    code, told = finish(path, "out.csv", "--known", value, load=None)
    assert code == 2 and said in " ".join(told.split()), told


def test_a_cell_that_cannot_be_read_rejects_its_conversation(finish, tmp_path):
    rows = [{**ROWS[0], "pnr": {"Knurvel": 1}}, ROWS[1], ROWS[2]]
    path = write_jsonl(tmp_path / "in.jsonl", rows)
    assert finish(path, "out.jsonl", *ARGS)[0] == 1
    assert len(read_jsonl(tmp_path / "out.jsonl")) == 1
    reasons = [row["reason"] for row in read_jsonl(tmp_path / "out.jsonl.rejects.jsonl")]
    assert reasons == [
        "field 'pnr' is neither a string nor an integer",
        "the participants of line 1 cannot be read",
    ]


def test_pairs():
    assert parse_known_columns("") == ()
    assert parse_known_columns("name=a,Name=b, pid=c=d,") == (
        ("name", "a"), ("name", "b"), ("pid", "c=d")
    )  # fmt: skip
