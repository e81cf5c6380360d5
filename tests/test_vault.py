import json
import pickle
import re
import sys
from itertools import pairwise

import pytest
import spacy
from cryptography.fernet import Fernet
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, Span

import components  # noqa: F401
from components import restore
from components.vault import BLOCK, VAULT_FIELD, Vault, VaultError, dump_entry, read_entries

KEY = Vault.new_key()
TEXT = "Hej Anna Berg,\r\n ring 070-123 45 67 😊\n/Anna\u00a0B"
PHI = {"Anna Berg": "PERSON", "070-123 45 67": "PHONE", "Anna\u00a0B": "PERSON"}
MARKED = re.compile("|".join(map(re.escape, PHI)))
NLP = spacy.blank("sv")


def make_doc(strategy: str = "mask") -> Doc:
    """A message without conversation, every entity replaced."""
    bounds = [match.span() for match in MARKED.finditer(TEXT)]
    edges = [0, *(edge for pair in bounds for edge in pair)]
    pieces = [TEXT[a:b] for a, b in pairwise(edges)]
    doc = Doc(NLP.vocab, words=pieces, spaces=[False] * len(pieces))
    doc.ents = [Span(doc, i, i + 1, label=PHI[p]) for i, p in enumerate(pieces) if p in PHI]
    generator = NLP.create_pipe("surrogate_generator", config={"strategy": strategy})
    return generator(doc)


@pytest.fixture
def vault() -> Vault:
    return Vault(KEY)


@pytest.mark.parametrize("strategy", ["label", "mask", "remove"])
def test_restores_byte_for_byte(vault, strategy):
    doc = make_doc(strategy)
    assert doc.text == TEXT and "Anna" not in doc._.deidentified
    restored = vault.restore(doc._.deidentified, vault.seal(doc))
    assert restored.encode("utf8") == TEXT.encode("utf8")


@given(
    st.lists(st.tuples(st.text(max_size=8), st.text(min_size=1, max_size=8)), max_size=6),
    st.sampled_from(["label", "mask", "remove"]),
)
def test_restores_any_text(pairs, strategy):
    words = [word for pair in pairs for word in pair if word]
    doc = Doc(NLP.vocab, words=words, spaces=[False] * len(words))
    doc.ents = [Span(doc, i, i + 1, label="PERSON") for i in range(0, len(words), 2)]
    NLP.create_pipe("surrogate_generator", config={"strategy": strategy})(doc)
    vault = Vault(KEY)
    assert vault.restore(doc._.deidentified, vault.seal(doc)) == doc.text


def test_token_tells_nothing(vault):
    doc = make_doc()
    token = vault.seal(doc)
    assert token.isascii() and not [phi for phi in PHI if phi in token]
    assert vault.seal(doc) != token
    short = NLP("Hej")
    short._.deidentified, short._.replacements = "Hej", []
    # A message with nothing in it is as long as one with something.
    assert len(vault.seal(short)) == len(token) and len(token) > BLOCK


def check_error(call, *args) -> str:
    with pytest.raises(VaultError) as error:
        call(*args)
    said = f"{error.value!r} {error.value.__cause__}"
    assert error.value.__suppress_context__ or error.value.__context__ is None
    for secret in (KEY, "Anna", "070-123", "***"):
        assert secret not in said
    return str(error.value)


def test_without_the_key_nothing(vault):
    doc = make_doc()
    token = vault.seal(doc)
    assert "another key" in check_error(Vault(Vault.new_key()).restore, doc._.deidentified, token)


def test_every_change_of_a_token_is_seen(vault):
    doc = make_doc()
    token = vault.seal(doc)
    other = {**{c: "A" for c in token}, "A": "B"}
    for i in range(0, len(token) - 4, 7):
        changed = token[:i] + other[token[i]] + token[i + 1 :]
        assert "changed" in check_error(vault.restore, doc._.deidentified, changed)
    for broken in ("", "Å", token[:-4], token[4:], None):
        assert "changed" in check_error(vault.restore, doc._.deidentified, broken)


@pytest.mark.parametrize("change", [str.lower, lambda t: t + "\n", lambda t: t[1:], lambda t: ""])
def test_token_fits_its_own_text_only(vault, change):
    doc = make_doc("label")
    token = vault.seal(doc)
    other = change(doc._.deidentified)
    assert "not the one that was sealed" in check_error(vault.restore, other, token)


def test_seals_only_what_can_be_restored(vault):
    doc = NLP("Anna ***")
    assert "surrogate_generator" in check_error(vault.seal, doc)
    doc = make_doc()
    doc._.deidentified += " ***"
    assert "surrogate_generator" in check_error(vault.seal, doc)


