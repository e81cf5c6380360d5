"""The Ray engine on a cluster of three nodes on this machine, with a CPU each."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import polars as pl
import pytest
import spacy

pytest.importorskip("ray")

from components.cli.app import main
from components.runs import index as index_module
from components.runs import ray_engine
from components.runs.processing import Processor
from components.runs.ray_engine import load_ray
from tests.conftest import ROOT

KEY = "a key for the tests of Ray"
CANARY = "Knurvelstocksfnatt"
TEXTS = [
    "Hej, jag heter Anna Lind och är 34 år.",
    "Ring 070-174 06 05, hälsar Bo",
    f"Anna bor i Lund sen 3 maj, {CANARY}",
]
BLOCK_ROWS = 4
ROWS = [{"id": n, "conversation": str(n % 30), "text": TEXTS[n % 3]} for n in range(96)]
N_BLOCKS = 24
# Seconds: as long as a message of the slow pipeline takes.
SLOWNESS = 0.1


def load_slow(path):
    """The pipeline is the same, its blocks take longer."""
    process = Processor.process

    def go_slow(processor, rows, others=()):
        time.sleep(SLOWNESS * len(rows))
        return process(processor, rows, others)

    Processor.process = go_slow
    return spacy.load(path)


def is_worker():
    return sys.argv[0].endswith("default_worker.py")


def load_and_die(path):
    """The driver's pipeline is whole; those of the workers are their end."""
    if is_worker():
        os._exit(1)
    return spacy.load(path)


@contextmanager
def small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_module, "BLOCK_ROWS", BLOCK_ROWS)
        yield


def drive(load, args):
    """Run the command, and give its exit code."""
    with small_blocks(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["sv_deid_chat", *map(str, args)])
        with pytest.raises(SystemExit) as error:
            main(load, "run")
        return error.value.code


@pytest.fixture(scope="module")
def cluster(s3):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", KEY)
        patch.setenv("PYTHONPATH", str(ROOT))
        load_ray()
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        for _ in range(2):
            cluster.add_node(num_cpus=1)
        patch.setenv("RAY_ADDRESS", cluster.address)
        yield cluster
        cluster.shutdown()


@pytest.fixture
def in_path(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf8")
    return path


@pytest.fixture
def expected(in_path, tiny_path, monkeypatch):
    """What the single process makes of IN."""
    monkeypatch.setenv("SV_DEID_KEY", KEY)
    out_path = in_path.with_name("local.jsonl")
    assert drive(partial(spacy.load, tiny_path), [in_path, out_path]) == 0
    return out_path.read_bytes()


def drive_process(path, *args):
    """What a process of `start_driver` does."""
    sys.exit(drive(partial(load_slow, path), args))


def start_driver(*args):
    code = "import sys; from tests.extras import test_ray; test_ray.drive_process(*sys.argv[1:])"
    return subprocess.Popen([sys.executable, "-c", code, *map(str, args)], cwd=ROOT)


def wait_for(process, out_path, n_done):
    """Wait until so many blocks are done."""
    while get_done(out_path) < n_done:
        assert process.poll() is None
        time.sleep(0.05)


def get_done(out_path):
    return len(list(out_path.with_name(f".{out_path.name}.work").glob("block-*.jsonl")))


def find_workers():
    """The processes of the workers of clusters that this process has begun."""
    parents, names = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            status = (folder / "status").read_text()
            parents[int(folder.name)] = int(re.search(r"PPid:\s*(\d+)", status)[1])
            names[int(folder.name)] = (folder / "cmdline").read_text()
    return [
        pid
        for pid in names
        if names[pid].startswith("ray::") and "Map" in names[pid] and descends(pid, parents)
    ]


def descends(pid, parents):
    while pid and pid != os.getpid():
        pid = parents.get(pid, 0)
    return bool(pid)


def read_logs(session):
    return [path.read_bytes() for path in Path(session).rglob("*") if path.is_file()]


def test_same_bytes_from_any_format(cluster, tiny_path, tmp_path, capfd):
    folder = tmp_path / "in"
    folder.mkdir()
    lines = [json.dumps(row) + "\n" for row in ROWS]
    (folder / "a.jsonl").write_text("".join(lines[:10]), encoding="utf8")
    pl.DataFrame(ROWS[10:20]).write_csv(folder / "b.csv")
    pl.DataFrame(ROWS[20:30]).write_parquet(folder / "c.parquet", row_group_size=4)
    (folder / "d.jsonl").write_text('{"text": 1}\n' + "".join(lines[30:40]), encoding="utf8")
    load = partial(spacy.load, tiny_path)
    assert drive(load, [folder, tmp_path / "local"]) == 1
    capfd.readouterr()
    assert drive(load, [folder, tmp_path / "ray", "--engine", "ray"]) == 1
    told = capfd.readouterr()
    assert "40 rows de-identified" in told.err
    assert CANARY not in told.out + told.err
    assert not re.search("usage stats|Dataset|Traceback", told.out + told.err)
    files = sorted(path.name for path in (tmp_path / "local").iterdir())
    assert files == ["a.jsonl", "b.csv", "c.parquet", "d.jsonl"]
    for name in files:
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "local" / name).read_bytes()
    rejects = [tmp_path / f"{name}.rejects.jsonl" for name in ("local", "ray")]
    assert rejects[0].read_bytes() == rejects[1].read_bytes()
    assert not list(tmp_path.glob(".*.work"))
    logs = read_logs(cluster.head_node.get_session_dir_path())
    assert len(logs) > 5
    assert not [log for log in logs if KEY.encode() in log or CANARY.encode() in log]


