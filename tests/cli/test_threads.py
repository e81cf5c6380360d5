"""Threads: one a process, unless more are asked for."""

import os

import pytest
import torch
from threadpoolctl import threadpool_info

from components.model.backend import set_threads
from components.runs.blocks import Work
from tests.cases import cases

from .conftest import make_rows, read_jsonl, write_jsonl


def count_threads():
    """The threads of torch and of all libraries of linear algebra, which are as many."""
    found = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}
    (threads,) = {torch.get_num_threads(), *found}
    return threads


@pytest.fixture
def count(finish, quick_nlp, tmp_path, monkeypatch):
    """Runs the command where numpy and torch would take four threads, and tells what they took in each
    process.
    """
    own = Work.do

    def do(work, processor):
        (tmp_path / f"threads-{os.getpid()}").write_text(str(count_threads()))
        return own(work, processor)

    monkeypatch.setattr(Work, "do", do)

    def load():
        before = count_threads()
        (tmp_path / "loading").write_text(str(before))
        return quick_nlp

    def run(*args):
        path = write_jsonl(tmp_path / "in.jsonl", make_rows(40))
        code, said = finish(path, tmp_path / "out.jsonl", *args, "--overwrite", load=load)
        assert code == 0, said
        assert len(read_jsonl(tmp_path / "out.jsonl")) == 40
        counts = [int(path.read_text()) for path in tmp_path.glob("threads-*")]
        return counts, int((tmp_path / "loading").read_text())

    before = count_threads()
    set_threads(4)
    yield run
    set_threads(before)


@cases
def test_threads_of_each_process(count, args, threads, loading):
    counts, loaded_with = count(*args)
    assert set(counts) == {threads} and loaded_with == loading
