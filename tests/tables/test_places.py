"""Files of the command lines: their own, whole or not there, and nobody else's to read."""

import io
import os
import signal
import stat
import sys

import pytest

from components.tables.places import STDIO, Place


def kill_while_writing(path, content=b"half"):
    """Write to a file in a process of its own, which is killed in the middle of it."""
    pid = os.fork()
    if not pid:
        try:
            with Place(str(path)).create() as file:
                file.write(content)
                file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL


def get_mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out.jsonl"


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_owner_only_from_the_start(path, umask):
    path.write_text("old")
    path.chmod(0o644)
    before = os.umask(umask)
    try:
        with Place(str(path)).create() as file:
            file.write(b"new")
            (part,) = (other for other in path.parent.iterdir() if other != path)
            assert get_mode(part) == 0o600
            assert path.read_text() == "old"
    finally:
        os.umask(before)
    assert path.read_bytes() == b"new" and get_mode(path) == 0o600
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("name", [".part", ".rejects.jsonl.part"])
def test_planted_links_are_not_followed(path, name):
    victim = path.with_name("victim")
    victim.write_text("precious")
    link = path.with_name(path.name + name)
    link.symlink_to(victim)
    with Place(str(path)).create() as file:
        file.write(b"new")
    assert path.read_bytes() == b"new" and not path.is_symlink()
    assert victim.read_text() == "precious" and link.is_symlink()


@pytest.mark.parametrize("there", [True, False])
def test_a_link_as_target_is_replaced(path, there):
    victim = path.with_name("victim")
    if there:
        victim.write_text("precious")
    path.symlink_to(victim)
    with Place(str(path)).create() as file:
        file.write(b"new")
    assert path.read_bytes() == b"new" and not path.is_symlink()
    assert victim.exists() == there and (not there or victim.read_text() == "precious")


def test_two_runs_share_nothing(path):
    with Place(str(path)).create() as one:
        with Place(str(path)).create() as other:
            one.write(b"one")
            other.write(b"other")
        assert path.read_bytes() == b"other"
    assert path.read_bytes() == b"one"


@pytest.mark.parametrize("old", [None, b"old"])
def test_killed_run(path, capsys, old):
    if old is not None:
        path.write_bytes(old)
    kill_while_writing(path)
    assert (path.read_bytes() if path.exists() else None) == old
    (left,) = (other for other in path.parent.iterdir() if other != path)
    assert left.read_bytes() == b"half" and get_mode(left) == 0o600
    capsys.readouterr()
    with Place(str(path)).create() as file:
        file.write(b"new")
    said = capsys.readouterr()
    assert not said.out
    assert f"{left} was left by a run that was stopped; it is safe to delete" in said.err
    assert path.read_bytes() == b"new" and left.read_bytes() == b"half"


def test_only_own_leftovers_are_named(path, capsys):
    """Not those of a file whose name only begins or ends alike, as that of the rejects does."""
    for name in ("out.jsonl.rejects.jsonl", "out", "xout.jsonl", "outxjsonl"):
        kill_while_writing(path.with_name(name))
    capsys.readouterr()
    with Place(str(path)).create():
        pass
    assert capsys.readouterr().err == ""


def test_errors_leave_nothing(path):
    path.write_text("old")
    with pytest.raises(RuntimeError), Place(str(path)).create() as file:
        file.write(b"new")
        raise RuntimeError
    assert path.read_text() == "old" and list(path.parent.iterdir()) == [path]


def test_standard_output_is_written_at_once(path, monkeypatch):
    with path.open("wb") as file, io.TextIOWrapper(file) as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        with Place(STDIO).create() as target:
            target.write(b"new")
        assert path.read_bytes() == b"new"


def test_read(path):
    path.write_bytes(b"\xff\r\n")
    with Place(str(path)).open() as file:
        assert list(file) == [b"\xff\r\n"]