@pytest.mark.parametrize("key", [None, ""])
def test_no_key_in_the_environment(monkeypatch, key):
    monkeypatch.delenv("SV_DEID_VAULT_KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("SV_DEID_VAULT_KEY", key)
    assert "SV_DEID_VAULT_KEY" in check_error(Vault.from_environment)


@pytest.mark.parametrize("key", ["short", KEY[:-3], "Å" * 44, 3])
def test_bad_key(monkeypatch, key):
    with pytest.raises(VaultError, match="new_key") as error:
        Vault(key)
    assert str(key) not in str(error.value)


def test_key_of_the_environment(monkeypatch, vault):
    monkeypatch.setenv("SV_DEID_VAULT_KEY", KEY)
    doc = make_doc()
    assert Vault.from_environment().restore(doc._.deidentified, vault.seal(doc)) == TEXT


def test_key_is_nowhere(vault):
    assert KEY not in f"{vault!r} {vault} {NLP.config.to_str()}"
    with pytest.raises(TypeError, match="from_environment"):
        pickle.dumps(vault)


def test_new_keys():
    assert Vault.new_key() != Vault.new_key()
    Fernet(Vault.new_key())


# Files


def test_entries():
    lines = [dump_entry(3, "x"), dump_entry(1, "y")]
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    assert read_entries(lines) == {3: "x", 1: "y"}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([b"Anna\n"], "Line 1"),
        ([dump_entry(1, "x"), b'["Anna"]\n'], "Line 2"),
        ([b'{"row": "Anna", "token": ""}'], "Line 1"),
        ([b"\xff"], "Line 1"),
        ([dump_entry(1, "x"), dump_entry(1, "y")], "row 1 was there"),
    ],
)
def test_bad_entries(lines, said):
    assert said in check_error(read_entries, lines)


@pytest.fixture
def files(tmp_path, monkeypatch, vault):
    """Two de-identified rows and their vault."""
    monkeypatch.setenv("SV_DEID_VAULT_KEY", KEY)
    rows, entries = [], []
    for number, strategy in ((1, "mask"), (3, "label")):
        doc = make_doc(strategy)
        rows.append({"text": doc._.deidentified, "id": "å", VAULT_FIELD: number})
        entries.append(dump_entry(number, vault.seal(doc)))
    (tmp_path / "vault.jsonl").write_bytes(b"".join(entries))
    return tmp_path, rows


@pytest.fixture
def run(files, monkeypatch):
    folder, _ = files

    def run_restore(rows, *args):
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        (folder / "in.jsonl").write_text("\n".join(lines) + "\n", encoding="utf8")
        monkeypatch.chdir(folder)
        names = args or ("in.jsonl", "vault.jsonl", "out.jsonl")
        monkeypatch.setattr(sys, "argv", ["restore", *names])
        with pytest.raises(SystemExit) as error:
            restore.main()
        out_path = folder / "out.jsonl"
        lines = out_path.read_text(encoding="utf8").splitlines() if out_path.exists() else None
        return error.value.code, lines and [json.loads(line) for line in lines]

    return run_restore


def test_restore_file(files, run):
    _, rows = files
    assert run(rows) == (0, [{"text": TEXT, "id": "å"}] * 2)


def test_restore_to_standard_output(files, run, capsysbinary):
    _, rows = files
    assert run(rows, "in.jsonl", "vault.jsonl", "-") == (0, None)
    lines = capsysbinary.readouterr().out.decode("utf8").splitlines()
    assert [json.loads(line) for line in lines] == [{"text": TEXT, "id": "å"}] * 2


def test_restore_part_of_a_file_in_another_order(files, run):
    _, rows = files
    assert run([{**rows[1], "note": "\ud83d"}]) == (
        0,
        [{"text": TEXT, "id": "å", "note": "\ud83d"}],
    )
    assert run(rows[::-1])[1] == [{"text": TEXT, "id": "å"}] * 2


def test_rows_that_fail_stop_no_other(files, run, capsys):
    _, rows = files
    changed = {**rows[0], "text": rows[0]["text"] + " Anna"}
    swapped = {**rows[0], VAULT_FIELD: 3}
    bad = [
        changed,
        swapped,
        {**rows[0], VAULT_FIELD: 2},
        {"text": "Anna"},
        "Anna",
        {"vault": []},
        "[" * 99999,
    ]
    code, out = run([*bad, rows[1]])
    assert code == 1 and out == [{"text": TEXT, "id": "å"}]
    said = capsys.readouterr().err
    assert "1 rows restored, 7 left out" in said and "Anna" not in said
    assert [f"Line {n}:" in said for n in range(1, 9)] == [True] * 7 + [False]


def test_wrong_key(files, run, monkeypatch, capsys):
    monkeypatch.setenv("SV_DEID_VAULT_KEY", Vault.new_key())
    assert run(files[1]) == (1, [])
    assert "another key" in capsys.readouterr().err


@pytest.mark.parametrize(
    "args",
    [
        ["in.jsonl", "vault.jsonl", "in.jsonl"],
        ["in.jsonl", "vault.jsonl", "vault.jsonl"],
        ["in.jsonl", "in.jsonl", "out.jsonl"],
        ["in.jsonl", "missing.jsonl", "out.jsonl"],
        ["in.jsonl", "vault.jsonl", "missing/out.jsonl"],
    ],
)
def test_wrong_usage(files, run, args):
    folder, rows = files
    before = (folder / "vault.jsonl").read_bytes()
    assert run(rows, *args) == (2, None)
    assert (folder / "vault.jsonl").read_bytes() == before


def test_no_key(files, run, monkeypatch):
    monkeypatch.delenv("SV_DEID_VAULT_KEY")
    assert run(files[1]) == (2, None)
