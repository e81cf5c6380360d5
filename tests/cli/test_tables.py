"""The command over tables of every format: files, folders and streams."""

import csv
import errno
import gzip
import os
import random
import resource
import tempfile
import time

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from components.runs.run_settings import Limit
from components.tables.delimited import CsvTarget
from components.tables.jsonl import JsonlTarget
from components.tables.storage import Disk
from tests.cases import cases
from tests.workbooks import make_book

from .conftest import make_rows, read_jsonl, set_run, write_jsonl

SECRET = "Knurvelstocksfnatt"


def write(path, rows):
    """Write rows in the format of the name."""
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=999)
    elif path.suffix == ".csv":
        with path.open("w", encoding="utf8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".xlsx":
        make_book([[*rows[0]], *([*row.values()] for row in rows)]).save(path)
    else:
        write_jsonl(path.with_suffix("") if path.suffix == ".gz" else path, rows)
        if path.suffix == ".gz":
            path.write_bytes(gzip.compress(path.with_suffix("").read_bytes()))
            path.with_suffix("").unlink()
    return path


def read(path):
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.suffix == ".gz":
        path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
        path = path.with_suffix("")
    if path.suffix == ".xlsx":
        names, *rows = openpyxl.load_workbook(path).active.iter_rows(values_only=True)
        return [dict(zip(names, row)) for row in rows]
    if path.suffix == ".csv":
        with path.open(encoding="utf8", newline="") as file:
            return list(csv.DictReader(file))
    return read_jsonl(path)


@pytest.mark.parametrize("name", ["in.jsonl", "in.jsonl.gz", "in.csv", "in.parquet", "in.xlsx"])
def test_shuffled_conversations(finish, tmp_path, name):
    """Wherever rows lie, they get the texts that they get sorted, in the order of IN."""
    rows = make_rows(60, 20)
    rows.sort(key=lambda row: (row["conversation"], row["id"]))
    code, said = finish(write(tmp_path / "sorted.jsonl", rows), tmp_path / "out", rows=20)
    assert code == 0, said
    texts = {row["id"]: row["text"] for row in read_jsonl(tmp_path / "out")}
    assert not any(row["text"] == texts[row["id"]] for row in rows)
    random.Random(1).shuffle(rows)
    args = ["--time-field", "id", "--n-process", 2 if name == "in.parquet" else 1]
    out_path = tmp_path / f"out{name[2:]}"
    code, said = finish(write(tmp_path / name, rows), out_path, *args, rows=7)
    assert code == 0, said
    own = [(int(row["id"]), row["text"]) for row in read(out_path)]
    assert own == [(row["id"], texts[row["id"]]) for row in rows]


def test_several_columns_authors_and_participants(finish, tmp_path):
    rows = [
        {"id": 1, "author": "Anna Lind", "subject": "Hej Bo", "text": "Ring 070-174 06 05"},
        {"id": 2, "author": None, "subject": None, "text": "Hej Rutger"},
        {"id": 3, "author": "Rutger", "subject": None, "text": None},
    ]
    for row in rows:
        row["conversation"] = "c"
        row["known"] = [{"name": "Rutger Knurvel"}] if row["id"] == 2 else None
    path = tmp_path / "in.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    args = ["--text-field", "subject", "--text-field", "text", "--author-field", "author"]
    out_path = tmp_path / "out.parquet"
    code, said = finish(path, out_path, *args, "--strategy", "label", "--spans")
    assert code == 0, said
    out = read(out_path)
    assert [row["author"] for row in out] == ["[PERSON]", None, "[PERSON]"]
    assert [row["subject"] for row in out][1:] == [None, None]
    assert [row["text"] for row in out] == ["Ring [PHONE]", "Hej [PERSON]", None]
    assert "known" not in out[0] and '"PHONE"' in out[0]["replacements"]


@pytest.mark.parametrize(
    "args, encoding",
    [(["in.csv", "out.csv"], "utf-8-sig"), (["-", "-", "--in-format", "csv"], "cp1252")],
)
def test_output_is_written_like_the_input(finish, tmp_path, args, encoding):
    """As Excel on Windows writes it, in a file and in a stream."""
    data = f"id;text;när\r\n1;Hej på er, hälsa {SECRET};igår\r\n".encode(encoding)
    (tmp_path / "in.csv").write_bytes(data)
    with (tmp_path / "in.csv").open("rb") as stdin, (tmp_path / "out.csv").open("wb") as stdout:
        streams = {} if args[0] != "-" else {"stdin": stdin.fileno(), "stdout": stdout.fileno()}
        code, said = finish(*args, *set_run(tmp_path, 'language_field = ""'), **streams)
    assert code == 0 and SECRET not in said, said
    out = (tmp_path / "out.csv").read_bytes()
    assert out.startswith(data.partition(b"\r\n")[0] + b"\r\n1;Hej p")
    assert out.endswith(";igår\r\n".encode(encoding.removesuffix("-sig")))
    assert ("read as cp1252, by its Swedish letters" in said) == (encoding == "cp1252")


def test_encoding_that_is_not_clear_is_refused(finish, tmp_path):
    (tmp_path / "in.csv").write_bytes(b"id,text\n1,Andr\xe9\n")
    code, said = finish("in.csv", "out.csv", load=None)
    assert code == 2 and "name its encoding (--encoding cp1252" in " ".join(said.split())
    assert finish("in.csv", "out.csv", "--encoding", "cp1252")[0] == 0
    assert (tmp_path / "out.csv").read_bytes().startswith(b"id,text,language\n1,")


def test_options_beat_the_file_of_settings(finish, tmp_path):
    path = write(tmp_path / "in.jsonl", [{"text": "Hej Anna Lind, 070-174 06 05 i Lund"}])
    settings = 'deny = {PERSON = ["Hej"]}\n[strategy]\nPHONE = "label"\n"*" = "mask"\n'
    (tmp_path / "settings.toml").write_text(settings)
    for args, text in (
        ([], "*** ***, [PHONE] i ***"),
        (["--keep", "LOCATION"], "*** ***, [PHONE] i Lund"),
        (["--strategy", "label"], "[PERSON] [PERSON], [PHONE] i [LOCATION]"),
    ):
        args = ["--overwrite", "--config", "settings.toml", *args]
        code, said = finish(path, "out.jsonl", *args)
        assert code == 0, said
        assert [row["text"] for row in read(tmp_path / "out.jsonl")] == [text]


@pytest.mark.parametrize("stream", [False, True])
def test_wrong_field_of_jsonl_is_named_at_once(finish, tmp_path, stream):
    rows = [{"id": n, "body": SECRET, f"more {n % 2}": SECRET} for n in range(200)]
    path = write(tmp_path / "in.jsonl", rows)
    with path.open("rb") as stdin:
        code, said = finish("-" if stream else path, "out.jsonl", load=None, stdin=stdin.fileno())
    said = " ".join(said.split())
    assert code == 2 and SECRET not in said and not (tmp_path / "out.jsonl").exists()
    assert (
        "has no field 'text' in its first 100 rows. They have 'id', 'body', 2 with other names"
        in said
    )


def test_field_that_no_row_has_is_named(finish, tmp_path):
    """Rows may lack a field, so it is no error."""
    path = write(tmp_path / "in.jsonl", [*make_rows(3), {"text": "Hej", "late": "Hej"}])
    args = ["--text-field", "text", "--text-field", "body", "--text-field", "late"]
    code, said = finish(path, "out.jsonl", *args, "--author-field", "author")
    assert code == 0, said
    assert [line for line in said.splitlines() if "No row" in line] == [
        f"No row has a field {name!r}: is it the right name?" for name in ("author", "body")
    ]


@cases
def test_wrong_options(finish, tmp_path, args, said):
    path = write(tmp_path / "in.csv", [{"id": 1, "text": SECRET, "language": ""}])
    code, told = finish(path, tmp_path / "out.csv", *args, load=None)
    assert code == 2 and said in " ".join(told.split()), told
    assert SECRET not in told and [*tmp_path.iterdir()] == [path]


@cases
def test_wrong_settings_of_a_run(finish, tmp_path, line, said):
    path = write(tmp_path / "in.csv", [{"id": 1, "text": SECRET, "language": ""}])
    code, told = finish(path, tmp_path / "out.csv", *set_run(tmp_path, line), load=None)
    assert code == 2 and said in " ".join(told.split()) and "run.toml, [run], " in told, told


@cases
def test_limits(text, n_rejected, n_rows, passed):
    assert Limit.parse(text).is_passed(n_rejected, n_rows) == passed


@pytest.mark.parametrize("limit, code", [("1", 1), ('"20%"', 0)])
def test_rejects_that_are_allowed(finish, tmp_path, limit, code):
    rows = make_rows(10)
    rows[3]["text"] = rows[7]["text"] = [SECRET]
    out_path = tmp_path / "out.jsonl"
    path = write(tmp_path / "in.jsonl", rows)
    limit = set_run(tmp_path, f"fail_on_rejects = {limit}")
    ended, said = finish(path, out_path, *limit)
    assert ended == code and out_path.exists() == (not code)
    rejects = read_jsonl(tmp_path / "out.jsonl.rejects.jsonl")
    assert [reject["line"] for reject in rejects] == [4, 8]
    assert SECRET not in said + str(rejects)
    if code:
        assert "2 of 10 rows are rejected" in said
        set_run(tmp_path, "fail_on_rejects = 2")
        assert finish(path, out_path, *limit, "--resume")[0] == 0
        assert len(read_jsonl(out_path)) == 8
    else:
        assert said.splitlines()[-1] == "10 rows in, 8 out, 2 rejected."


@pytest.fixture
def folder(tmp_path):
    rows = make_rows(12, 2)
    for row in rows:
        row["conversation"] = "c"
    folder = tmp_path / "chats"
    (folder / "deep").mkdir(parents=True)
    write(folder / "a.jsonl", rows[:4])
    write(folder / "b.csv", rows[4:8])
    write(folder / "deep" / "c.parquet", rows[8:])
    write(folder / ".hidden.jsonl", [{"no": SECRET}])
    (folder / "readme.txt").write_text(SECRET)
    return folder


def test_folders(finish, folder, tmp_path):
    """Of mixed formats, nested; a conversation over three files; what is no table is left out."""
    with (folder / "a.jsonl").open("a") as file:
        file.write("{}\n")
    code, said = finish("./chats", "new", "--spans")
    assert code == 1, said
    assert said.splitlines()[-1] == "13 rows in, 12 out, 1 rejected."
    new = tmp_path / "new"
    found = sorted(str(p.relative_to(new)) for p in new.rglob("*") if p.is_file())
    assert found == ["a.jsonl", "b.csv", "deep/c.parquet"]
    rows = [*read(new / "a.jsonl"), *read(new / "b.csv"), *read(new / "deep" / "c.parquet")]
    assert [int(row["id"]) for row in rows] == [*range(12)]
    whole = write(tmp_path / "one.jsonl", [{**row, "conversation": "c"} for row in make_rows(12)])
    assert finish(whole, tmp_path / "out.jsonl")[0] == 0
    assert [row["text"] for row in rows] == [row["text"] for row in read(tmp_path / "out.jsonl")]
    reject = {"file": "a.jsonl", "line": 5, "reason": "no field 'text'"}
    assert read_jsonl(tmp_path / "new.rejects.jsonl") == [reject]
    assert not (new.stat().st_mode | (new / "deep").stat().st_mode) & 0o077


@cases
def test_places_that_cannot_be(finish, folder, tmp_path, in_path, out_path, said):
    (folder / "broken.jsonl").symlink_to("nowhere")
    (tmp_path / "empty").mkdir()
    before = {path: path.stat().st_mtime for path in tmp_path.rglob("*") if path.is_file()}
    code, told = finish(in_path, out_path, load=None)
    assert code == 2 and said in " ".join(told.split()), told
    after = {path: path.stat().st_mtime for path in tmp_path.rglob("*") if path.is_file()}
    assert after == before and SECRET not in told


def test_more_files_than_may_be_open(finish, quick_nlp, tmp_path):
    """Of a conversation that lies in all of them, too."""
    (tmp_path / "in").mkdir()
    rows = make_rows(80)
    for n, row in enumerate(rows):
        write(tmp_path / "in" / f"part-{n:03}.csv", [row])

    def load():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        return quick_nlp

    code, said = finish("in", "out", "--n-process", 2, load=load)
    assert code == 0, said
    assert "80 rows in, 80 out, 0 rejected" in said
    for n, row in enumerate(rows):
        (out,) = read(tmp_path / "out" / f"part-{n:03}.csv")
        assert int(out["id"]) == n and out["text"] != row["text"]


def test_rejects_of_the_run_before_are_not_read(finish, folder, tmp_path):
    write(tmp_path / "x.jsonl", [{"text": "Hej"}, {}])
    assert finish("*.jsonl", "new")[0] == 1
    assert (tmp_path / "new.rejects.jsonl").exists()
    code, said = finish("*.jsonl", "new", "--overwrite")
    assert code == 1 and said.splitlines()[-1] == "2 rows in, 1 out, 1 rejected."


@pytest.mark.parametrize("name", ["in.jsonl", "in.csv", "in.parquet"])
def test_a_stream_is_read_as_a_file(finish, tmp_path, monkeypatch, name):
    """Whatever the order of its rows; and nothing of it is left on the disk."""
    spooled = tmp_path / "spooled"
    spooled.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spooled))
    path = write(tmp_path / name, make_rows(120, 30))
    args = ["--in-format", name[3:], "--time-field", "id", "--sample", "a.html", "--overwrite"]
    assert finish(path, f"file{name[2:]}", *args, rows=10)[0] == 0
    with path.open("rb") as stdin:
        code, said = finish("-", f"stream{name[2:]}", *args, rows=10, stdin=stdin.fileno())
    assert code == 0, said
    files = [(tmp_path / f"{kind}{name[2:]}").read_bytes() for kind in ("file", "stream")]
    assert files[0] == files[1] and not [*spooled.iterdir()]


