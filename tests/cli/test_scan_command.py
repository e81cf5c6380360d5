"""What a table holds, counted."""

import json
from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from components.cli.app import make_app
from components.runs import index
from tests.cases import cases

from .conftest import make_rows, write_jsonl
from .test_columns import HELD, ROWS, SECRETS, TEXTS
from .test_tables import write


@pytest.fixture
def scan(quick_nlp):
    generator = quick_nlp.get_pipe("surrogate_generator")
    before = generator.strategy

    def run_scan(*args, load=lambda: quick_nlp):
        return CliRunner().invoke(make_app(load, "scan"), [*map(str, args)])

    yield run_scan
    generator.strategy = before


def read_table(said, head):
    """RETURNS (list[list[str]]): The words of the rows of a printed table."""
    lines = said.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(head)) + 2
    rows = [line.split() for line in lines[first:]]
    return rows[: rows.index([])] if [] in rows else rows


@pytest.mark.parametrize(
    "name, n_process", [("in.jsonl", 1), ("in.csv", 2), ("in.parquet", 1), ("in.xlsx", 1)]
)
def test_counts_are_those_of_a_run(scan, finish, tmp_path, monkeypatch, name, n_process):
    monkeypatch.setattr(index, "BLOCK_ROWS", 5)
    rows = [{**row, "known": ""} for row in make_rows(23)]
    rows[0]["known"] = '[{"name": "Knurvel Olk"}]'
    rows[20]["text"] += " eller Knurvel"
    path = write(tmp_path / name, rows)
    done = scan(path, "--n-process", n_process)
    assert done.exit_code == 0, done.output
    assert [*tmp_path.iterdir()] == [path], "nothing is written"
    assert "23 rows, 23 texts: something was found in 23." in done.stdout
    code, _ = finish(path, f"out{name[2:]}", "--report", "report.json")
    found = json.loads((tmp_path / "report.json").read_text())["counts"]["found"]
    assert code == 0 and {"known", "rules"} <= {source for c in found.values() for source in c}
    head, *_ = [line for line in done.stdout.splitlines() if line.startswith("class")]
    sources = head.split()[2:]
    rows = read_table(done.stdout, "class")
    assert {
        label: {s: int(n) for s, n in zip(sources, counts) if n != "0"}
        for label, _, *counts in rows
    } == found
    assert all(int(total) == sum(map(int, counts)) for _, total, *counts in rows)


def test_columns_are_named_that_hold_what_the_texts_do(scan, tmp_path):
    done = scan(write_jsonl(tmp_path / "in.jsonl", ROWS))
    assert done.exit_code == 0, done.output
    for name, label in HELD.items():
        assert f"Column {name!r} is copied as it is, and holds {label}" in done.stdout
    assert not [secret for secret in SECRETS if secret in done.output]


@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.parquet", "in.xlsx"])
def test_all_columns(scan, tmp_path, name):
    """Each is read, though no text says what is in it."""
    rows = [{**row, "text": "Tack", "note": TEXTS[i]} for i, row in enumerate(ROWS)]
    rows[0] |= {"text": None, "pnr": None}
    path = write(tmp_path / name, rows)
    done = scan(path, "--all-columns")
    assert done.exit_code == 0, done.output
    columns = {name: (cells, told) for name, cells, *told in read_table(done.stdout, "column")}
    # That a workbook was made tells a date.
    assert ("workbook:" in columns) == (name == "in.xlsx")
    assert columns.keys() - {"workbook:"} == {
        "conversation",
        "mail",
        "note",
        "patient",
        "pnr",
        "tel",
    }
    assert columns["pnr"] == ("2", ["PID", "2"]) and columns["tel"] == ("3", ["PHONE", "3"])
    assert columns["note"][1] == ["PERSON", "2,", "PHONE", "1,", "PID", "1"]
    assert not [secret for secret in SECRETS if secret in done.output]
    assert [*tmp_path.iterdir()] == [path]


def test_all_columns_read_what_is_inside_and_numbers(scan, tmp_path):
    rows = [
        {"meta": {"ids": [199001012385, "Anna Lind"], "ok": True}, "n": 3},
        {"late": "900101-2385"},
        {"conversation": [1]},
    ]
    done = scan(write_jsonl(tmp_path / "in.jsonl", rows), "--all-columns")
    assert read_table(done.stdout, "column") == [
        ["late", "1", "PID", "1"], ["meta.ids[*]", "1", "PERSON", "1,", "PID", "1"],
    ]  # fmt: skip
    assert done.exit_code == 1 and "1 rows could not be read: field 'conversation'" in done.stderr


def test_dates_of_parquet_are_read(scan, tmp_path):
    table = pa.table({"born": [date(1990, 1, 1)], "says": ["född 1990-01-01"]})
    pq.write_table(table, tmp_path / "in.parquet")
    done = scan(tmp_path / "in.parquet", "--all-columns")
    assert done.exit_code == 0, done.output
    assert read_table(done.stdout, "column") == [
        ["born", "1", "DATE", "1"],
        ["says", "1", "DATE", "1"],
    ]


def test_nothing_found(scan, tmp_path):
    done = scan(
        write_jsonl(tmp_path / "in.jsonl", [{"text": "Hej"}, {"text": ""}]), "--all-columns"
    )
    assert done.exit_code == 0 and done.stdout.strip() == (
        "2 rows, 1 texts: something was found in 0."
    )


@cases
def test_wrong_usage(scan, tmp_path, monkeypatch, args, said):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in.jsonl", ROWS)
    write(tmp_path / "in.csv", ROWS)
    done = scan(*args, load=lambda: 1 / 0)
    assert done.exit_code == 2 and said in done.stderr, done.output
