"""What each branch of the surrogates is worth. In a process of its own, as the code is changed in it."""

import json
import subprocess
import sys

from lab.scripts.ablate_surrogates import count_changed, may_go, read_units
from tests.surrogates.hand_lists import LISTS

KEEPING = {"share": 0.0, "error": False, "checks": [], "builds": False}


def test_few_changes_and_no_guard_may_go():
    assert may_go(KEEPING)
    for guard in ({"share": 0.001}, {"error": True}, {"checks": ["eras"]}, {"test": "test_x"}):
        assert not may_go(KEEPING | guard)
    assert not may_go(KEEPING | {"builds": True})


def test_changed_mentions_are_counted():
    assert count_changed([["a", "b"], ["c"]], [["a", "x"], ["c"]]) == 1
    assert count_changed([["a", "b"]], [["a"]]) == 1


CODE = """
def double(number):
    return number * 2 if number > 2 else number

def halve(number):
    return number / 2 if number > 2 else number
"""
TESTS = """
import pytest
from branching import double, halve

@pytest.fixture
def three():
    return 3

def test_double(three):
    assert double(three) == 6

def test_halve(three):
    assert halve(three) < 4
"""


def test_a_branch_that_a_test_needs_is_found(tmp_path):
    (tmp_path / "branching.py").write_text(CODE)
    (tmp_path / "test_it.py").write_text(TESTS)
    program = f"""
import sys
from lab.measures.branches import Branches
from lab.scripts.ablate_surrogates import find_failing_tests
from pathlib import Path
sys.path.insert(0, {str(tmp_path)!r})
import branching
found = find_failing_tests(Branches("branching"), [0, 1], Path({str(tmp_path)!r}))
print({{number: name.rpartition("::")[2] for number, name in found.items()}})
"""
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "{0: 'test_double'}"


def test_it_measures_messages_without_quoting_them(tmp_path):
    for name, rows in LISTS.items():
        lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
        (tmp_path / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf8")
    natural = tmp_path / "natural"
    for folder in ("singles", "conversations"):
        (natural / folder).mkdir(parents=True)
    texts = ["Hej [[PERSON|Anna Lind]]", "Tack!", "född [[DATE|3 maj 1980]]"]
    (natural / "singles" / "a.txt").write_text("\n---\n".join(texts), encoding="utf8")
    assert len(read_units(natural)) == 2
    metrics = tmp_path / "branches.json"
    command = [sys.executable, "-m", "lab.scripts.ablate_surrogates", metrics, natural]
    options = ["--lists", tmp_path, "--keys", "2", "--sample", "2"]
    done = subprocess.run([*command, *options], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    figures = json.loads(metrics.read_text(encoding="utf8"))
    assert figures["mentions"] == 2
    taken = [branch for branch in figures["branches"] if branch["units"]]
    assert any(branch["share"] > 0 for branch in taken)
    assert any(branch["share"] == 0 for branch in taken)
    assert "Lind" not in done.stdout + metrics.read_text(encoding="utf8")