def test_reader_that_goes_away(start, tmp_path):
    path = write(tmp_path / "in.jsonl", make_rows(3000, 600))
    reading, writing = os.pipe()
    run = start(path, "-", "--n-process", 2, rows=20, stdout=writing)
    os.close(writing)
    os.read(reading, 10)
    os.close(reading)
    assert run.wait() == 1
    assert "Nobody reads the output any more." in run.said and "Traceback" not in run.said


def fail_with(number):
    def fail(*args, **options):
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("where", ["work", "out", "csv"])
def test_disk_full(finish, tmp_path, monkeypatch, where):
    name = "out.csv" if where == "csv" else "out.jsonl"
    path = write(tmp_path / name.replace("out", "in"), make_rows(30))
    with monkeypatch.context() as patch:
        if where == "work":
            own = Disk.write
            patch.setattr(
                Disk,
                "write",
                lambda disk, path, data: (
                    fail_with(errno.ENOSPC)() if "000003" in path else own(disk, path, data)
                ),
            )
        else:
            target = CsvTarget if where == "csv" else JsonlTarget
            patch.setattr(target, "write", fail_with(errno.ENOSPC))
        code, said = finish(path, tmp_path / name)
    assert code == 1 and "The disk is full. Make room." in said and "--resume" in said
    assert "Traceback" not in said and not (tmp_path / name).exists()
    assert not [*tmp_path.glob(".*.part")]
    assert finish(path, tmp_path / name, "--resume")[0] == 0
    assert len(read(tmp_path / name)) == 30


