"""The command line, over the tiny pipeline."""

import json
import os
import re
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
import spacy
from spacy.language import Language

from components.cli.app import main
from components.runs import index as index_module
from components.runs import processing
from components.surrogates.surrogate_generator import SurrogateGenerator
from components.tables.jsonl import JsonlTarget
from components.vault import Vault, hold_vault
from tests.cases import cases, read_cases
from tests.commands import call

from .conftest import read_jsonl as read
from .conftest import write_jsonl

TEXT = "Hej Anna Lind, ring 070-174 06 05 eller skriv till anna@example.com"
PHI = ("070-174 06 05", "anna@example.com")


@pytest.fixture
def run(load, monkeypatch):
    """Run the command line and give its exit code."""
    monkeypatch.setenv("SV_DEID_KEY", "a key for the tests")

    return lambda *args, load=load, stdin=b"": call(partial(main, load, "run"), *args, stdin=stdin)


@pytest.fixture
def run_until(run, monkeypatch):
    """Runs the command in a process of its own, until a call of a method ends it."""

    def run_and_wait(owner, name, end, *args):
        pid = os.fork()
        if not pid:
            monkeypatch.setattr(owner, name, end)
            try:
                run(*args)
            finally:
                os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9

    return run_and_wait


def write(path, *rows):
    write_jsonl(path, rows)


def get_rejects_path(out_path):
    return out_path.with_name("out.jsonl.rejects.jsonl")


def test_rows_keep_order_and_fields(run, in_path, out_path, monkeypatch):
    monkeypatch.setattr(index_module, "BLOCK_ROWS", 3)
    rows = [
        {"vault": i, "text": TEXT + " hej" * (7 * i % 5), "more": [1.5, None, "å"]}
        for i in range(10)
    ]
    rows[4]["text"] = ""
    write(in_path, *rows)
    assert run(in_path, out_path, "--threshold", 1) == 0
    out = read(out_path)
    assert [{**row, "text": ""} for row in out] == [{**row, "text": ""} for row in rows]
    assert [row["text"].count(" hej") for row in out] == [r["text"].count(" hej") for r in rows]
    assert not [phi for phi in PHI if any(phi in row["text"] for row in out)]
    assert sorted(path.name for path in out_path.parent.iterdir()) == ["in.jsonl", "out.jsonl"]


