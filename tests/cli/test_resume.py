"""A run that is stopped at any moment: nothing lost, and another goes on with it."""

import os
import random
import signal
import stat
import time

import pytest

from .conftest import KEY, make_rows, read_jsonl, set_run, write_jsonl


@pytest.fixture
def in_path(tmp_path):
    return write_jsonl(tmp_path / "in.jsonl", make_rows(200, 40))


@pytest.fixture
def work_path(tmp_path):
    return tmp_path / ".out.jsonl.work"


@pytest.fixture
def count(work_path):
    """Counts the blocks that are done."""
    return lambda: len(list(work_path.glob("block-*.jsonl")))


@pytest.fixture
def undisturbed(finish, in_path, tmp_path):
    path = tmp_path / "undisturbed"
    code, said = finish(in_path, path, rows=20)
    assert code == 0, said
    assert said.splitlines()[-1] == "200 rows in, 200 out, 0 rejected."
    return path.read_bytes()


@pytest.fixture
def stopped(start, in_path, count):
    """A run that was killed after a block or two."""

    def stop(*args, n=1, **options):
        run = start(*args, pause=0.02, **options)
        run.wait_for(lambda: count() >= n)
        assert run.stop() == -signal.SIGKILL
        return run

    return stop


def find_processes(group):
    """The processes of a group that are no zombies."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                state, _, own = file.read().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(own) == group and state != "Z":
            found.append(int(name))
    return found


@pytest.mark.parametrize("n_process, n_times", [(1, 3), (2, 2)])
def test_killed_at_random_moments(
    start, finish, undisturbed, in_path, out_path, count, n_process, n_times
):
    """Killed again and again, each time taken up, and the bytes are those of a run that nobody killed."""
    chance = random.Random(n_process)
    args = [in_path, out_path, "--resume", "--n-process", n_process]
    for _ in range(n_times):
        run = start(*args, pause=0.05)
        done = count()
        run.wait_for(lambda done=done: count() > done)
        time.sleep(chance.uniform(0, 0.04))
        assert run.stop() == -signal.SIGKILL
        assert not out_path.exists()
        run.wait_for(lambda run=run: not find_processes(run.pid))
    assert n_times <= count() < 40
    code, said = finish(*args)
    assert code == 0, said
    assert out_path.read_bytes() == undisturbed
    assert said.splitlines()[-1] == "200 rows in, 200 out, 0 rejected."


@pytest.mark.parametrize(
    "number, code, n_process", [(signal.SIGTERM, 143, 1), (signal.SIGINT, 130, 2)]
)
def test_stopped_by_a_signal(
    start, finish, undisturbed, in_path, out_path, count, number, code, n_process
):
    args = [in_path, out_path, "--n-process", n_process]
    run = start(*args, pause=0.05)
    run.wait_for(lambda: count() >= 2)
    if number == signal.SIGINT:  # reaches all, in a terminal
        os.killpg(run.pid, number)
        assert run.wait() == code
    else:
        assert run.stop(number) == code
    assert "rows were done. Go on by the same command with --resume." in run.said
    assert "Traceback" not in run.said and not find_processes(run.pid)
    assert not out_path.exists()
    assert finish(*args, "--resume")[0] == 0
    assert out_path.read_bytes() == undisturbed


def test_a_stream_is_taken_up(start, finish, undisturbed, in_path, out_path, count):
    """If the same comes again."""
    with in_path.open("rb") as file:
        run = start("-", out_path, pause=0.02, stdin=file.fileno())
        run.wait_for(lambda: count() >= 1)
        assert run.stop() == -signal.SIGKILL
    with in_path.open("rb") as file:
        code, said = finish("-", out_path, "--resume", stdin=file.fileno())
    assert code == 0 and out_path.read_bytes() == undisturbed, said


def test_worker_that_is_killed(start, finish, undisturbed, in_path, out_path, count):
    args = [in_path, out_path, "--n-process", 2]
    run = start(*args, pause=0.05)
    run.wait_for(lambda: count() >= 2)
    os.kill(max(find_processes(run.pid)), signal.SIGKILL)
    assert run.wait() == 1
    assert "A process came to a sudden end" in run.said and "--resume" in run.said
    assert "Traceback" not in run.said and not find_processes(run.pid)
    assert finish(*args, "--resume")[0] == 0
    assert out_path.read_bytes() == undisturbed


def test_other_runs_are_refused(
    stopped, finish, undisturbed, in_path, out_path, tmp_path, work_path
):
    """Each for what is other; and the one that was stopped can still be taken up."""
    stopped(in_path, out_path)
    args = [in_path, out_path, "--resume"]
    for more, options, said in [
        ([], {"key": "another key for the tests"}, "another key."),
        (["--strategy", "mask", "--spans"], {}, "other options (spans, strategy)."),
        (set_run(tmp_path, "delimiter = ';'"), {}, "another formats"),
    ]:
        code, told = finish(*args, *more, **options)
        assert code == 2 and said in " ".join(told.split()), told
    code, told = finish(*args, key="")
    assert code == 2 and "--resume needs SV_DEID_KEY" in told
    code, told = finish(in_path, out_path)
    assert code == 2 and "Go on with it (--resume)" in " ".join(told.split())
    data = in_path.read_bytes()
    in_path.write_bytes(data.replace(b"Hej", b"Hoj"))
    code, told = finish(*args)
    assert code == 2 and "other files, or changed ones" in " ".join(told.split())
    in_path.write_bytes(data)
    assert not out_path.exists()
    assert finish(*args)[0] == 0
    assert out_path.read_bytes() == undisturbed and not work_path.exists()


def test_without_a_key_nothing_is_left(start, finish, in_path, out_path, tmp_path, count):
    run = start(in_path, out_path, key="", pause=0.05)
    run.wait_for(lambda: count() >= 1)
    assert run.stop(signal.SIGTERM) == 143
    assert "Without SV_DEID_KEY nothing can go on" in run.said
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_what_a_killed_run_without_a_key_left_is_cleared(
    stopped, finish, in_path, out_path, tmp_path
):
    stopped(in_path, out_path, key="")
    assert finish(in_path, out_path)[0] == 0
    assert len(read_jsonl(out_path)) == 200 and not (tmp_path / ".out.jsonl.work").exists()


def test_two_runs_at_one_time(start, finish, undisturbed, in_path, out_path, count):
    run = start(in_path, out_path, pause=0.1, rows=10)
    run.wait_for(lambda: count() >= 1)
    code, said = finish(in_path, out_path, "--resume")
    assert code == 2 and "Another run is writing this OUT now" in " ".join(said.split())
    assert run.wait() == 0
    assert out_path.read_bytes() == undisturbed


def test_the_key_and_the_texts_are_in_no_file(stopped, in_path, out_path, tmp_path, work_path):
    rows = make_rows(200, 40)
    for row in rows:
        row["text"] += " Knurvelstocksfnatt 070-174 06 05"
    write_jsonl(in_path, rows)
    stopped(in_path, out_path, "--strategy", "mask")
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path != in_path]
    assert any(path.name == "job.json" for path in files)
    data = {path.name: path.read_bytes() for path in files}
    assert not [name for name in data if KEY.encode() in data[name] or b"070-174" in data[name]]
    assert b"Knurvel" not in data["job.json"]


def test_rights(stopped, finish, in_path, out_path, tmp_path, work_path):
    umask = set_run(tmp_path, "umask = '027'")
    stopped(in_path, out_path, *umask)
    assert stat.S_IMODE(work_path.stat().st_mode) == 0o750
    assert not [p for p in work_path.iterdir() if stat.S_IMODE(p.stat().st_mode) & ~0o640]
    assert finish(in_path, out_path, *umask, "--resume")[0] == 0
    assert stat.S_IMODE(out_path.stat().st_mode) == 0o640