def test_kills_of_workers_and_nodes_lose_nothing(cluster, tiny_path, in_path, expected):
    out_path = in_path.with_name("ray.jsonl")
    rng = random.Random(14)
    kills = []
    process = start_driver(tiny_path, in_path, out_path, "--engine", "ray")
    for n_done in range(2, 15, 2):
        wait_for(process, out_path, n_done)
        nodes = [node for node in cluster.list_all_nodes() if node is not cluster.head_node]
        if len(kills) % 3 == 1:
            cluster.remove_node(rng.choice(nodes), allow_graceful=False)
            # The last one is not replaced.
            if len(kills) < 4:
                cluster.add_node(num_cpus=1)
            kills.append("node")
        else:
            os.kill(rng.choice(find_workers()), signal.SIGKILL)
            kills.append("worker")
    assert process.wait() == 0
    assert kills.count("node") == 2
    assert len(kills) == 7
    assert out_path.read_bytes() == expected
    cluster.add_node(num_cpus=1)


def test_kills_of_the_driver_lose_nothing(cluster, tiny_path, in_path, expected):
    """What the single process began, Ray goes on with."""
    out_path = in_path.with_name("ray.jsonl")
    done = []
    for engine, n_done in [("local", 3), ("ray", 8), ("ray", 13)]:
        more = ["--resume"] if done else []
        process = start_driver(tiny_path, in_path, out_path, "--engine", engine, *more)
        wait_for(process, out_path, n_done)
        process.kill()
        process.wait()
        assert not out_path.exists()
        done.append(get_done(out_path))
    assert done == sorted(done)
    assert done[-1] < N_BLOCKS
    args = [in_path, out_path, "--engine", "ray", "--resume"]
    assert drive(partial(spacy.load, tiny_path), args) == 0
    assert out_path.read_bytes() == expected


def test_workers_with_another_key_end_the_run(cluster, tiny_path, in_path, monkeypatch, capfd):
    monkeypatch.setenv("SV_DEID_KEY", "another key than the cluster's")
    out_path = in_path.with_name("ray.jsonl")
    assert drive(partial(spacy.load, tiny_path), [in_path, out_path, "--engine", "ray"]) == 1
    told = capfd.readouterr().err
    assert "has another SV_DEID_KEY than this machine: set it on each node" in told
    assert "another key than the cluster's" not in told
    assert not out_path.exists()


def test_a_block_that_no_worker_survives_ends_the_run(
    cluster, tiny_path, in_path, monkeypatch, capfd
):
    monkeypatch.setattr(ray_engine, "TRIES", 1)
    in_path.write_text('{"text": ""}\n')
    out_path = in_path.with_name("ray.jsonl")
    assert drive(partial(load_and_die, tiny_path), [in_path, out_path, "--engine", "ray"]) == 1
    told = capfd.readouterr().err
    assert "Workers came to a sudden end on block" in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    "address, reason",
    [("ray://127.0.0.1:1", "run the command on a node"), ("127.0.0.1:1", "cannot be reached")],
)
def test_a_cluster_that_is_not_there(tiny_path, in_path, monkeypatch, capfd, address, reason):
    monkeypatch.setenv("SV_DEID_KEY", KEY)
    monkeypatch.setenv("RAY_ADDRESS", address)
    out_path = in_path.with_name("ray.jsonl")
    assert drive(partial(spacy.load, tiny_path), [in_path, out_path, "--engine", "ray"]) == 1
    assert reason in capfd.readouterr().err


@pytest.mark.parametrize(
    "key, args, reason",
    [(None, [], "--engine ray needs SV_DEID_KEY"), (KEY, ["--n-process", "2"], "say --workers")],
)
def test_wrong_usage(tiny_path, in_path, monkeypatch, capsys, key, args, reason):
    monkeypatch.delenv("SV_DEID_KEY", raising=False)
    if key:
        monkeypatch.setenv("SV_DEID_KEY", key)
    out_path = in_path.with_name("ray.jsonl")
    assert drive(partial(spacy.load, tiny_path), [in_path, out_path, "--engine", "ray", *args]) == 2
    assert reason in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert not out_path.exists()