def test_file_that_changes_during_the_run(start, tmp_path):
    rows = make_rows(30)
    path = write(tmp_path / "in.jsonl", rows)
    run = start(path, tmp_path / "out.jsonl", rows=5, pause=0.05)
    run.wait_for(lambda: len([*tmp_path.glob(".out.jsonl.work/block-*")]) >= 1)
    time.sleep(0.01)
    write(path, [{**row, "text": f"{SECRET} {row['text']}"} for row in rows])
    assert run.wait() == 2
    assert "changed while it was read" in " ".join(run.said.split()) and SECRET not in run.said
    assert not (tmp_path / "out.jsonl").exists()


def test_own_field_of_a_row_is_not_overwritten(finish, tmp_path):
    path = write(tmp_path / "in.jsonl", [{"text": "Hej", "replacements": [1]}, {"text": "Hej"}])
    code, _ = finish(path, tmp_path / "out.jsonl", "--spans")
    (reject,) = read_jsonl(tmp_path / "out.jsonl.rejects.jsonl")
    assert code == 1 and reject["reason"] == "field 'replacements' is taken: the output needs it"


def test_participants_in_a_cell_of_csv(finish, tmp_path):
    rows = [
        {"id": 1, "conversation": "c", "known": "", "text": "Hej Rutger"},
        {"id": 2, "conversation": "c", "known": '[{"name": "Rutger Knurvel"}]', "text": "Hej"},
        {"id": 3, "conversation": "d", "known": "Knurvel", "text": "Hej"},
    ]
    out_path = tmp_path / "out.csv"
    code, said = finish(write(tmp_path / "in.csv", rows), out_path, "--strategy", "label")
    assert code == 1 and "Knurvel" not in said
    assert read(out_path)[0] == {
        "id": "1", "conversation": "c", "text": "Hej [PERSON]", "language": ""
    }  # fmt: skip
    (reject,) = read_jsonl(tmp_path / "out.csv.rejects.jsonl")
    assert reject["line"] == 4 and "Knurvel" not in reject["reason"]


@pytest.mark.parametrize("name", ["in.xlsm", "IN.XLS", "in.ods"])
def test_a_workbook_is_named_as_such_first(finish, tmp_path, name):
    (tmp_path / name).write_bytes(b"PK\x03\x04")
    code, said = finish(name, "out.csv", load=None)
    assert code == 2 and "is a workbook of another kind: save it as .xlsx" in " ".join(said.split())
    for kind in ("csv", "jsonl"):
        code, said = finish(name, f"out.{kind}", "--in-format", kind, load=None)
        assert code == 2 and "a workbook" in " ".join(said.split()), said


def test_formulas_are_of_csv(finish, tmp_path):
    write(tmp_path / "in.csv", [{"text": "Hej", "sum": "=A1"}])
    args = set_run(tmp_path, "no_formulas = true")
    assert finish("in.csv", "out.csv", *args)[0] == 0
    assert read(tmp_path / "out.csv")[0]["sum"] == "'=A1"
    write(tmp_path / "in.jsonl", [{"text": "Hej"}])
    code, said = finish("in.jsonl", "out.jsonl", *args, load=None)
    assert code == 2 and "no_formulas is for CSV files" in " ".join(said.split())
