"""The blocks of the pages run as printed, one behind the other, over the tiny pipeline."""

import contextlib
import gzip
import io
import json
import re
import shlex
import shutil

import pyarrow as pa
import pyarrow.parquet
import pytest

from components.cli.app import main
from components.frames import own_pipeline
from components.vault import Vault
from tests.commands import call
from tests.conftest import ROOT, find_blocks

TEXT = "Hej Anna Lind, ring 070-174 06 05"
ROWS = [{"conversation": "c1", "text": TEXT, "question": "Hur mår Anna?", "answer": "Bra"}] * 2
GOLD = {"id": "1", "text": TEXT, "spans": [{"start": 4, "end": 13, "label": "PERSON"}]}
CSV = "conversation,text,question,answer\n1,Hej Anna Lind,Hur mår Anna?,Bra\n"
# What a user has where he begins: the files, and the names in Python.
FILES = {
    "messages.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
    "my_gold.jsonl": json.dumps(GOLD),
    "mine.jsonl": json.dumps(GOLD),
    "theirs.jsonl": json.dumps(GOLD),
    "settled.jsonl": json.dumps(GOLD),
    "export.csv": CSV,
    "allow.txt": "Kry\n",
    "deny.txt": "Bagarn\nTEAM\tblå laget\n",
}
NAMES = {"messages": ["Hej", TEXT], "conversations": [[TEXT, "lind"], ["Hej"]]}
COMMAND = re.compile(r"(?:zcat \S+ \| )?sv-deid-chat ")
# What needs a cluster, a server, or a page.
LEFT = re.compile(r"--engine|chat (?:serve|annotate)|…")
LEFT_PYTHON = re.compile(
    r"post\(|presidio|(?:partition|group)_function|/etc/|generator\.initialize"
)
PAGES = [page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "training.md"]
PAGES += [ROOT / "README.md"]


def find_lines(page):
    lines = "".join(find_blocks(page, "bash")).splitlines()
    return [line for line in lines if COMMAND.match(line) and not LEFT.search(line)]


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SV_DEID_KEY", "a key for the tests")
    monkeypatch.setenv("SV_DEID_VAULT_KEY", Vault.new_key())
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf8")
    (tmp_path / "big.jsonl.gz").write_bytes(gzip.compress(FILES["messages.jsonl"].encode()))
    (tmp_path / "export").mkdir()
    for month in (1, 2):
        (tmp_path / f"export/2024-{month}.csv.gz").write_bytes(gzip.compress(CSV.encode()))
    table = pa.table({"chat_id": ["c1", "c1"], "body": [TEXT, None]})
    pyarrow.parquet.write_table(table, tmp_path / "chats.parquet")
    shutil.copytree(ROOT / "tests" / "cli" / "recipes", tmp_path, dirs_exist_ok=True)
    exec(find_blocks(ROOT / "docs" / "nested.md", "python")[0], {})  # noqa: S102
    classes, python = ROOT / "docs" / "classes.md", ROOT / "docs" / "python.md"
    (tmp_path / "own-patterns.jsonl").write_text(find_blocks(classes, "json")[0], "utf8")
    (tmp_path / "settings.toml").write_text(find_blocks(python, "toml")[0], "utf8")
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if find_lines(page)], ids=lambda p: p.name)
def test_shell(page, scratch, make_nlp, capsys):
    nlp = make_nlp()
    for line in find_lines(page):
        before, _, command = line.rpartition("|")
        piped = (scratch / before.split()[1]).read_bytes() if before else b""
        arguments = shlex.split(command.partition(" > ")[0], comments=True)
        stdin = gzip.decompress(piped) if piped else b""
        code = call(lambda: main(lambda: nlp), *arguments[1:], stdin=stdin)
        # The tiny pipeline keeps no limit.
        assert code in ((0, 1) if arguments[1] == "gate" else (0,)), capsys.readouterr()


def find_python(page):
    return [block for block in find_blocks(page, "python") if not LEFT_PYTHON.search(block)]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if find_python(page)], ids=lambda p: p.name
)
def test_python(page, scratch, make_nlp, monkeypatch):
    nlp = make_nlp()
    monkeypatch.setattr("spacy.load", lambda name, config=None: nlp)
    monkeypatch.setattr(own_pipeline, "_own", [lambda: nlp])
    monkeypatch.setattr(own_pipeline, "_loaded", {})
    names = {**NAMES, "nlp": nlp}
    with contextlib.redirect_stdout(io.StringIO()):
        for block in find_python(page):
            exec(re.sub(r"(?<!\")\bsv_deid_chat\b(?:\.components)?", "components", block), names)  # noqa: S102
