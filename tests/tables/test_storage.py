"""Where files lie: whole or not there, their owner's alone."""

import os
import stat

import pytest

from components.tables.errors import FileError
from components.tables.storage import Disk, find_pattern, get_storage
from tests.cases import read_cases


@pytest.fixture
def folder(tmp_path, monkeypatch):
    names = "a.jsonl b.csv in/a.jsonl in/deep/c.jsonl .hidden.jsonl .git/d.jsonl"
    for name in names.split():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    (tmp_path / "broken.jsonl").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("start", [".", "./", "in/..", "{}", "{}/"])
def test_find(folder, start):
    """By the path that was asked for, whatever it is written like."""
    start = start.format(folder)
    root = start.rstrip("/")
    found = [f"{root}/{name}" for name in ("a.jsonl", "b.csv", "in/a.jsonl", "in/deep/c.jsonl")]
    assert Disk().find(start) == found


@pytest.mark.parametrize("pattern, found", read_cases(__file__)["test_patterns"])
@pytest.mark.parametrize("start", ["", "./", "in/../", "{}/"])
def test_patterns(folder, pattern, found, start):
    root, paths = find_pattern(Disk(), start.format(folder) + pattern)
    assert [path[len(root.rstrip("/")) + 1 :] for path in paths] == found


@pytest.mark.parametrize("umask, mode", [(0o077, 0o700), (0o027, 0o750), (0o022, 0o755)])
@pytest.mark.parametrize("own", [0o000, 0o077])
def test_rights_of_files_and_folders(tmp_path, umask, mode, own):
    """All folders that are made, too; and whatever the shell says."""
    before = os.umask(own)
    try:
        disk = Disk(umask)
        disk.make_folder(str(tmp_path / "a" / "b"))
        disk.write(str(tmp_path / "a" / "b" / "c"), b"x")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b", "a/b/c")]
    assert modes == [mode, mode, mode & 0o666]


def test_names_that_are_too_long(tmp_path):
    path = str(tmp_path / ("x" * 300))
    assert not Disk().exists(path) and not Disk().is_folder(path)
    with pytest.raises(FileError, match="cannot be read"):
        Disk().open(path)
    with pytest.raises(FileError, match="cannot be written"), Disk().create(path):
        pass


def test_schemes_that_nobody_knows():
    with pytest.raises(FileError, match="knurvel:// is no place"):
        get_storage("knurvel://bucket/chats.jsonl")
