"""The recipes of docs/nested.md, over exports that were made for it: nothing but texts is another one."""

import json
import re
import shlex
import shutil

import pytest

from components.vault import Vault
from tests.cases import cases
from tests.conftest import ROOT, find_blocks

from .conftest import make_rows, read_jsonl

PAGE = ROOT / "docs" / "nested.md"
RECIPES = dict(
    re.findall(r"<!-- recipe (\S+) -->\n```bash\nsv-deid-chat run (.*)\n", PAGE.read_text("utf8"))
)
STRING = r'"(?:[^"\\]|\\.)*"'
# For each recipe what its texts are, and what is left out of it, as it stands in the file.
TEXTS = {
    "desk.json": rf'(?:"(?:body|from)": {STRING})|"sent": \d+',
    "known.ndjson": rf'"contentString": {STRING}|"(?:sent|display)": "(?!pseud)[^"]+"|"data": "SG[^"]+"',
    "QuestionnaireResponse.ndjson": rf'"valueString":{STRING}|"authored":{STRING}',
    "chat.txt": r"\d{4}-\d\d-\d\d|(?<=[-\]] )[^:\n]+(?=: )|(?<=: )[^\r\n]+|^Ring .*",
}
GONE = {
    "desk.json": rf'"name": {STRING}, "phone": {STRING}(?:, )?',
    "known.ndjson": r', "known": (?:\[.*?\}\]|null)(?=, "meta")|(?<=\]), "known": \[.*?\}\](?=[,}])',
}


@pytest.fixture
def recipe(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SV_DEID_VAULT_KEY", Vault.new_key())
    for path in (ROOT / "tests" / "cli" / "recipes").iterdir():
        shutil.copy(path, tmp_path)
    (join,) = find_blocks(PAGE, "python")
    exec(join, {})  # noqa: S102
    return tmp_path


@pytest.mark.parametrize("name", RECIPES)
def test_all_but_the_texts_stays_to_the_byte(finish, recipe, name):
    in_path, out_name, *options = shlex.split(RECIPES[name])
    code, said = finish(in_path, out_name, *options)
    assert code == 0, said
    before = (recipe / in_path).read_bytes().decode()
    after = (recipe / out_name).read_bytes().decode()
    assert "Anna" in before and not re.search(r"Anna|Lind\b|070-174 06 05|Bo Ek", after), after
    if name in GONE:
        before, n_gone = re.subn(GONE[name], "", before)
        assert n_gone == (2 if name == "desk.json" else 3)
    texts = re.compile(TEXTS[name], re.MULTILINE)
    assert len(texts.findall(before)) > 3
    assert texts.sub("#", after) == texts.sub("#", before)


PATHS = ["--text-path", "messages[*].text", "--strategy", "label"]


def make_documents(n):
    return [
        {"id": i, "messages": [{"text": row["text"]} for row in make_rows(4)[: i % 4]]}
        for i in range(n)
    ]


def test_a_document_comes_out_whole_or_not_at_all(finish, tmp_path):
    """In place of a text that cannot be processed, the whole document is named, text by text."""
    rows = make_documents(4)
    rows[2]["messages"][1]["text"] = "Hej \ud800"
    in_path, out_path = tmp_path / "in.json", tmp_path / "out.json"
    in_path.write_text(json.dumps(rows, indent=1), "utf8")
    code, said = finish(in_path, out_path, *PATHS, "--spans", "--report", "report.json")
    assert code == 1 and "7 rows in, 5 out, 2 rejected." in said, said
    out = json.loads(out_path.read_text("utf8"))
    assert [row["id"] for row in out] == [0, 1, 3]
    assert out[2]["messages"][1]["text"] == "Hej [PERSON], ring [PHONE] eller hälsa [PERSON]"
    assert [*out[2]["replacements"]] == [f"$.messages[{n}].text" for n in range(3)]
    assert [each["label"] for each in out[2]["replacements"]["$.messages[1].text"]] == [
        "PERSON", "PHONE", "PERSON"
    ]  # fmt: skip
    assert "replacements" not in out[0]
    assert read_jsonl(tmp_path / "out.json.rejects.jsonl") == [
        {"line": 14, "path": "$.messages[0].text", "reason": "another text of its document is rejected"},
        {"line": 14, "path": "$.messages[1].text",
         "reason": "field 'messages[*].text' holds a lone UTF-16 surrogate"},
    ]  # fmt: skip
    report = json.loads((tmp_path / "report.json").read_text("utf8"))
    assert report["counts"]["rows"] == 5 and sum(report["counts"]["rejected"].values()) == 2


@pytest.mark.parametrize("shape", ["lines", "list"])
def test_a_stopped_run_goes_on(start, finish, tmp_path, shape):
    in_path, out_path = tmp_path / "in.json", tmp_path / "out.json"
    rows = [json.dumps(row, ensure_ascii=False) for row in make_documents(80)]
    in_path.write_text("\n".join(rows) if shape == "lines" else f"[{', '.join(rows)}]", "utf8")
    assert finish(in_path, "whole.json", *PATHS, rows=20)[0] == 0
    run = start(in_path, out_path, *PATHS, rows=20, pause=0.05)
    run.wait_for(lambda: len([*tmp_path.glob(".out.json.work/block-*")]) >= 2)
    run.stop()
    assert not out_path.exists()
    code, said = finish(in_path, out_path, *PATHS, "--resume", "--n-process", 2, rows=20)
    assert code == 0, said
    assert out_path.read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_a_list_of_rows_needs_no_path(finish, tmp_path):
    rows = make_rows(6)
    (tmp_path / "in.json").write_text(json.dumps(rows, indent=2), "utf8")
    assert finish("in.json", "out.json", "--strategy", "label")[0] == 0
    new = [{**row, "text": "Hej [PERSON], ring [PHONE] eller hälsa [PERSON]"} for row in rows]
    assert (tmp_path / "out.json").read_text("utf8") == json.dumps(
        new, indent=2, ensure_ascii=False
    )


@cases
def test_wrong_paths(finish, recipe, args, said):
    """Nothing is written, and what to write instead is said."""
    code, told = finish("desk.json", "out.json", *args, load=None)
    assert code == 2 and said in " ".join(told.split()), told
    assert not [*recipe.glob("*out.json*")]
    assert "Anna" not in told


def test_columns_beside_are_named_by_their_paths(finish, recipe):
    body = ["--text-path", "conversations[*].messages[*].body"]
    code, said = finish("desk.json", "out.json", *body)
    assert code == 0
    for name in ("messages[*].from", "customer.name", "customer.phone"):
        assert f"(in JSON --text-field 'conversations[*].{name}'" in " ".join(said.split()), said
