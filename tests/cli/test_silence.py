"""No command quotes a cell, a key or a name in what it says of files that are wrong."""

import json

import pytest
from typer.testing import CliRunner

from components.cli.app import make_app
from tests.cases import cases, read_cases

from .conftest import set_run

SECRETS = ("Knurvel", "900101")
MESSAGE = {"id": "1", "text": "Hej Knurvel", "spans": []}
# By the name of a file what is in it, with PHI wherever it may stand.
FILES = dict(read_cases(__file__)["files"])
NO_HEADER = FILES["no_header.csv"]
TABLES = [name for name in FILES if name.endswith((".csv", "jsonl"))]
CALLS = [
    *(("run", name, "out", "--time-field", "when") for name in ("time.csv", "known.csv")),
    *(("run", name, f"out.{name.split('.')[1]}") for name in TABLES),
    *(("run", name, f"out.{name.split('.')[1]}", "--dry-run", "3") for name in ("no_header.csv", "no.jsonl")),
    *(("scan", name) for name in TABLES),
    # It names the fields of JSON, as it should.
    *(("scan", name, "--all-columns") for name in TABLES if name != "key.jsonl"),
    *((name, file, *more) for name, *more in (("evaluate",), ("gate", "--min-f1", "1")) for file in FILES),
    *(("annotate", file, "--to", "store", "--export", "out.jsonl") for file in FILES),
    *(("restore", file, "span.jsonl", "out.jsonl") for file in FILES),
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_nothing_is_quoted(quick_nlp, tmp_path, monkeypatch, caplog, call):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SV_DEID_VAULT_KEY", 43 * "A" + "=")
    for name, data in FILES.items():
        (tmp_path / name).write_text(data, encoding="utf8")
    done = CliRunner().invoke(make_app(lambda: quick_nlp), [*call])
    said = done.output + done.stderr + caplog.text + str(done.exception or "")
    rejects = [path.read_text(encoding="utf8") for path in tmp_path.glob("*.rejects.jsonl")]
    assert not [secret for secret in SECRETS if secret in said + str(rejects)], said
    assert isinstance(done.exception, (SystemExit, type(None)))


def test_no_header(finish, tmp_path):
    """A first row that is none is refused by number, and read as a message if that is said."""
    (tmp_path / "in.csv").write_text(NO_HEADER, encoding="utf8")
    code, said = finish("in.csv", "out.csv", load=None)
    told = " ".join(said.split())
    assert code == 2 and "no column 'text': look at its first row of 3 cells" in told
    assert "--no-header" in told
    args = ["--no-header", "--strategy", "label", *set_run(tmp_path, 'language_field = ""')]
    code, said = finish("in.csv", "out.csv", *args, "--text-field", "3", "--known", "name=1,pid=2")
    assert code == 0, said
    assert (tmp_path / "out.csv").read_text(encoding="utf8") == '"Hej [PERSON]"\nx\n'.replace(
        '"', ""
    )
    code, said = finish("in.csv", "new.csv", *args, "--text-field", "text", load=None)
    assert code == 2 and "by number, 1 to 3" in " ".join(said.split())


def test_header_of_a_table_that_is_scanned(quick_nlp, tmp_path):
    """Its cells are looked at where nobody has named a column."""
    path = tmp_path / "in.csv"
    path.write_text("Anna Lind,Hej,namn\nBo Ek,Tack,x\n", encoding="utf8")
    app = make_app(lambda: quick_nlp, "scan")
    done = CliRunner().invoke(app, [str(path), "--all-columns"])
    assert done.exit_code == 2 and "in column 1" in " ".join(done.stderr.split())
    assert "Anna" not in done.output + done.stderr
    done = CliRunner().invoke(app, [str(path), "--all-columns", "--no-header"])
    assert done.exit_code == 0 and "2 rows, 6 texts" in done.stdout, done.output


@cases
def test_no_file_that_is_read_is_replaced(quick_nlp, tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    for name in ("gold.jsonl", "other.jsonl", "deny.txt", "c.json"):
        (tmp_path / name).write_text(json.dumps(MESSAGE), encoding="utf8")
    (tmp_path / "c.toml").write_text('deny = "deny.txt"')
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    done = CliRunner().invoke(make_app(lambda: quick_nlp), [*call.split(), "--overwrite"])
    assert done.exit_code == 2 and "name another file" in " ".join(done.stderr.split()), done.output
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}


def test_version(quick_nlp):
    done = CliRunner().invoke(make_app(lambda: quick_nlp), ["--version"])
    assert done.exit_code == 0 and done.stdout.startswith(f"pipeline {quick_nlp.meta['name']}")
    assert "spaCy" in done.stdout
    assert CliRunner().invoke(make_app(lambda: quick_nlp), []).exit_code == 2


def test_classes_that_are_kept(finish, tmp_path):
    rows = [{"text": "Anna Lind, 52 år, 2024-05-03, ring 070-1740605"}]
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(rows[0]) + "\n", encoding="utf8")
    args = ["--strategy", "label", "--keep", "age, date", "--keep", "PHONE"]
    assert finish(path, "out.jsonl", *args)[0] == 0
    text = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf8"))["text"]
    assert text == "[PERSON], 52 år, 2024-05-03, ring 070-1740605"
    code, said = finish(path, "new.jsonl", "--keep", "AGE,NAME", load=None)
    assert code == 2 and "'NAME' is no class: PERSON, " in " ".join(said.split())


def test_swedish_letters_are_written_as_they_are(finish, quick_nlp, tmp_path):
    """In the list of errors, and in that of rejects."""
    row = {"text": "Hälsa Åsa", "spans": [{"start": 6, "end": 9, "label": "ORGANISATION"}]}
    (tmp_path / "gold.jsonl").write_text(json.dumps(row), encoding="utf8")
    args = ["evaluate", str(tmp_path / "gold.jsonl"), "--errors", str(tmp_path / "errors.jsonl")]
    assert CliRunner().invoke(make_app(lambda: quick_nlp), args).exit_code == 0
    assert "Hälsa Åsa" in (tmp_path / "errors.jsonl").read_text(encoding="utf8")
    (tmp_path / "in.jsonl").write_text('{"fråga": 1}\n{"fråga": "Hej"}\n', encoding="utf8")
    assert finish("in.jsonl", "out.jsonl", "--text-field", "fråga")[0] == 1
    assert "'fråga'" in (tmp_path / "out.jsonl.rejects.jsonl").read_text(encoding="utf8")
