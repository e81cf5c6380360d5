"""How far a run is, on a terminal and in a log."""

import multiprocessing
import os
import pty
import sys
import time

import pytest

from components.cli import progress
from components.runs.blocks import Task, Work, run_blocks
from components.runs.index import Block
from components.runs.rows import Row
from components.runs.run_settings import Settings

from .conftest import make_rows, write_jsonl


def test_a_log_gets_lines(start, tmp_path, monkeypatch):
    """Each whole, without control characters; by the minute, which is short here."""
    monkeypatch.setattr(progress, "PAUSE", 0.05)
    path = write_jsonl(tmp_path / "in.jsonl", make_rows(40))
    run = start(path, "out.jsonl", pause=0.04)
    assert run.wait() == 0, run.said
    lines = [line for line in run.said.splitlines() if " a second" in line]
    assert lines and "\r" not in run.said and "%|" not in run.said
    for line in lines:
        assert line.startswith(tuple("0123456789")) and line.endswith(".")
        assert " of 40 rows, " in line and "min left." in line


def test_nothing_is_said_of_a_short_run(finish, tmp_path):
    path = write_jsonl(tmp_path / "in.jsonl", make_rows(4))
    assert " a second" not in finish(path, "out.jsonl")[1]


def test_words_of_a_log(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    log = progress.Log(20_000)
    assert str(log) == "0 of 20,000 rows."
    now[0] = 10.0
    log.initial = 1000  # done by an earlier run
    log.update(3000)
    assert str(log) == "3,000 of 20,000 rows, 200 a second, about 0 h 01 min left."
    log.update(17_000)
    assert str(log) == "20,000 of 20,000 rows: they are being written."


def test_a_bar_on_a_terminal_without_a_size():
    pid, terminal = pty.fork()
    if not pid:
        try:
            sys.stderr = os.fdopen(2, "w")  # not the one that pytest reads
            progress.TICK = 0.02
            counter = multiprocessing.Value("q", 0)
            with progress.make_progress(4, counter) as bar:
                counter.value = 1234
                time.sleep(0.2)  # a block that takes long
                bar.update(3)
                bar.refresh()
        finally:
            os._exit(0)
    shown = b""
    try:
        while data := os.read(terminal, 1000):
            shown += data
    except OSError:
        pass  # its end
    os.waitpid(pid, 0)
    assert b"75%|" in shown and b"3/4" in shown
    assert shown.index(b"1,234 messages read") < shown.index(b"3/4")


@pytest.mark.parametrize("n_process", [1, 2])
def test_messages_are_counted_within_a_block(quick_nlp, n_process):
    """In whatever process."""
    counter = multiprocessing.Value("q", 0)
    task = Task(Settings(), counter=counter)
    rows = []
    for number in range(1, 8):
        row = Row(number)
        row.texts, row.is_placed = {"text": "Hej Anna"}, True
        rows.append(row)
    works = [Work(Block(0, range(7)), rows)]
    assert len([*run_blocks(quick_nlp, task, works, n_process)]) == 1
    assert counter.value == 7
