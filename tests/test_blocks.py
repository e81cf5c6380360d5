"""Each block of Python and shell of the pages runs as printed, one behind the other, over the tiny pipeline.

`# Out: …` behind a statement is what it prints, or its value. A block that cannot run here has a line
`<!-- not run: why -->` over it. Commands of the project train: they show only what they would run.
"""

import ast
import contextlib
import getpass
import gzip
import io
import json
import os
import re
import runpy
import shlex
import shutil
import textwrap
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
import spacy
from fastapi.testclient import TestClient
from spacy.cli import app

from components.annotate.store import Store
from components.cli.app import main
from components.frames import own_pipeline
from components.frames.arrow import make_partition_function
from components.serve.app import make_app
from components.serve.pipeline import PipelineQueue
from tests.commands import call
from tests.conftest import ROOT, find_blocks

NAME = "sv_deid_chat"
TEXT = "Hej Anna Lind, ring 070-174 06 05"
ROWS = [{"conversation": "c1", "text": TEXT, "question": "Hur mår Anna?", "answer": "Bra"}] * 2
SPAN = {"start": 4, "end": 13, "label": "PERSON"}
CSV = "conversation,text,question,answer\n1,Hej Anna Lind,Hur mår Anna?,Bra\n"


def make_gold(number):
    rows = [{"id": f"{each}", "text": TEXT, "spans": [SPAN]} for each in range(number)]
    return "".join(json.dumps(row) + "\n" for row in rows)


# What a user has where he begins: the files, and the names in Python.
FILES = {
    "messages.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
    "raw.jsonl": "".join(json.dumps({"text": f"{TEXT[:-1]}{end}"}) + "\n" for end in range(9)),
    "raw.txt": f"{TEXT}\n",
    "theirs.conll": "Hej O\nAnna B-PER\nLind I-PER\n",
    **dict.fromkeys(("my_gold", "theirs", "my_messages", "anna", "bo"), make_gold(1)),
    # Of fewer no leak rate can be promised.
    "mine": make_gold(60),
    "export.csv": CSV,
    "gateway.toml": "[serve]\npresidio = true\n",
    "allow.txt": "Kry\n",
    "deny.txt": "Bagarn\nTEAM\tblå laget\n",
}
NAMES = {
    "messages": ["Hej", TEXT],
    "conversations": [[TEXT, "lind"], ["Hej"]],
    "make_partition_function": make_partition_function,
}
BLOCK = re.compile(
    r"(^<!-- not run: [^\n]+ -->\n)?^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE
)
RUN = {"bash", "python"}
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


def read_blocks(page):
    """Language and code of each block that is not marked."""
    found = BLOCK.findall(page.read_text("utf8"))
    return [(language, textwrap.dedent(code)) for mark, language, code in found if not mark]


def annotate(*_):
    """In place of the server: what two people do on its page."""
    with contextlib.closing(Store(Path("gold.sqlite"))) as store:
        for layer in (getpass.getuser(), "bo"):
            for place in range(len(store.rows)):
                store.change(store.get(place, layer), [SPAN], status="done")


@pytest.fixture
def scratch(tmp_path, tiny_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SV_DEID_KEY", "a key for the tests")
    monkeypatch.setenv("SV_DEID_SERVE_TOKEN", "a-token-of-the-test")
    for name, text in FILES.items():
        (tmp_path / (name if "." in name else f"{name}.jsonl")).write_text(text, "utf8")
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
    for name in ("assets", "project.yml"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "training/small").mkdir(parents=True)
    (tmp_path / "training/small/model-tuned").symlink_to(tiny_path)
    return tmp_path


def run_shell(code, nlp, names, patch):
    first = []
    for line in code.replace("\\\n", " ").splitlines():
        words = shlex.split(line.partition(" > ")[0], comments=True)
        stdin = b""
        if words[:1] == ["zcat"]:
            with gzip.open(words[1]) as file:
                stdin = file.read()
            words = words[words.index("|") + 1 :]
        if exported := re.match(r"export (\w+)=\$\(python -c \"(.+)\"\)", line):
            patch.setenv(exported[1], run_python(exported[2], names).strip())
        elif words[:1] == ["sv-deid-chat"]:
            status = call(lambda: main(lambda: nlp), *words[1:], stdin=stdin)
            # The tiny pipeline keeps no limit.
            assert status in ((0, 1) if words[1] == "gate" else (0,)), line
        elif words[:4] == ["python", "-m", "spacy", "project"]:
            assert call(app, *words[3:], "--dry") == 0, line
        elif words[:2] == ["python", "-m"] and words[2].startswith("scripts."):
            # `…` is what stands there in the line before.
            if words[3] == "…":
                words[3:4] = first
            else:
                first = words[3:]
            script = partial(runpy.run_module, words[2], run_name="__main__")
            assert call(script, *words[3:]) == 0, line
        else:
            assert not words, f"{line}: run it here, or mark its block"


def run_python(code, names):
    """What it printed."""
    code = re.sub(r"(?<!\")\bsv_deid_chat\b(?:\.components)?", "components", code)
    lines, nodes = code.splitlines(), ast.parse(code).body
    ends = [node.lineno - 1 for node in nodes[1:]] + [len(lines)]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        for node, end in zip(nodes, ends):
            exec(compile(ast.Interactive([node]), "block", "single"), names)  # noqa: S102
            told = re.findall(r"# Out: (.+)", "\n".join(lines[node.lineno - 1 : end]))
            assert out.getvalue().endswith("".join(f"{line}\n" for line in told))
    return out.getvalue()


def test_all_blocks_are_read():
    """Each has a language that is run, or that of a file; and each mark stands over a block."""
    for page in PAGES:
        text = page.read_text("utf8")
        found = BLOCK.findall(text)
        assert len(re.findall("^ *```", text, re.MULTILINE)) == 2 * len(found), page
        assert text.count("<!-- not run") == len([mark for mark, *_ in found if mark]), page
        assert {language for _, language, _ in found} <= {"", *RUN, "json", "toml", "yaml"}, page


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if RUN & {language for language, _ in read_blocks(page)}],
    ids=lambda page: page.name,
)
def test_blocks(page, scratch, make_nlp, monkeypatch):
    nlp = make_nlp()
    load = spacy.load
    monkeypatch.setattr(
        spacy, "load", lambda name, **how: nlp if name == NAME else load(name, **how)
    )
    monkeypatch.setattr(own_pipeline, "_own", [lambda: nlp])
    monkeypatch.setattr(own_pipeline, "_loaded", {})
    monkeypatch.setattr("components.serve.app.run_server", annotate)
    names = {**NAMES, "nlp": nlp}
    service = make_app(PipelineQueue(nlp), os.environ["SV_DEID_SERVE_TOKEN"], version="0")
    with TestClient(service, base_url="http://127.0.0.1:8000") as client:

        def open_url(request):
            headers = dict(request.header_items())
            answer = client.post(request.full_url, content=request.data, headers=headers)
            assert answer.is_success, answer.text
            return io.BytesIO(answer.content)

        monkeypatch.setattr("urllib.request.urlopen", open_url)
        # It takes `post` from the page of the service.
        before = read_blocks(page.with_name("serve.md")) if page.name == "gateway.md" else []
        for language, code in [*before, *read_blocks(page)]:
            if language == "bash":
                run_shell(code, nlp, names, monkeypatch)
            elif language == "python":
                run_python(code, names)
