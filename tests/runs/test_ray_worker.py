"""A worker of a cluster, without one."""

import json
import pickle
from functools import partial

import pytest
import spacy

from components.runs import index as index_module
from components.runs.blocks import Reader, Task
from components.runs.engines import run_here
from components.runs.in_files import InFile, Sources
from components.runs.index import Index, Plan
from components.runs.ray_worker import Assignment, Worker, forget_tries
from components.runs.result_store import get_block_path
from components.runs.run_settings import Settings
from components.runs.work_folder import JOB, describe_key, digest_pipeline
from components.tables.formats import JSONL, Format
from components.tables.storage import Disk

KEY = "a key for the tests"
CANARY = "Knurvelstocksfnatt"


@pytest.fixture
def files(tmp_path, tiny_path, monkeypatch):
    """Two files, with a conversation that is in both and too long for a block."""
    monkeypatch.setenv("SV_DEID_KEY", KEY)
    monkeypatch.setattr(index_module, "BLOCK_ROWS", 2)
    rows = [
        {"text": f"Hej Anna Lind, {CANARY} {n} år", "conversation": "a" if n % 3 else str(n)}
        for n in range(14)
    ]
    rows[11]["known"] = [{"name": "Karin Berg"}]
    files = []
    for name, part in [("a.jsonl", rows[:9]), ("b.jsonl", rows[9:])]:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in part), encoding="utf8")
        files.append(InFile(str(path), name, Format(JSONL)))
    (tmp_path / "work").mkdir()
    told = {"pipeline": digest_pipeline(spacy.load(tiny_path), KEY.encode())}
    (tmp_path / "work" / JOB).write_text(json.dumps(told))
    return files


@pytest.fixture
def plan(files):
    index = Index()
    for file in files:
        index.add(file.open(), Settings())
    return Plan(index)


@pytest.fixture
def make_worker(files, tiny_path, tmp_path):
    def make(load=None, **changes):
        told = {
            "task": Task(load or partial(spacy.load, tiny_path), Settings()),
            "files": files,
            "sizes": [Disk().get_size(file.path) for file in files],
            "folder": str(tmp_path / "work"),
            "umask": 0o077,
            "keys": {"SV_DEID_KEY": describe_key(KEY.encode())},
            **changes,
        }
        return Worker(pickle.loads(pickle.dumps(Assignment(**told))))

    return make


def test_blocks_are_as_those_of_a_single_process(files, plan, make_worker, tiny_path, tmp_path):
    nlp = spacy.load(tiny_path)
    reader = Reader(Sources(files), plan.index, Settings())
    blocks = [plan.get(number) for number in range(len(plan))]
    assert [len(block.others) for block in blocks] == [1, 1, 0, 0, 0]
    expected = {
        block.number: data
        for block, data in run_here(nlp, Task(lambda: nlp, Settings()), reader.read(blocks))
    }
    worker = make_worker()
    # The last ones first: where a file stands does not matter.
    for block in reversed(blocks):
        index, cut = pickle.loads(pickle.dumps(plan.index.cut(block)))
        assert worker.do(cut, index) == ""
        path = tmp_path / "work" / f"block-{block.number:06}.jsonl"
        assert path.read_bytes() == expected[block.number]


def do(worker, plan, number=0, is_second=False):
    index, block = plan.index.cut(plan.get(number))
    return worker.do(block, index, is_second)


def test_what_is_done_is_not_done_again(plan, make_worker, tmp_path):
    path = tmp_path / "work" / "block-000000.jsonl"
    path.write_bytes(b"done")
    assert do(make_worker(load=None), plan) == ""
    assert path.read_bytes() == b"done"


def load_other(path):
    nlp = spacy.load(path)
    nlp.get_pipe("phi_ner").threshold = 0.3
    return nlp


def test_another_pipeline(plan, make_worker, tiny_path, tmp_path):
    error = do(make_worker(load=partial(load_other, tiny_path)), plan)
    assert "is another one" in error and "install the same wheel" in error
    assert [path.name for path in (tmp_path / "work").iterdir()] == [JOB]


def fail():
    raise ValueError(CANARY)


def test_what_fails_is_told_without_texts(plan, make_worker):
    error = do(make_worker(load=fail), plan)
    assert "failed: ValueError, test_ray_worker.py line" in error
    assert CANARY not in error


@pytest.mark.parametrize(
    "key, reason", [(None, "has no SV_DEID_KEY"), ("x" * 16, "has another SV_DEID_KEY")]
)
def test_the_key_must_be_that_of_the_run(plan, make_worker, monkeypatch, tmp_path, key, reason):
    worker = make_worker()
    monkeypatch.delenv("SV_DEID_KEY")
    if key:
        monkeypatch.setenv("SV_DEID_KEY", key)
    assert reason in do(worker, plan)
    assert [path.name for path in (tmp_path / "work").iterdir()] == [JOB]


def test_an_assignment_holds_no_key(make_worker):
    assert KEY.encode() not in pickle.dumps(make_worker().assignment)


def test_the_work_folder_must_be_seen(plan, make_worker, tmp_path):
    assert "cannot see" in do(make_worker(folder=str(tmp_path / "elsewhere")), plan)


def test_the_input_must_be_the_same(plan, make_worker, files):
    assert "does not find a.jsonl" in do(make_worker(sizes=[1, 1]), plan)


def test_blocks_that_end_workers_are_given_up(plan, make_worker, tmp_path):
    """As long as it is not known that a worker ended on one, nothing is written but what is done."""
    folder = tmp_path / "work"
    for _ in range(2):
        assert "failed" in do(make_worker(load=fail, n_tries=2), plan, is_second=True)
    assert "came to a sudden end on block 0" in do(make_worker(n_tries=2), plan, is_second=True)
    assert do(make_worker(n_tries=2), plan, 1, is_second=True) == ""
    forget_tries(Disk(), str(folder))
    assert sorted(path.name for path in folder.iterdir()) == ["block-000001.jsonl", JOB]
    assert do(make_worker(n_tries=2), plan) == ""
    assert get_block_path(str(folder), 0) in Disk().find(str(folder))
