"""Columns beside the text that hold what is replaced in it."""

import html
import json
import re
from datetime import date, datetime

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl.comments import Comment

from tests.workbooks import make_book

from .conftest import read_jsonl, set_run, write_jsonl
from .test_tables import read, write

TEXTS = ["Hej, Anna Lind här, 900101-2385", "Hej Anna, ring 070-174 06 05", "Tack"]
ROWS = [
    {
        "id": i, "conversation": "900101-2385", "text": text, "patient": "Lind, Anna",
        "pnr": "19900101-2385", "tel": "+46701740605", "mail": "anna@example.com", "role": "patient",
    }
    for i, text in enumerate(TEXTS)
]  # fmt: skip
HELD = {"conversation": "PID", "mail": "EMAIL", "patient": "PERSON", "pnr": "PID", "tel": "PHONE"}
SECRETS = ("Anna", "19900101", "2385", "701740605", "example.com")


def get_said(said):
    told = " ".join(said.split())
    return {
        name: label
        for name, label in HELD.items()
        if f"Column '{name}' is copied as it is, and holds {label}: have it read" in told
    }


@pytest.mark.parametrize(
    "name, n_process", [("in.jsonl", 2), ("in.csv", 1), ("in.parquet", 1), ("in.xlsx", 2)]
)
def test_warning_names_column_and_class(finish, tmp_path, name, n_process):
    path = write(tmp_path / name, ROWS)
    report = tmp_path / "report.json"
    args = ["--report", report, "--report", tmp_path / "report.html", "--n-process", n_process]
    code, said = finish(path, tmp_path / f"out{name[2:]}", *args, rows=5)
    assert code == 0 and get_said(said) == HELD, said
    assert said.count("is copied as it is") == len(HELD)
    told = json.loads(report.read_text())
    page = (tmp_path / "report.html").read_text()
    assert sum("is copied as it is" in warning for warning in told["warnings"]) == len(HELD)
    assert told["counts"]["columns"]["pnr"] == {"cells": 3, "form PID": 3, "found PID": 3}
    assert told["counts"]["columns"]["patient"] == {"cells": 3, "found PERSON": 3}
    assert told["counts"]["columns"]["role"] == {"cells": 3}
    assert "Columns that are copied as they are" in page
    assert not [secret for secret in SECRETS if secret in said + str(told) + page]


def test_stream_and_dry_run_warn(start, finish, tmp_path):
    path = write_jsonl(tmp_path / "in.jsonl", ROWS)
    with path.open("rb") as file:
        run = start("-", "out.jsonl", stdin=file.fileno())
        assert run.wait() == 0 and get_said(run.said) == HELD, run.said
    code, said = finish(path, "other.jsonl", "--dry-run", 3)
    assert code == 0 and get_said(said) == HELD


@pytest.mark.parametrize("n_process, is_stdin", [(1, True), (2, False)])
def test_strict_columns_refuse(start, tmp_path, n_process, is_stdin):
    """And leave nothing that would stand in the way of the next run."""
    path = write_jsonl(tmp_path / "in.jsonl", ROWS)
    args = ["--strict-columns", "--n-process", n_process, "--report", "report.json"]
    with path.open("rb") as file:
        in_path = "-" if is_stdin else path
        run = start(in_path, "out.jsonl", *args, rows=2, stdin=file.fileno())
        assert run.wait() == 2
    assert "OUT is not written (--strict-columns)" in " ".join(run.said.split())
    assert get_said(run.said) == HELD and not [s for s in SECRETS if s in run.said]
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(
    "name, conversation", [("in.jsonl", "c"), ("in.jsonl", None), ("in.parquet", "c")]
)
def test_columns_that_are_read_share_surrogates(finish, tmp_path, name, conversation):
    """Also by the two forms of one personnummer."""
    rows = [{**row, "conversation": conversation} for row in ROWS[:1]]
    if conversation:
        rows.append({**ROWS[1], "conversation": conversation, "pnr": "900101-2385"})
    args = ["--strict-columns"]
    for field in ("text", "patient", "pnr", "tel", "mail"):
        args += ["--text-field", field]
    path = tmp_path / f"out{name[2:]}"
    code, said = finish(write(tmp_path / name, rows), path, *args)
    assert code == 0 and "copied as it is" not in said, said
    new = read(path)
    number = new[0]["pnr"]
    assert len(number) == 13 and number != "19900101-2385"
    assert new[0]["text"].endswith(number[2:])
    first, last = new[0]["text"].split()[1:3]
    assert new[0]["patient"] == f"{last}, {first}" and first != "Anna"
    if conversation:
        assert new[1]["pnr"] == number[2:] and first in new[1]["text"]


