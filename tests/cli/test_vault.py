import json
import pickle
import re
from functools import partial
from itertools import pairwise, permutations, product

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, Span

import components  # noqa: F401
from components.cli import restore_command as restore
from components.cli.app import main
from components.cli.restore_command import restore_row
from components.runs.processing import Message, Processor
from components.runs.rows import read_row
from components.runs.run_settings import Settings
from components.tables.jsonl import JsonRecord
from components.vault import BLOCK, VAULT_FIELD, Vault, VaultError, dump_entry, read_entries
from tests.cases import cases, read_cases
from tests.commands import call
from tests.strategies import json_values

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
    return replace(doc, strategy)


def replace(doc: Doc, strategy: str = "mask") -> Doc:
    config = {"strategy": strategy, "required": []}
    return NLP.create_pipe("surrogate_generator", config=config)(doc)


@pytest.fixture
def vault() -> Vault:
    return Vault(KEY)


@given(
    st.lists(st.tuples(st.text(max_size=8), st.text(min_size=1, max_size=8)), max_size=6),
    st.sampled_from(["label", "mask", "remove", "keep"]),
)
def test_restores_any_text(pairs, strategy):
    words = [word for pair in pairs for word in pair if word]
    doc = Doc(NLP.vocab, words=words, spaces=[False] * len(words))
    doc.ents = [Span(doc, i, i + 1, label="PERSON") for i in range(0, len(words), 2)]
    replace(doc, strategy)
    vault = Vault(KEY)
    assert vault.restore(doc._.deidentified, vault.seal(doc)) == doc.text


def test_what_is_kept_is_not_sealed(vault, monkeypatch):
    """It stands in the text as it is: there is nothing to restore."""
    sealed = []
    monkeypatch.setattr(vault._fernet, "encrypt", lambda data: sealed.append(data) or b"token")
    vault.seal(make_doc("keep"))
    vault.seal(make_doc("mask"))
    kept, masked = ([o[2] for o in json.loads(data)["originals"]] for data in sealed)
    assert not kept and masked


def test_token_tells_nothing(vault):
    doc = make_doc()
    token = vault.seal(doc)
    assert token.isascii() and not [phi for phi in PHI if phi in token]
    assert vault.seal(doc) != token
    short = NLP("Hej")
    short._.deidentified, short._.replacements = "Hej", []
    # A message with nothing in it is as long as one with something.
    assert len(vault.seal(short)) == len(token) and len(token) > BLOCK


def check_error(call, *args, **kwargs) -> str:
    with pytest.raises(VaultError) as error:
        call(*args, **kwargs)
    said = f"{error.value!r} {error.value.__cause__}"
    assert error.value.__suppress_context__ or error.value.__context__ is None
    for secret in (KEY, "Anna", "070-123", "***"):
        assert secret not in said
    return str(error.value)


ROW = {"row": "run-1", "fields": {"id": 1, "more": {"b": [1.5, None], "a": "å"}}}
OTHER_FIELDS = [
    None, {"id": 1}, {**ROW["fields"], "id": 2}, {**ROW["fields"], "id": "1"},
    {"id": ROW["fields"]["more"], "more": 1}, {"di": 1, "more": ROW["fields"]["more"]},
    {**ROW["fields"], "more": {"b": [1.5], "a": "å"}},
]  # fmt: skip


def test_token_is_that_of_one_row(vault):
    """Of its text, its number and its fields, and of one key."""
    doc = make_doc("label")
    token, text = vault.seal(doc, **ROW), doc._.deidentified
    assert "another key" in check_error(Vault(Vault.new_key()).restore, text, token, **ROW)
    for other in (text.lower(), text + "\n", text[1:], ""):
        assert "not the one that was sealed" in check_error(vault.restore, other, token, **ROW)
    for row, changed in product(["", "run-2", "nur-1", "run-11"], [True, False]):
        other = {**ROW, "row": row, "fields_changed": changed}
        assert "for another row" in check_error(vault.restore, text, token, **other)
    for fields in OTHER_FIELDS:
        said = check_error(vault.restore, text, token, "run-1", fields)
        assert "other fields" in said and "--fields-changed" in said
        assert vault.restore(text, token, "run-1", fields, fields_changed=True) == TEXT
    # They may come in another order and be more.
    fields = {"new": 1, "more": {"a": "å", "b": [1.5, None]}, "id": 1}
    assert vault.restore(text, token, "run-1", fields) == TEXT
    assert vault.restore(text, vault.seal(doc), fields=fields) == TEXT


