"""The command line, over the tiny pipeline."""

import io
import json
import os
import sys
from threading import Thread

import pytest
import spacy
from spacy.language import Language

from components import cli, restore
from components import rows as rows_module
from components.vault import Vault

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
    monkeypatch.setattr(rows_module, "CHUNK_ROWS", 3)
    rows = [
        {"id": i, "text": TEXT + " hej" * (7 * i % 5), "more": [1.5, None, "å"]} for i in range(10)
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
    assert run(in_path, out_path, "--spans", "--threshold", 1) == 0
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


KNOWN = [{"name": "Vera Knurvel", "phone": "0701740605"}]


@pytest.mark.parametrize("n_process", [1, 2])
def test_known_participants(run, in_path, out_path, n_process):
    rows = [
        {"text": "hej knurvel", "conversation": 1, "n": 1},
        {"text": None, "conversation": 1, "known": KNOWN},
        {"text": "+46 70 174 06 05 mvh vera", "conversation": 1, "known": None},
        {"text": "knurvel", "conversation": 2},
        {"text": "knurvel vera", "known": {"PERSON": ["Knurvel"]}, "n": 2},
        {"text": "knurvel"},
    ]
    write(in_path, *rows)
    args = ["--strategy", "label", "--threshold", 1, "--n-process", n_process]
    assert run(in_path, out_path, *args) == 1
    assert read(out_path) == [
        {"text": "hej [PERSON]", "conversation": 1, "n": 1},
        {"text": "[PHONE] mvh [PERSON]", "conversation": 1},
        {"text": "knurvel", "conversation": 2},
        {"text": "[PERSON] vera", "n": 2},
        {"text": "knurvel"},
    ]
    assert "nurvel" not in get_rejects_path(out_path).read_text()


def test_other_known_field(run, in_path, out_path):
    write(in_path, {"text": "Hej knurvel", "known": "x", "who": KNOWN})
    assert run(in_path, out_path, "--known-field", "who", "--strategy", "mask") == 0
    (row,) = read(out_path)
    assert row.keys() == {"text", "known"}
    assert "knurvel" not in row["text"]


def test_conversation_with_unreadable_participants_is_rejected(run, in_path, out_path):
    rows = [
        {"text": "Hej", "conversation": 1},
        {"text": "Hej", "conversation": 1, "known": [{"nmae": "Knurvel"}]},
        {"text": "Hej", "conversation": 2},
    ]
    write(in_path, *rows)
    assert run(in_path, out_path) == 1
    assert [row["conversation"] for row in read(out_path)] == [2]
    first, second = read(get_rejects_path(out_path))
    assert first == {"line": 1, "reason": "the participants of line 2 cannot be read"}
    assert second["reason"].startswith("field 'known': What is known of participant 1 has an unkno")
    assert "Knurvel" not in second["reason"]


def test_known_needs_its_pipe(run, in_path, out_path, tiny_path):
    write(in_path, {"text": "Hej", "known": KNOWN}, {"text": "Hej"})
    assert run(in_path, out_path, load=lambda: spacy.load(tiny_path, exclude="known_matcher")) == 1
    assert len(read(out_path)) == 1


@pytest.mark.parametrize("n_process", [1, 2])
def test_conversation_tells_of_earlier_rows(run, in_path, out_path, monkeypatch, n_process):
    """Also where a chunk would end, and where a row between them is rejected."""
    monkeypatch.setattr(rows_module, "CHUNK_ROWS", 2)
    rows = [{"text": "annna.k ringer", "conversation": 1} for _ in range(5)]
    rows += [{"text": 7, "conversation": 1}, {"text": "Nås på 070-174 06 05", "conversation": 1}]
    rows += [{"text": "kl 70 174 0605, 1", "conversation": c} for c in (1, 2, None)]
    write(in_path, *rows)
    args = ["--strategy", "label", "--threshold", 1, "--n-process", n_process, "--batch-size", 2]
    assert run(in_path, out_path, *args) == 1
    assert [row["text"] for row in read(out_path)[5:]] == [
        "Nås på [PHONE]", "kl [PHONE], 1", "kl 70 174 0605, 1", "kl 70 174 0605, 1"
    ]  # fmt: skip


def test_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr(rows_module, "CHUNK_ROWS", 3)
    monkeypatch.setattr(rows_module, "CHUNK_GROWTH", 3)
    path = tmp_path / "in.jsonl"
    ids = [1, 2, 2, 2, 2, 3, 3, None, None, None, None] + [4] * 12 + [5]
    rows = [{"text": "", "conversation": id_} for id_ in ids]
    rows[11]["known"] = {"name": "Vera"}
    write(path, *rows)
    with path.open("rb") as file:
        chunks = list(rows_module.read_chunks(file, "text", "conversation", "known"))
    found = [[row.conversation for row in chunk] for chunk in chunks]
    assert [id_ for chunk in found for id_ in chunk] == [id_ and str(id_) for id_ in ids]
    assert [len(chunk) for chunk in found] == [5, 3, 3, 9, 3, 1]
    # The rest of a conversation that is too long still knows its participants.
    known = [rows_module.get_known(group) for group in rows_module.get_conversations(chunks[4])]
    assert known == [{"PERSON": ["Vera"]}]


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
        ["in.jsonl", "out.jsonl", "--rejects", "-"],
        ["in.jsonl", "out.jsonl", "--vault", "-"],
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


@pytest.fixture
def vault_path(tmp_path, monkeypatch):
    monkeypatch.setenv("SV_DEID_VAULT_KEY", Vault.new_key())
    return tmp_path / "vault.jsonl"


def test_vault_leads_back(run, in_path, out_path, vault_path, tmp_path, monkeypatch):
    rows = [{"text": TEXT + "!" * i, "conversation": i % 3, "note": "å"} for i in range(6)]
    write(in_path, *rows[:3], {"txt": ""}, *rows[3:])
    assert run(in_path, out_path, "--vault", vault_path, "--threshold", 1) == 1
    out = read(out_path)
    assert [row["vault"] for row in out] == [1, 2, 3, 5, 6, 7]
    for phi in PHI:
        assert phi not in vault_path.read_text() + out_path.read_text(encoding="utf8")
    back_path = tmp_path / "back.jsonl"
    monkeypatch.setattr(sys, "argv", ["restore", *map(str, (out_path, vault_path, back_path))])
    with pytest.raises(SystemExit) as error:
        restore.main()
    assert error.value.code == 0
    assert read(back_path) == rows


def test_vault_needs_its_key_and_its_field(run, in_path, out_path, vault_path, monkeypatch):
    write(in_path, {"text": TEXT, "vault": "Anna"})
    assert run(in_path, out_path, "--vault", vault_path) == 1
    (reject,) = read(get_rejects_path(out_path))
    assert reject["reason"] == "field 'vault' is taken: the vault needs it"
    assert run(in_path, out_path, "--vault", in_path, load=None) == 2
    monkeypatch.delenv("SV_DEID_VAULT_KEY")
    assert run(in_path, out_path, "--vault", vault_path, load=None) == 2


def test_no_vault_by_default(run, in_path, out_path):
    write(in_path, {"text": TEXT})
    assert run(in_path, out_path) == 0
    assert "vault" not in read(out_path)[0]
    assert sorted(path.name for path in out_path.parent.iterdir()) == ["in.jsonl", "out.jsonl"]