def test_cells_that_cannot_be_read_stay(finish, tmp_path):
    """They are no text's matter: the row is not rejected for them."""
    bad = pa.array([b"\xff\xfe"], pa.binary()).view(pa.string())
    table = pa.table({"text": ["Hej Anna Lind"], "bad": bad, "name": ["Anna Lind"]})
    pq.write_table(table, tmp_path / "in.parquet")
    code, said = finish(tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert code == 0 and "'name'" in said, said
    assert pq.read_table(tmp_path / "out.parquet")["bad"].equals(table["bad"])


def test_resumed_run_reports_what_an_undisturbed_one_does(start, finish, tmp_path):
    """Also in its sample."""
    rows = [{**ROWS[0], "conversation": f"900101-2385 {i}", "id": i} for i in range(20)]
    args = [write_jsonl(tmp_path / "in.jsonl", rows), "out.jsonl", "--report", "report.json"]
    args += ["--sample", "a.html"]
    run = start(*args, rows=4, pause=0.05)
    run.wait_for(lambda: len([*tmp_path.glob(".out.jsonl.work/block-*")]) >= 2)
    run.stop()
    code, said = finish(*args, "--resume", rows=4)
    assert code == 0 and get_said(said).items() >= {"pnr": "PID", "patient": "PERSON"}.items(), said
    page = (tmp_path / "a.html").read_text()
    assert page.count("<small>PID</small>") == 40 and "CHANGED" not in page
    columns = json.loads((tmp_path / "report.json").read_text())["counts"]["columns"]
    assert columns["pnr"] == {"cells": 20, "form PID": 20, "found PID": 20}
    assert len(read_jsonl(tmp_path / "out.jsonl")) == 20


DAY = "2024-05-03"
TIMED = [
    {"id": 1, "conversation": "c", "text": f"Opererades {DAY}", "sent": f"{DAY}T10:12:00+02:00"},
    {"id": 2, "conversation": "c", "text": "Tack", "sent": f"{DAY} 23:59"},
    {"id": 3, "conversation": None, "text": f"<p>Ring mig&nbsp;{DAY}</p>", "sent": DAY},
]


def find_day(text):
    return re.search(r"\d{4}-\d\d-\d\d", text)[0]


@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.parquet"])
def test_times_move_as_the_dates_in_the_texts(finish, tmp_path, name):
    """Those of a conversation, and of a message alone."""
    path = write(tmp_path / name, TIMED)
    code, said = finish(path, tmp_path / f"out{name[2:]}", "--time-field", "sent")
    assert code == 0 and "holds times" not in said, said
    first, second, alone = read(tmp_path / f"out{name[2:]}")
    day = find_day(first["text"])
    assert day != DAY and first["sent"] == f"{day}T10:12:00+02:00"
    assert second["sent"] == f"{day} 23:59"
    assert alone["sent"] == find_day(alone["text"]) not in (day, DAY)


def test_times_that_a_file_holds_as_times(finish, tmp_path):
    """Each by its type, to the nanosecond, and the clock on the wall stays."""
    rows = {
        "id": [1, 2], "conversation": ["c", "c"], "text": [f"Hej {DAY}", None],
        "ns": pa.array([1714731120123456789, None], pa.timestamp("ns")),
        "here": pa.array([1714731120, 1714731121], pa.timestamp("s", "Europe/Stockholm")),
        "day": pa.array([date(2024, 5, 3), None]), "epoch": [1714731120, 5],
    }  # fmt: skip
    pq.write_table(pa.table(rows), tmp_path / "in.parquet")
    fields = [arg for name in ("ns", "here", "day", "epoch") for arg in ("--time-field", name)]
    code, said = finish(
        "in.parquet", "out.parquet", *set_run(tmp_path, 'language_field = ""'), *fields
    )
    assert code == 0, said
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.schema.equals(pq.read_schema(tmp_path / "in.parquet"))
    first, second = table.drop_columns(["ns"]).to_pylist()
    day = date.fromisoformat(find_day(first["text"]))
    step = (day - date(2024, 5, 3)).days
    assert first["day"] == day and second["day"] is None and second["epoch"] == 5
    assert first["here"].date() == day and first["here"].strftime("%H:%M") == "12:12"
    assert second["here"].date() == day and first["epoch"] == 1714731120 + step * 86400
    assert table["ns"].cast(pa.int64()).to_pylist() == [
        1714731120123456789 + step * 86400 * 10**9,
        None,
    ]


@pytest.mark.parametrize("name", ["in.jsonl", "in.parquet"])
def test_times_that_are_copied_are_told_of(finish, tmp_path, name):
    rows = [{**row, "sent": datetime(2024, 5, 3) if "parquet" in name else DAY} for row in TIMED]
    path = write(tmp_path / name, rows)
    code, said = finish(
        path, f"out{name[2:]}", "--report", "report.json", "--report", "report.html"
    )
    told = " ".join(said.split())
    assert code == 0 and "Column 'sent' is copied as it is, and holds times" in told
    assert "--time-field 'sent'" in told and DAY not in told
    report = json.loads((tmp_path / "report.json").read_text())
    assert ["'sent'" in warning for warning in report["warnings"]].count(True) == 1
    assert "'sent'" in html.unescape((tmp_path / "report.html").read_text())
    code, said = finish(path, f"new{name[2:]}", "--strict-columns")
    assert code == 2 and not (tmp_path / f"new{name[2:]}").exists()
    code, said = finish(path, f"new{name[2:]}", "--strict-columns", "--keep", "DATE")
    assert code == 0, said


def test_rows_without_a_conversation_are_told_of(start, finish, tmp_path):
    """Once, in a file, a stream, a trial and the report; not if some have one."""
    rows = [{"text": text, "chat_id": 7} for text in TEXTS]
    path = write_jsonl(tmp_path / "in.jsonl", rows)
    said = [finish(path, "a.jsonl", "--report", "a.json", rows=1)[1]]
    said.append(finish(path, "b.jsonl", "--dry-run", 3)[1])
    with path.open("rb") as file:
        run = start("-", "c.jsonl", stdin=file.fileno(), rows=1)
        run.wait()
    for told in (*said, run.said, *json.loads((tmp_path / "a.json").read_text())["warnings"][:1]):
        told = " ".join(told.split())
        assert told.count("No row has a conversation") == 1, told
        assert "(--conversation-field): 'chat_id'?" in told
    some = write_jsonl(tmp_path / "some.jsonl", [*rows, {"text": "Hej", "conversation": "c"}])
    for more in (["--conversation-field", "chat_id"], []):
        code, told = finish(path if more else some, "d.jsonl", "--overwrite", *more, rows=1)
        assert code == 0 and "No row has a conversation" not in told


def test_authors_are_no_messages(finish, tmp_path):
    """What is replaced in them is counted, they are not."""
    rows = [{"author": "Anna Lind", "text": "Hej Bo Ek"}, {"author": "", "text": "Tack"}]
    path = write_jsonl(tmp_path / "in.jsonl", rows)
    assert finish(path, "out.jsonl", "--author-field", "author", "--report", "a.json")[0] == 0
    counts = json.loads((tmp_path / "a.json").read_text())["counts"]
    names = ("rows", "messages", "touched", "empty")
    assert [counts[name] for name in names] == [2, 2, 1, 0] and counts["characters"] == 13
    assert counts["replaced"] == {"PERSON": 2} and sum(counts["entities"].values()) == 2


def test_dry_run_shows_what_a_run_writes(finish, tmp_path):
    """Though the messages that tell it come later, and by their times before."""
    rows = [
        {"conversation": "c", "text": f"Hej {name}, {DAY}", "sent": n}
        for n, name in ((3, "lind"), (1, "Anna Lind"), (2, "anna"))
    ]
    rows.insert(1, {"conversation": None, "text": "Hej Bo Ek", "sent": 0})
    path = write_jsonl(tmp_path / "in.jsonl", rows)
    args = ["--time-field", "sent"]
    assert finish(path, "out.jsonl", *args)[0] == 0
    texts = [row["text"] for row in read_jsonl(tmp_path / "out.jsonl")]
    code, said = finish(path, "new.jsonl", "--dry-run", 2, *args)
    shown = [
        line.removeprefix("after   ") for line in said.splitlines() if line.startswith("after")
    ]
    assert code == 0 and shown == texts[:2], said
    assert "lind" not in texts[0]


def test_what_a_workbook_holds_beside_its_rows(finish, tmp_path):
    """Its sheets, its comments and its author are named by what they are, and a sheet without texts is read
    to be compared.
    """
    write(tmp_path / "in.xlsx", [{"conversation": "c", "text": text} for text in TEXTS])
    book = openpyxl.load_workbook(tmp_path / "in.xlsx")
    book.active["A2"].comment = Comment("Anna ringde", "Eva")
    book.create_sheet("Lista").append(["Lind, Anna", "070-1740605"])
    book.properties.creator = "Anna Lind"
    book.properties.title = "Uttag"
    book.save(tmp_path / "in.xlsx")
    code, said = finish("in.xlsx", "out.xlsx", "--report", "report.json", rows=2)
    told = " ".join(said.split())
    assert code == 0 and not [secret for secret in SECRETS if secret in said]
    for what, labels in {
        "comments": "PERSON",
        "document properties": "PERSON",
        "cells that are not read": "PERSON, PHONE",
    }.items():
        assert f"The {what} of the workbook are copied as they are, and hold {labels}" in told
    assert said.count("Look at this") == 3
    assert finish("in.xlsx", "other.xlsx", "--strict-columns")[0] == 2
    assert not (tmp_path / "other.xlsx").exists()


def test_rejects_of_a_workbook_name_sheet_and_row(finish, tmp_path):
    """And the rows that are left out are empty, so that nothing moves that formulas refer to."""
    first = [["text", "ring"], ["=B2", "Knurvel"], ["Hej Anna Lind", "=A3"]]
    make_book(first, [["text"], ["=a"]]).save(tmp_path / "in.xlsx")
    code, said = finish("in.xlsx", "out.xlsx", "--strategy", "label")
    assert code == 1 and "3 rows in, 1 out, 2 rejected" in said
    reason = "field 'text' is a formula: put its value in its place"
    assert read_jsonl(tmp_path / "out.xlsx.rejects.jsonl") == [
        {"sheet": sheet, "row": 2, "reason": reason} for sheet in (1, 2)
    ]
    first, _ = openpyxl.load_workbook(tmp_path / "out.xlsx").worksheets
    assert [[cell.value for cell in row] for row in first] == [
        ["text", "ring", "language"], [None, None, None], ["Hej [PERSON]", "=A3", None]
    ]  # fmt: skip