def test_every_change_of_a_token_is_seen(vault):
    doc = make_doc()
    token = vault.seal(doc)
    other = {**{c: "A" for c in token}, "A": "B"}
    changed = [token[:i] + other[token[i]] + token[i + 1 :] for i in range(0, len(token) - 4, 7)]
    for broken in [*changed, "", "Å", token[:-4], token[4:], None]:
        assert "changed" in check_error(vault.restore, doc._.deidentified, broken)
    for content in ({"originals": []}, [], "Anna"):
        token = vault._fernet.encrypt(json.dumps(content).encode("ascii")).decode("ascii")
        assert "another version" in check_error(vault.restore, doc._.deidentified, token)


def test_seals_only_what_can_be_restored(vault):
    for value in ({1, 2}, {1: 1, "1": 2}):
        assert "JSON" in check_error(vault.seal, make_doc(), fields={"Anna": value})
    doc = NLP("Anna ***")
    assert "surrogate_generator" in check_error(vault.seal, doc)
    doc._.deidentified, doc._.replacements = "", []
    assert "surrogate_generator" in check_error(vault.seal, doc)
    doc = make_doc()
    doc._.deidentified += " ***"
    assert "surrogate_generator" in check_error(vault.seal, doc)


def test_keys(monkeypatch, vault):
    monkeypatch.delenv("SV_DEID_VAULT_KEY", raising=False)
    assert "SV_DEID_VAULT_KEY" in check_error(Vault.from_environment)
    monkeypatch.setenv("SV_DEID_VAULT_KEY", "")
    assert "SV_DEID_VAULT_KEY" in check_error(Vault.from_environment)
    for key in ("short", KEY[:-3], "Å" * 44, 3):
        with pytest.raises(VaultError, match="new_key") as error:
            Vault(key)
        assert str(key) not in str(error.value)
    assert KEY not in f"{vault!r} {vault} {NLP.config.to_str()}"
    with pytest.raises(TypeError, match="from_environment"):
        pickle.dumps(vault)


# Files


def test_entries():
    lines = [dump_entry("a-3", "x"), dump_entry("a-1", "y")]
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    assert read_entries(lines) == {"a-3": "x", "a-1": "y"}


@pytest.mark.parametrize(
    ("lines", "said"), [*read_cases(__file__)["test_bad_entries"], ([b"[" * 99999], "Line 1")]
)
def test_bad_entries(lines, said):
    assert said in check_error(read_entries, lines)


RUN = "0123456789abcdef"
ARGS = ("in.jsonl", "vault.jsonl", "out.jsonl")


def make_rows(vault, run=RUN, n=2):
    """De-identified rows with one output, and the lines of their vault."""
    rows, entries = [], []
    for number in range(1, n + 1):
        doc = make_doc("mask")
        fields = {"id": "å", "n": number}
        reference = f"{run}-{number}"
        rows.append({"text": doc._.deidentified, **fields, VAULT_FIELD: reference})
        entries.append(dump_entry(reference, vault.seal(doc, reference, fields)))
    return rows, entries


@pytest.fixture
def files(tmp_path, monkeypatch, vault):
    """Two de-identified rows and their vault."""
    monkeypatch.setenv("SV_DEID_VAULT_KEY", KEY)
    rows, entries = make_rows(vault)
    (tmp_path / "vault.jsonl").write_bytes(b"".join(entries))
    return tmp_path, rows


RESTORED = [{"text": TEXT, "id": "å", "n": 1}, {"text": TEXT, "id": "å", "n": 2}]