@pytest.mark.parametrize(
    "line, reason",
    [
        *read_cases(__file__)["test_rejects"],
        (b'{"text": "", "n": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not valid JSON"),
    ],
    ids=range(13),  # the name of the test's folder must not hold the text
)
def test_rejects(run, in_path, out_path, capsys, line, reason):
    in_path.write_bytes(b'{"text": "Hej"}\n\n' + line + b'\n{"text": ""}')
    assert run(in_path, out_path) == 1
    assert [row["text"] for row in read(out_path)] == ["Hej", ""]
    (reject,) = read(get_rejects_path(out_path))
    assert reject.keys() == {"line", "reason"}
    assert reject["line"] == 3
    assert reject["reason"].startswith(reason)
    assert "Knurvel" not in reject["reason"]
    printed = capsys.readouterr()
    assert "Knurvel" not in printed.out + printed.err
    assert "1 lines rejected" in printed.err


def test_one_failing_row_stops_no_other(run, in_path, out_path, tiny_path):
    @Language.component("fails_on_knurvel")
    def fails_on_knurvel(doc):
        if "Knurvel" in doc.text:
            raise RuntimeError(doc.text)
        return doc

    def load():
        nlp = spacy.load(tiny_path)
        nlp.add_pipe("fails_on_knurvel", first=True)
        nlp.max_length = 100
        return nlp

    texts = ["Hej", "Jag heter Knurvel", "a" * 101, TEXT]
    rows = [{"text": text, "conversation": c} for c in (None, 1) for text in texts]
    write(in_path, *rows)
    assert run(in_path, out_path, "--n-process", 2, load=load) == 1
    assert [row["conversation"] for row in read(out_path)] == [None, None, 1, 1]
    rejects = read(get_rejects_path(out_path))
    assert [reject["line"] for reject in rejects] == [2, 3, 6, 7]
    for reject, reason in zip(rejects, ["fails_on_knurvel (RuntimeError", "tokenizer (longer"] * 2):
        assert reject["reason"].startswith(f"the pipeline failed on it: {reason}")
        assert "Knurvel" not in reject["reason"]


def test_failure_after_the_pipeline_stays_with_its_row(run, in_path, out_path, monkeypatch):
    take = processing.Processor._take

    def fail(processor, row, messages, times):
        if row.number == 2:
            raise RuntimeError(TEXT)
        return take(processor, row, messages, times)

    monkeypatch.setattr(processing.Processor, "_take", fail)
    write(in_path, *({"text": TEXT, "conversation": 1, "n": n} for n in (1, 2, 3)))
    assert run(in_path, out_path) == 1
    assert [row["n"] for row in read(out_path)] == [1, 3]
    reason = "the pipeline failed on it (RuntimeError)"
    assert read(get_rejects_path(out_path)) == [{"line": 2, "reason": reason}]


def test_failure_of_a_conversation_stays_with_it(run, in_path, out_path, monkeypatch):
    finish = processing.finish_conversation

    def fail(nlp, docs):
        if docs[0]._.conversation_id == "1":
            raise RuntimeError(TEXT)
        finish(nlp, docs)

    monkeypatch.setattr(processing, "finish_conversation", fail)
    write(in_path, *({"text": TEXT, "conversation": c} for c in (1, 1, 2, None)))
    assert run(in_path, out_path) == 1
    assert [row["conversation"] for row in read(out_path)] == [2, None]
    assert [reject["line"] for reject in read(get_rejects_path(out_path))] == [1, 2]


def test_pipeline_that_is_set_up_wrongly(run, in_path, out_path, tiny_path, capsys):
    write(in_path, {"text": TEXT}, {"text": TEXT, "conversation": 1})
    assert run(in_path, out_path, load=lambda: spacy.load(tiny_path, exclude="entity_ruler")) == 2
    said = capsys.readouterr().err
    assert "rules" in said and "Add the pipe" in said and "Anna" not in said
    assert list(out_path.parent.iterdir()) == [in_path]


NOT_JSONL = dict(read_cases(__file__)["not_jsonl"])


@pytest.mark.parametrize(
    "name, is_stdin", [*((name, False) for name in NOT_JSONL), ("commas", True), ("binary", True)]
)
def test_not_jsonl(run, in_path, out_path, capsys, name, is_stdin):
    in_path.write_bytes(NOT_JSONL[name])
    out_path.write_text("old")
    source = {"stdin": in_path.read_bytes()} if is_stdin else {}
    args = ["-" if is_stdin else in_path, out_path, "--overwrite"]
    assert run(*args, load=None, **source) == 2
    said = capsys.readouterr().err
    assert "one JSON object a line" in said and "Knurvel" not in said
    assert ("csv" in said) == (name in [*NOT_JSONL][:4])
    assert out_path.read_text() == "old" and not get_rejects_path(out_path).exists()


@pytest.mark.parametrize("n_broken, is_stdin", [(0, False), (9, False), (1, True)])
def test_broken_first_lines_lose_none(run, in_path, out_path, n_broken, is_stdin):
    broken = b"id;text\n\n" * n_broken
    in_path.write_bytes(b"\n" + broken + b'{"text": "Hej"}\n{"text": "Hejsan"}\n;\n')
    source = {"stdin": in_path.read_bytes()} if is_stdin else {}
    assert run("-" if is_stdin else in_path, out_path, **source) == 1
    assert [row["text"] for row in read(out_path)] == ["Hej", "Hejsan"]
    rejected = [reject["line"] for reject in read(get_rejects_path(out_path))]
    assert rejected == [*range(2, 2 + 2 * n_broken, 2), 4 + 2 * n_broken]


# What is wrong of the arguments, and what is said of it.
WRONG = [
    *read_cases(__file__)["wrong"],
    *((f"in.jsonl {args}", "") for args in ("x" * 250, "out.jsonl --vault " + "x" * 250)),
]


@pytest.mark.parametrize("args, said", WRONG, ids=range(len(WRONG)))
def test_wrong_usage(run, in_path, vault_path, monkeypatch, capsys, args, said):
    monkeypatch.chdir(in_path.parent)
    write(in_path, {"text": TEXT})
    before = in_path.read_bytes()
    in_path.with_suffix(".json").write_bytes(before)
    (in_path.parent / "link.jsonl").symlink_to(in_path)
    assert run(*args.split(), load=None) == 2
    assert said in " ".join(capsys.readouterr().err.split())
    assert in_path.read_bytes() == in_path.with_suffix(".json").read_bytes() == before
    assert {path.name for path in in_path.parent.iterdir()} == {"in.jsonl", "in.json", "link.jsonl"}


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_nothing_in_nothing_out_and_old_rejects_go(run, in_path, out_path, content):
    get_rejects_path(out_path).write_text("old")
    in_path.write_bytes(content)
    assert run(in_path, out_path) == 0
    assert out_path.read_bytes() == b"" and not get_rejects_path(out_path).exists()


def test_standard_streams(run, tmp_path, monkeypatch, capsysbinary):
    monkeypatch.chdir(tmp_path)
    line = json.dumps({"text": TEXT, "note": "å"}, ensure_ascii=False).encode("utf8")
    assert run("-", "-", stdin=b"\xef\xbb\xbf" + line + b"\r\n{}\n") == 1
    out = capsysbinary.readouterr().out.decode("utf8")
    assert out.startswith('{"text": ') and out.endswith(', "note": "å"}\r\n')
    assert not [phi for phi in PHI if phi in out]
    assert read(tmp_path / "rejects.jsonl") == [{"line": 2, "reason": "no field 'text'"}]


@pytest.mark.parametrize("text, code", [("Hej", 0), (7, 1)])
def test_devices_and_pipes_stay_what_they_are(run, in_path, tmp_path, text, code):
    write(in_path, {"text": text})
    paths = [tmp_path / "out", tmp_path / "rejects"]
    received = []
    readers = []
    for path in paths:
        os.mkfifo(path)
        reader = Thread(target=lambda path=path: received.append(path.read_bytes()), daemon=True)
        reader.start()
        readers.append(reader)
    assert run(in_path, paths[0], "--rejects", paths[1]) == code
    for reader in readers:
        reader.join(10)
    assert all(path.is_fifo() for path in paths)
    reject = b'{"line": 1, "reason": "field \'text\' is not a string"}\n'
    assert sorted(received) == [b"", reject if code else b'{"text": "Hej"}\n']
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl", "out", "rejects"}


def test_options(run, in_path, out_path, capsys):
    write(in_path, {"body": TEXT, "thread": 1})
    args = ["--text-field", "body", "--conversation-field", "thread", "--strategy", "label"]
    args += ["--threshold", 1, "--spans"]
    assert run(in_path, out_path, *args, "--keep", "EMAIL") == 0
    (row,) = read(out_path)
    assert "[PHONE]" in row["body"] and PHI[1] in row["body"]
    for item in row["replacements"]:
        assert row["body"][item["out_start"] : item["out_end"]] == item["replacement"]
    said = capsys.readouterr().err
    replaced, kept = re.search(r"Replaced: (.*?)\. Kept: (.*?)\.", said).groups()
    assert "PHONE 1" in replaced and "EMAIL" not in replaced and kept == "EMAIL 1"
    assert run(in_path, out_path, *args, "--overwrite") == 0
    said = capsys.readouterr().err
    assert "EMAIL 1" in said and "Kept" not in said and "[EMAIL]" in read(out_path)[0]["body"]


KNOWN = [{"name": "Vera Knurvel", "phone": "0701740605"}]


def test_known_participants(run, in_path, out_path):
    rows = [
        {"text": "hej knurvel", "conversation": 1, "n": 1},
        {"text": None, "conversation": 1, "known": KNOWN},
        {"text": "+46 70 174 06 05 mvh vera", "conversation": 1, "known": None},
        {"text": "knurvel", "conversation": 2},
        {"text": "knurvel vera", "known": {"PERSON": ["Knurvel"]}, "n": 2},
        {"text": "knurvel"},
    ]
    write(in_path, *rows)
    args = ["--strategy", "label", "--threshold", 1, "--n-process", 1]
    assert run(in_path, out_path, *args) == 0
    assert read(out_path) == [
        {"text": "hej [PERSON]", "conversation": 1, "n": 1},
        # There is no text: but it tells of the participants.
        {"text": None, "conversation": 1},
        {"text": "[PHONE] mvh [PERSON]", "conversation": 1},
        {"text": "knurvel", "conversation": 2},
        {"text": "[PERSON] vera", "n": 2},
        {"text": "knurvel"},
    ]


def test_other_known_field(run, in_path, out_path):
    write(in_path, {"text": "Hej knurvel", "known": "x", "who": KNOWN})
    assert run(in_path, out_path, "--known-field", "who", "--strategy", "mask") == 0
    (row,) = read(out_path)
    assert row.keys() == {"text", "known"}
    assert "knurvel" not in row["text"]


def test_conversation_tells_of_earlier_rows(run, in_path, out_path, monkeypatch):
    """Also where a chunk would end, and where a row between them is rejected."""
    monkeypatch.setattr(index_module, "BLOCK_ROWS", 2)
    rows = [{"text": "annna.k ringer", "conversation": 1} for _ in range(5)]
    rows += [{"text": 7, "conversation": 1}, {"text": "Nås på 070-174 06 05", "conversation": 1}]
    rows += [{"text": "kl 70 174 0605, 1", "conversation": c} for c in (1, 2, None)]
    write(in_path, *rows)
    args = ["--strategy", "label", "--threshold", 1, "--n-process", 2]
    assert run(in_path, out_path, *args) == 1
    assert [row["text"] for row in read(out_path)[5:]] == [
        "Nås på [PHONE]", "kl [PHONE], 1", "kl 70 174 0605, 1", "kl 70 174 0605, 1"
    ]  # fmt: skip


@pytest.mark.parametrize("key", ["", "Knurvel" + "å" * 4])
def test_short_key(run, in_path, out_path, monkeypatch, capsys, key):
    monkeypatch.setenv("SV_DEID_KEY", key)
    write(in_path, {"text": TEXT})
    assert run(in_path, out_path, load=None) == 2
    said = capsys.readouterr().err
    assert "SV_DEID_KEY" in said and "secrets.token_hex(32)" in said
    with pytest.raises(ValueError, match="16 bytes") as error:
        SurrogateGenerator()
    assert "Knurvel" not in f"{said} {error.value}"


@pytest.mark.parametrize("key", ["0123456789abcdef", "å" * 8, "\udcff" * 16])
def test_key_that_is_long_enough(monkeypatch, key):
    monkeypatch.setenv("SV_DEID_KEY", key)
    SurrogateGenerator()


def test_without_key(run, in_path, out_path, monkeypatch, capsys):
    monkeypatch.delenv("SV_DEID_KEY")
    write(in_path, {"text": TEXT})
    assert run(in_path, out_path) == 0
    assert "SV_DEID_KEY is not set" in capsys.readouterr().err


@pytest.fixture
def vault_path(tmp_path, monkeypatch):
    monkeypatch.setenv("SV_DEID_VAULT_KEY", Vault.new_key())
    return tmp_path / "vault.jsonl"


def restore_file(out_path, vault_path):
    """Restore a file, and give the exit code and what was written."""
    back_path = out_path.with_name("back.jsonl")
    code = call(partial(main, None, "restore"), out_path, vault_path, back_path)
    return code, read(back_path) if back_path.exists() else None


def test_vault_leads_back(run, in_path, out_path, vault_path, monkeypatch):
    rows = [{"text": TEXT + "!" * i, "conversation": i % 3, "note": "å"} for i in range(6)]
    write(in_path, *rows[:3], {"txt": ""}, *rows[3:])
    assert run(in_path, out_path, "--vault", vault_path, "--threshold", 1, "--spans") == 1
    out = read(out_path)
    references = [row["vault"].split("-") for row in out]
    assert [int(number) for _, number in references] == [1, 2, 3, 5, 6, 7]
    assert len({run for run, _ in references}) == 1
    for phi in PHI:
        assert phi not in vault_path.read_text() + out_path.read_text(encoding="utf8")
    code, back = restore_file(out_path, vault_path)
    assert code == 0
    assert all(row.pop("replacements") for row in back)
    assert back == rows


def test_vault_of_several_runs(run, in_path, out_path, vault_path, monkeypatch):
    """What is there is added to, whatever replaces OUT: the originals of both runs come back."""
    for n in range(2):
        write(in_path, {"text": TEXT, "n": n}, {"text": "Hej", "n": n})
        args = [in_path, out_path, "--vault", vault_path, "--overwrite"]
        assert run(*args) == 0
        out_path.rename(out_path.with_name(f"out-{n}.jsonl"))
    assert vault_path.read_bytes().count(b"\n") == 4
    for n in range(2):
        done = restore_file(out_path.with_name(f"out-{n}.jsonl"), vault_path)
        assert done == (0, [{"text": TEXT, "n": n}, {"text": "Hej", "n": n}])
        out_path.with_name("back.jsonl").unlink()


@cases
def test_vault_that_is_not_ours_stays(
    run, in_path, out_path, vault_path, monkeypatch, capsys, content, said
):
    """Not even --overwrite replaces one, and nothing is read before that is known."""
    write(in_path, {"text": TEXT})
    if content is None:
        assert run(in_path, vault_path.with_name("old.jsonl"), "--vault", vault_path) == 0
        monkeypatch.setenv("SV_DEID_VAULT_KEY", Vault.new_key())
    else:
        vault_path.write_bytes(content)
    before = vault_path.read_bytes()
    capsys.readouterr()
    assert run(in_path, out_path, "--vault", vault_path, "--overwrite", load=None) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert f"{vault_path} cannot be added to: {said}" in told and "Knurvel" not in told
    assert vault_path.read_bytes() == before and not out_path.exists()
    assert not [*vault_path.parent.glob(".*")]


def test_vault_of_a_run_that_is_at_work(run, in_path, out_path, vault_path, capsys):
    write(in_path, {"text": TEXT})
    ready, ending = os.pipe(), os.pipe()
    pid = os.fork()
    if not pid:
        with hold_vault(vault_path, Vault.from_environment()):
            os.write(ready[1], b"!")
            os.read(ending[0], 1)
        os._exit(0)
    os.read(ready[0], 1)
    assert run(in_path, out_path, "--vault", vault_path, load=None) == 2
    assert "Another run is adding to" in capsys.readouterr().err
    os.write(ending[1], b"!")
    os.waitpid(pid, 0)
    assert run(in_path, out_path, "--vault", vault_path) == 0
    assert sorted(path.name for path in out_path.parent.iterdir()) == [
        "in.jsonl", "out.jsonl", "vault.jsonl"
    ]  # fmt: skip


def test_vault_is_whole_before_out_is(run, run_until, in_path, out_path, vault_path, monkeypatch):
    """Killed between the two: --resume adds nothing twice."""
    write(in_path, {"text": TEXT}, {"text": "Hej"})
    own = Path.replace

    def replace(path, target):
        os._exit(9) if Path(target) == out_path else own(path, target)

    run_until(Path, "replace", replace, in_path, out_path, "--vault", vault_path)
    assert vault_path.read_bytes().count(b"\n") == 2 and not out_path.exists()
    assert run(in_path, out_path, "--vault", vault_path, "--resume") == 0
    assert vault_path.read_bytes().count(b"\n") == 2
    assert restore_file(out_path, vault_path)[1][0] == {"text": TEXT}


@cases
def test_no_file_is_replaced_unasked(
    run, in_path, out_path, monkeypatch, capsys, name, args, is_stdin
):
    monkeypatch.chdir(in_path.parent)
    write(in_path, {"text": TEXT})
    path = in_path.with_name(name)
    path.write_text("precious")
    more = {"stdin": in_path.read_bytes()} if is_stdin else {}
    args = ["-" if is_stdin else "in.jsonl", "out.jsonl", *args]
    assert run(*args, load=None, **more) == 2
    assert f"{name} is there: name another, or add --overwrite" in capsys.readouterr().err
    assert sorted(each.name for each in in_path.parent.iterdir()) == sorted({"in.jsonl", name})
    assert path.read_text() == "precious"
    assert run(*args, "--overwrite", **more) == 0
    assert not path.exists() or path.read_text() != "precious"


def test_a_folder_that_is_added_to(run, in_path, out_path, monkeypatch, capsys):
    """New files may come to a folder of outputs, those that are there stay."""
    (in_path.parent / "in").mkdir()
    write(in_path.parent / "in" / "a.jsonl", {"text": TEXT})
    folder = in_path.parent / "out"
    assert run(in_path.parent / "in", folder) == 0
    before = (folder / "a.jsonl").read_bytes()
    write(in_path.parent / "in" / "b.jsonl", {"text": "Hej"})
    assert run(in_path.parent / "in", folder, load=None) == 2
    assert f"{folder / 'a.jsonl'} is there" in " ".join(capsys.readouterr().err.split())
    assert run(in_path.parent / "in" / "b.jsonl", folder / "b.jsonl") == 0
    assert (folder / "a.jsonl").read_bytes() == before


def test_all_files_are_the_owners_alone(run, in_path, out_path, vault_path, monkeypatch):
    write(in_path, {"text": TEXT}, {"text": 1})
    assert run(in_path, out_path, "--vault", vault_path) == 1
    restore_file(out_path, vault_path)
    modes = {path.name: path.stat().st_mode & 0o777 for path in out_path.parent.iterdir()}
    assert modes.pop(in_path.name) != 0o600
    assert len(modes) == 4 and set(modes.values()) == {0o600}


def test_what_a_killed_run_leaves(
    run, run_until, in_path, out_path, vault_path, monkeypatch, capsys
):
    write(in_path, {"text": TEXT})
    args = [in_path, out_path, "--vault", vault_path]
    run_until(JsonlTarget, "write", lambda *args: os._exit(9), *args)
    left = [path for path in out_path.parent.iterdir() if path != in_path]
    lock = vault_path.with_name(".vault.jsonl.lock")
    assert len(left) == 5 and lock in left and not {out_path, vault_path} & set(left)
    assert run(in_path, out_path, "--vault", vault_path) == 2
    assert "--resume" in capsys.readouterr().err
    assert run(in_path, out_path, "--vault", vault_path, "--resume") == 0
    said = capsys.readouterr().err
    parts = [path for path in left if path.suffix == ".part"]
    assert len(parts) == 3
    assert all(f"{path} was left by a run that was stopped" in said for path in parts)
    assert all(path.exists() == (path in parts) for path in left)
    assert restore_file(out_path, vault_path)[1] == [{"text": TEXT}]


def test_vault_needs_its_key_and_its_field(run, in_path, out_path, vault_path, monkeypatch):
    write(in_path, {"text": TEXT, "vault": "Anna"})
    assert run(in_path, out_path, "--vault", vault_path) == 1
    (reject,) = read(get_rejects_path(out_path))
    assert reject["reason"] == "field 'vault' is taken: the vault needs it"
    assert run(in_path, out_path, "--vault", in_path, load=None) == 2
    monkeypatch.delenv("SV_DEID_VAULT_KEY")
    assert run(in_path, out_path, "--vault", vault_path, load=None) == 2
