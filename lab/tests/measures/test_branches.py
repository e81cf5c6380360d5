"""Branches that are switched off one at a time."""

import importlib
import sys

import pytest

from lab.measures.branches import Branches

CODE = """
from functools import lru_cache

def double(number):
    if number > 2 or number == 1:
        number = number * 2
    return number

class Words:
    def get(self, words):
        return [word.upper() if len(word) > 1 else word for word in words if word]

@lru_cache
def is_big(number):
    return "yes" if number > 10 else "no"
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    (tmp_path / "branching").mkdir()
    (tmp_path / "branching" / "__init__.py").write_text("")
    (tmp_path / "branching" / "code.py").write_text(CODE)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("branching.code")
    for name in ("branching.code", "branching"):
        del sys.modules[name]


def test_each_condition_is_a_branch(package):
    found = [(one.function, one.condition) for one in Branches("branching").all]
    assert found == [
        ("double", "number > 2"),
        ("double", "number == 1"),
        ("Words.get", "len(word) > 1"),
        ("Words.get", "word"),
        ("is_big", "number > 10"),
    ]


@pytest.mark.parametrize("off, expected", [(-1, [2, 2, 6]), (0, [2, 2, 3]), (1, [1, 2, 6])])
def test_a_branch_that_is_off_is_never_taken(package, off, expected):
    branches = Branches("branching")
    branches.switch(off)
    assert [package.double(number) for number in (1, 2, 3)] == expected


def test_it_says_which_branches_were_taken(package):
    branches = Branches("branching")
    branches.switch()
    package.Words().get(["a", ""])
    assert branches.fired == {3}
    package.Words().get(["ab"])
    assert branches.fired == {2, 3}


def test_nothing_is_remembered_over_a_switch(package):
    branches = Branches("branching")
    branches.switch()
    assert package.is_big(11) == "yes"
    branches.switch(4)
    assert package.is_big(11) == "no"
    branches.switch()
    assert package.is_big(11) == "yes"