@pytest.fixture
def run(files, monkeypatch):
    folder, _ = files

    def run_restore(rows, *args):
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        (folder / "in.jsonl").write_text("\n".join(lines) + "\n", encoding="utf8")
        monkeypatch.chdir(folder)
        code = call(partial(main, None, "restore"), *(args or ARGS))
        out_path = folder / "out.jsonl"
        lines = out_path.read_text(encoding="utf8").splitlines() if out_path.exists() else None
        return code, lines and [json.loads(line) for line in lines]

    return run_restore


def test_restore_to_a_file_or_standard_output(files, run, capsysbinary):
    folder, rows = files
    assert run(rows) == (0, RESTORED)
    assert (folder / "out.jsonl").stat().st_mode & 0o777 == 0o600
    (folder / "out.jsonl").unlink()
    assert run(rows, "in.jsonl", "vault.jsonl", "-") == (0, None)
    lines = capsysbinary.readouterr().out.decode("utf8").splitlines()
    assert [json.loads(line) for line in lines] == RESTORED


def test_restore_part_of_a_file_in_another_order(files, run):
    _, rows = files
    assert run([{"note": "\ud83d", **rows[1]}]) == (0, [{"note": "\ud83d", **RESTORED[1]}])
    assert run(rows[::-1]) == (2, [{"note": "\ud83d", **RESTORED[1]}])
    assert run(rows[::-1], *ARGS, "--overwrite") == (0, RESTORED[::-1])


def test_rows_that_fail_stop_no_other(files, run, capsys):
    _, rows = files
    bad = [
        {**rows[0], "text": rows[0]["text"] + " Anna"}, {**rows[0], VAULT_FIELD: f"{RUN}-3"},
        {**rows[0], VAULT_FIELD: 1}, {**rows[0], VAULT_FIELD: "Anna"},
        {**rows[0], VAULT_FIELD: "900101-2385"}, {**rows[0], "text": None}, {"text": "Anna"},
        "Anna", {"vault": []}, "[" * 99999,
    ]  # fmt: skip
    code, out = run([*bad, rows[1]])
    assert code == 1 and out == RESTORED[1:]
    said = capsys.readouterr().err
    assert "1 rows restored, 10 left out" in said
    assert "Anna" not in said and "2385" not in said
    lines = said.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == [
        f"Line 1, row {RUN}-1", f"Line 2, row {RUN}-3", *(f"Line {n}" for n in (3, 4, 5)),
        f"Line 6, row {RUN}-1", *(f"Line {n}" for n in range(7, 11)),
    ]  # fmt: skip


@pytest.mark.parametrize("more", [[], ["--fields-changed"]])
def test_two_runs_do_not_mix(files, run, vault, capsys, more):
    """The same messages twice: the same rows, the same texts, another run."""
    folder, rows = files
    path = folder / "vault.jsonl"
    _, entries = make_rows(vault, run="f" * 16)
    path.write_bytes(b"".join(entries))
    assert run(rows, *ARGS, *more) == (1, [])
    assert f"Line 2, row {RUN}-2: the vault has no token" in capsys.readouterr().err
    renamed = [line.replace(b"f" * 16, RUN.encode(), 1) for line in entries]
    path.write_bytes(b"".join(renamed))
    assert run(rows, *ARGS, *more) == (1, [])
    assert f"Line 2, row {RUN}-2: The token was sealed for" in capsys.readouterr().err


def test_fields_changed(files, run, capsys):
    _, (one, two) = files
    rows = [{**one, "n": 7}, {"text": two["text"], VAULT_FIELD: two[VAULT_FIELD]}]
    assert run(rows) == (1, [])
    assert "--fields-changed" in capsys.readouterr().err
    assert run(rows, *ARGS, "--fields-changed") == (
        0,
        [{"text": TEXT, "id": "å", "n": 7}, {"text": TEXT}],
    )
    changed = {**rows[0], "text": "Anna"}
    assert run([changed], *ARGS, "--fields-changed", "--overwrite") == (1, [])


