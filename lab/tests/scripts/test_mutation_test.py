"""Faults put into a project of two functions, one of them well tested."""

import os
import subprocess
import sys

import pytest
import srsly

from tests.conftest import ROOT

pytest.importorskip("mutmut")

SOURCE = '''"""Two functions."""

LIMIT = 3


def is_long(text):
    return len(text) > LIMIT


class Reader:
    def read(self, text):
        """Read."""
        # Who knows what for?
        first = text[0]
        return first + "!"
'''
TESTS = """from components.reader import Reader, is_long


def test_long():
    assert is_long("abcd") and not is_long("abc")


def test_read():
    assert Reader().read("abc")
"""
CONFIG = """[tool.mutmut]
source_paths = ["components"]
pytest_add_cli_args_test_selection = ["tests"]
process_isolation = "forkserver"
"""


def run(folder, *options):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "lab.scripts.mutation_test", "metrics/mutation.json", *options]
    done = subprocess.run(command, check=False, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return srsly.read_json(folder / "metrics" / "mutation.json")


def test_survivors_are_told(tmp_path):
    files = {
        "pyproject.toml": CONFIG,
        "components/__init__.py": "",
        "components/reader.py": SOURCE,
        "tests/test_reader.py": TESTS,
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf8")
    all_ = run(tmp_path, "--mutants", "0", "--jobs", "1")
    assert all_["mutants"] == all_["of"] == all_["killed"] + all_["survived"]
    assert all_["score"] == pytest.approx(all_["killed"] / all_["of"])
    # The comparison is tested at its limit, what is read is not.
    assert {row["file"] for row in all_["survivors"]} == {"components/reader.py"}
    assert {row["line"] for row in all_["survivors"]} == {14, 15}
    for row in all_["survivors"]:
        (before,) = [line[1:].strip() for line in row["diff"].splitlines()[3:] if line[0] == "-"]
        assert before == SOURCE.splitlines()[row["line"] - 1].strip()
    # A sample of what is known already.
    part = run(tmp_path, "--mutants", "3", "--seed", "1", "--resume")
    assert part["mutants"] == 3 and part["of"] == all_["of"]
    assert part["survivors"] == [row for row in all_["survivors"] if row in part["survivors"]]
