"""All commands on terminals and pipes that are not UTF-8: characters are replaced, and nothing breaks."""

import io
import json
import sys

import pytest
import spacy

from components.cli.app import main
from components.vault import Vault

TEXT = "Hej Anna Lukić 😊 → ring 070-174 06 05"
GOLD = {"text": TEXT, "spans": [{"start": TEXT.index("070"), "end": len(TEXT), "label": "PHONE"}]}
HELPED = ("explain", "evaluate", "gate", "scan", "deidentify", "restore")
# A command, and what it prints that the encodings lack.
COMMANDS = {
    "explain": [TEXT],
    "explain rules": ["--rules"],
    "evaluate": ["gold→.jsonl", "--threshold", "1"],
    "gate": ["gold→.jsonl", "--threshold", "1", "--min-redact", "1"],
    "scan": ["gold→.jsonl", "--all-columns"],
    "deidentify": ["gold→.jsonl", "out→.jsonl"],
    "deidentify dry": ["gold→.jsonl", "out→.jsonl", "--dry-run", "1"],
    "deidentify wrong": ["→.jsonl", "out→.jsonl"],
    "deidentify reject": ["bad→.jsonl", "out→.jsonl"],
    "restore": ["sealed→.jsonl", "vault.jsonl", "back.jsonl"],
    **{f"{name} help": ["--help"] for name in HELPED},
}
WRONG = {"deidentify wrong": 2, "deidentify reject": 1, "restore": 1}


@pytest.fixture
def run(tiny_path, monkeypatch, tmp_path):
    """Runs a command on streams of an encoding: its exit code, and what it prints on them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SV_DEID_VAULT_KEY", Vault.new_key())
    for name in ("gold", "bad"):
        rows = [GOLD, *([{"text": 1}] if name == "bad" else [])]
        lines = [json.dumps(row) + "\n" for row in rows]
        (tmp_path / f"{name}→.jsonl").write_text("".join(lines), encoding="utf8")
    (tmp_path / "vault.jsonl").touch()
    (tmp_path / "sealed→.jsonl").write_text('{"text": "→"}\n', encoding="utf8")

    def run_command(name, encoding, load=lambda: spacy.load(tiny_path), stdin=b""):
        streams = [io.TextIOWrapper(io.BytesIO(), encoding, "strict") for _ in range(2)]
        monkeypatch.setattr(sys, "stdout", streams[0])
        monkeypatch.setattr(sys, "stderr", streams[1])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding))
        command, *_ = name.split()
        monkeypatch.setattr(sys, "argv", [command, *COMMANDS[name]])
        with pytest.raises(SystemExit) as error:
            main(load, {"deidentify": "run"}.get(command, command))
        for stream in streams:
            stream.flush()
        return error.value.code or 0, *(stream.buffer.getvalue() for stream in streams)

    return run_command


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(run, name):
    code, out, said = run(name, "ascii")
    assert code == WRONG.get(name, 0), said
    assert b"Traceback" not in said and b"Anna" not in said
    if name == "explain":
        assert b"Hej Anna Luki? ? ? ring" in out
    if name == "deidentify dry":
        assert b"Anna" in out


@pytest.mark.parametrize("name", ["explain", "evaluate", "gate", "scan", "deidentify"])
def test_errors_that_nobody_has_thought_of_quote_nothing(run, name):
    def load():
        raise RuntimeError(TEXT)

    code, out, said = run(name, "utf-8", load)
    assert code == 1 and b"Anna" not in out + said
    assert said.decode("utf8").splitlines()[-1].startswith("RuntimeError: please report this.")
    assert "test_terminals.py" in said.decode("utf8")


def test_errors_of_the_system_are_told(run):
    def load():
        raise OSError("there is no such model")

    with pytest.raises(OSError, match="no such model"):
        run("explain", "utf-8", load)


@pytest.mark.parametrize(
    "encoding, written", [("ascii", "utf-8-sig"), ("utf-8", "cp1252"), ("cp1252", "cp1252")]
)
def test_message_from_standard_input(run, monkeypatch, encoding, written):
    monkeypatch.setitem(COMMANDS, "explain", ["-"])
    code, out, said = run("explain", encoding, stdin="Hälsar Åsa".encode(written))
    if written == "cp1252" != encoding:
        assert code == 2 and b"not in UTF-8" in said and b"lsar" not in said
    else:
        assert code == 0 and "Hälsar Åsa".encode(encoding, "replace") in out.splitlines()