@given(st.data(), st.integers(1, 4), st.sampled_from(["tokens", "references"]))
def test_every_exchange_is_refused(data, n, exchanged):
    """A row is restored to what it was, or refused."""
    vault = Vault(KEY)
    rows, entries = [], {}
    for number in range(n):
        text = data.draw(st.sampled_from(["Anna", "Bo"]))
        doc = Doc(NLP.vocab, words=[text], spaces=[False])
        doc.ents = [Span(doc, 0, 1, label="PERSON")]
        replace(doc)
        fields = {"n": number, "original": text}
        reference = f"{RUN}-{number}"
        rows.append({"text": doc._.deidentified, **fields, VAULT_FIELD: reference})
        entries[reference] = vault.seal(doc, reference, fields)
    order = data.draw(st.sampled_from([*permutations(range(n))]))
    if exchanged == "tokens":
        tokens = [*entries.values()]
        entries = {reference: tokens[i] for reference, i in zip(entries, order)}
    else:
        references = [*entries]
        rows = [{**row, VAULT_FIELD: references[i]} for row, i in zip(rows, order)]
    for number, fields in enumerate(rows):
        if order[number] == number:
            row = restore.restore_row(fields, entries, vault, "text")
            assert row["text"] == row["original"]
        else:
            check_error(restore.restore_row, fields, entries, vault, "text")


TAKEN = ("text", "other", "known", "replacements", VAULT_FIELD)


NAMES = st.text().filter(lambda name: name not in TAKEN)


@given(st.dictionaries(NAMES, json_values(st.text(), st.floats()), max_size=3))
def test_any_fields_come_back(fields):
    """Whatever JSON can hold is the same after it was written and read again."""
    vault = Vault(KEY)
    doc = make_doc()
    line = JsonRecord(0, 1, json.dumps({**fields, "text": TEXT}).encode("ascii"))
    settings = Settings(conversation_field="other", spans=True, vault_field=VAULT_FIELD)
    row = read_row(line, 1, settings)
    before = json.dumps(line.get_values())
    processor = Processor(None, settings, vault, RUN)
    result = processor._take(row, [Message(row, "text", doc)], {})
    written = json.loads(line.edit(result.changes, ["known"]))
    back = restore.restore_row(written, dict([result.entry]), vault, "text")
    assert back.pop("replacements") == doc._.replacements
    assert json.dumps(back) == before


def test_wrong_key(files, run, monkeypatch, capsys):
    monkeypatch.setenv("SV_DEID_VAULT_KEY", Vault.new_key())
    assert run(files[1]) == (1, None)
    (line,) = capsys.readouterr().err.splitlines()
    assert "vault.jsonl was sealed with another key" in line
    monkeypatch.delenv("SV_DEID_VAULT_KEY")
    assert run(files[1]) == (2, None)
    row = {"id": 1, "text": None}
    assert restore_row(row, {}, Vault(KEY), "text", False) == row


def test_many_rows_of_one_reason(files, run, capsys):
    _, rows = files
    assert run([*rows, *[{"text": "Anna"}] * 4711]) == (1, RESTORED)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("Line 3: ") and len(lines) == 12
    assert lines[10].startswith("4701 more rows: not a JSON object with")
    assert lines[11] == "2 rows restored, 4711 left out."


def test_other_fields_are_restored_to_the_byte(files, run):
    folder, rows = files
    line = json.dumps(rows[0], separators=(" ,", "  : "))[:-1] + ' ,"more"  : 1E3,"\\u00e5": 1.0}'
    assert run([line])[0] == 0
    text, vault = (json.dumps(value) for value in (rows[0]["text"], rows[0][VAULT_FIELD]))
    back = line.replace(text, json.dumps(RESTORED[0]["text"], ensure_ascii=False))
    back = back.replace(f' ,"{VAULT_FIELD}"  : {vault}', "")
    assert (folder / "out.jsonl").read_text(encoding="utf8") == back + "\n"


@cases
def test_wrong_usage(files, run, args):
    folder, rows = files
    before = (folder / "vault.jsonl").read_bytes()
    assert run(rows, *args) == (2, None)
    assert (folder / "vault.jsonl").read_bytes() == before


def test_not_jsonl(files, run, capsys):
    assert run(["text;vault", f"Anna;{RUN}-1"]) == (2, None)
    said = capsys.readouterr().err
    assert "one JSON object a line" in said and "Anna" not in said
