"""The command line, over the tiny pipeline."""

import io
import json
import sys

import pytest
import spacy
from spacy.language import Language

from components import cli

TEXT = "Hej Anna Lind, ring 070-174 06 05 eller skriv till anna@example.com"
PHI = ("070-174 06 05", "anna@example.com")


@pytest.fixture
def run(tiny_path, monkeypatch):
    """Run the command line and give its exit code."""
    monkeypatch.setenv("SV_DEID_KEY", "test")

    def run_cli(*args, load=lambda: spacy.load(tiny_path), stdin=b""):
        monkeypatch.setattr(sys, "argv", ["sv_deid_chat", *map(str, args)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as error:
            cli.main(load)
        return error.value.code

    return run_cli


@pytest.fixture
def in_path(tmp_path):
    return tmp_path / "in.jsonl"


@pytest.fixture
def out_path(tmp_path):
    return tmp_path / "out.jsonl"


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf8")


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]


def get_rejects_path(out_path):
    return out_path.with_name("out.jsonl.rejects.jsonl")


def test_rows_keep_order_and_fields(run, in_path, out_path, monkeypatch):
    monkeypatch.setattr(cli, "CHUNK_ROWS", 3)
    rows = [
        {"id": i, "text": TEXT + " hej" * (7 * i % 5), "more": [1.5, None, "å"]} for i in range(10)
    ]
    rows[4]["text"] = ""
    write(in_path, *rows)
    assert run(in_path, out_path) == 0
    out = read(out_path)
    assert [{**row, "text": ""} for row in out] == [{**row, "text": ""} for row in rows]
    assert [row["text"].count(" hej") for row in out] == [r["text"].count(" hej") for r in rows]
    assert not [phi for phi in PHI if any(phi in row["text"] for row in out)]
    assert sorted(path.name for path in out_path.parent.iterdir()) == ["in.jsonl", "out.jsonl"]


@pytest.mark.parametrize(
    "line, reason",
    [
        (b'{"text": "Knurvel"', "not valid JSON"),
        (b'{"text": "\xff Knurvel"}', "not UTF-8"),
        (b'"Knurvel"', "not a JSON object"),
        (b'{"txt": "Knurvel"}', "no field 'text'"),
        (b'{"text": ["Knurvel"]}', "field 'text' is not a string"),
        (b'{"text": null}', "field 'text' is not a string"),
        (b'{"text": "Knurvel \\ud83d"}', "field 'text' holds a lone UTF-16 surrogate"),
        (b'{"text": "", "conversation": []}', "field 'conversation' is neither"),
        (b'{"text": "", "n": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "not valid JSON"),
    ],
    ids=range(9),  # the name of the test's folder must not hold the text
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


@pytest.mark.parametrize("n_process", [1, 2])
def test_one_failing_row_stops_no_other(run, in_path, out_path, tiny_path, n_process):
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
    write(in_path, *({"text": text} for text in texts))
    assert run(in_path, out_path, "--n-process", n_process, load=load) == 1
    assert len(read(out_path)) == 2
    assert read(get_rejects_path(out_path)) == [
        {"line": 2, "reason": "the pipeline failed on it (RuntimeError)"},
        {"line": 3, "reason": "text longer than 100 characters"},
    ]


def test_old_rejects_go(run, in_path, out_path):
    get_rejects_path(out_path).write_text("old")
    write(in_path, {"text": "Hej"})
    assert run(in_path, out_path) == 0
    assert not get_rejects_path(out_path).exists()


def test_standard_streams(run, tmp_path, monkeypatch, capsysbinary):
    monkeypatch.chdir(tmp_path)
    line = json.dumps({"text": TEXT, "note": "å"}, ensure_ascii=False).encode("utf8")
    assert run("-", "-", stdin=b"\xef\xbb\xbf" + line + b"\r\n{}\n") == 1
    out = capsysbinary.readouterr().out.decode("utf8")
    assert out.endswith(', "note": "å"}\n')
    assert not [phi for phi in PHI if phi in out]
    assert read(tmp_path / "rejects.jsonl") == [{"line": 2, "reason": "no field 'text'"}]


def test_options(run, in_path, out_path):
    write(in_path, {"body": TEXT, "thread": 1})
    args = ["--text-field", "body", "--conversation-field", "thread", "--strategy", "label"]
    assert run(in_path, out_path, *args, "--threshold", "1", "--spans") == 0
    (row,) = read(out_path)
    assert "[PHONE]" in row["body"] and "[EMAIL]" in row["body"]
    for item in row["replacements"]:
        assert row["body"][item["out_start"] : item["out_end"]] == item["replacement"]


def test_conversation_shares_surrogates(run, in_path, out_path):
    texts = ["Hej Anna, ring 070-174 06 05", "Hejdå Anna! Igen: 070-174 06 05"]
    write(in_path, *({"text": text, "conversation": 7} for text in texts))
    assert run(in_path, out_path, "--spans") == 0
    phones = [
        item["replacement"]
        for row in read(out_path)
        for item in row["replacements"]
        if item["label"] == "PHONE"
    ]
    assert len(phones) == 2 and len(set(phones)) == 1


def test_processes_agree(run, in_path, out_path):
    write(in_path, *({"text": TEXT + "!" * i, "conversation": i % 3} for i in range(12)))
    assert run(in_path, out_path) == 0
    alone = read(out_path)
    assert run(in_path, out_path, "--n-process", "2", "--batch-size", "2") == 0
    assert read(out_path) == alone


def test_without_key(run, in_path, out_path, monkeypatch, capsys):
    monkeypatch.delenv("SV_DEID_KEY")
    write(in_path, {"text": TEXT})
    assert run(in_path, out_path) == 0
    assert "SV_DEID_KEY is not set" in capsys.readouterr().err


def test_other_fields_survive(run, in_path, out_path):
    lines = ['{"text": "", "n": 12345678901234567890, "s": "\\ud83d", "x": 1e400}\n']
    in_path.write_text(lines[0])
    assert run(in_path, out_path) == 0
    (row,) = read(out_path)
    assert row == {"text": "", "n": 12345678901234567890, "s": "\ud83d", "x": float("inf")}


@pytest.mark.parametrize(
    "args",
    [
        ["in.jsonl", "in.jsonl"],
        ["in.jsonl", "link.jsonl"],
        ["in.jsonl", "out.jsonl", "--rejects", "in.jsonl"],
        ["in.jsonl", "out.jsonl", "--rejects", "out.jsonl"],
        ["missing.jsonl", "out.jsonl"],
        ["in.jsonl", "missing/out.jsonl"],
        ["in.jsonl", "."],
        ["in.jsonl"],
        ["in.jsonl", "out.jsonl", "--strategy", "hide"],
        ["in.jsonl", "out.jsonl", "--threshold", "1.5"],
    ],
)
def test_wrong_usage(run, in_path, monkeypatch, args):
    monkeypatch.chdir(in_path.parent)
    write(in_path, {"text": TEXT})
    before = in_path.read_bytes()
    (in_path.parent / "link.jsonl").symlink_to(in_path)
    assert run(*args, load=None) == 2
    assert in_path.read_bytes() == before
    assert not (in_path.parent / "out.jsonl").exists()


def test_broken_run_leaves_no_output(run, in_path, out_path, monkeypatch, tiny_path):
    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr(cli.Row, "dump", fail)
    write(in_path, {"text": TEXT})
    out_path.write_text("old\n")
    monkeypatch.setattr(sys, "argv", ["sv_deid_chat", str(in_path), str(out_path)])
    with pytest.raises(OSError, match="disk full"):
        cli.main(lambda: spacy.load(tiny_path))
    assert out_path.read_text() == "old\n"
    assert sorted(path.name for path in out_path.parent.iterdir()) == ["in.jsonl", "out.jsonl"]
