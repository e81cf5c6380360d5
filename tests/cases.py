"""Tables of cases that lie beside a test file: the name of a test, then a case a line."""

import ast
import re
from collections import defaultdict
from pathlib import Path


def read_cases(test_file: str) -> dict[str, list]:
    """Read the cases of a test file.

    test_file (str): Its `__file__`; the cases are in the .txt beside it, written as in Python.
    RETURNS (dict[str, list]): The cases by the name of the test.
    """
    cases: dict[str, list] = defaultdict(list)
    for line in Path(test_file).with_suffix(".txt").read_text(encoding="utf8").splitlines():
        if re.fullmatch(r"\w+:", line):
            name = line[:-1]
        elif line and not line.startswith("#"):
            cases[name].append(ast.literal_eval(line))
    return dict(cases)
