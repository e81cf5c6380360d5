"""Tables of cases that lie beside a test file, under its name: `test_x:`, then a case a line."""

import ast
from collections import defaultdict
from pathlib import Path


def read_cases(test_file: str) -> dict[str, list]:
    """Read the cases of a test file.

    test_file (str): Its `__file__`; the cases are in the .txt beside it, written as in Python.
    RETURNS (dict[str, list]): The cases by the name of the test.
    """
    cases: dict[str, list] = defaultdict(list)
    for line in Path(test_file).with_suffix(".txt").read_text(encoding="utf8").splitlines():
        if line.startswith("test_"):
            name = line.removesuffix(":")
        elif line and not line.startswith("#"):
            cases[name].append(ast.literal_eval(line))
    return dict(cases)
