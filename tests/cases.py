"""Tables of cases that lie as text beside the tests that read them."""

import ast
from pathlib import Path


def read_cases(test_file: str, name: str) -> list:
    """The rows under `[name]` of the .txt beside a test: cells as Python writes them, commas between.
    A row of one cell is that cell; lines that begin with # are comments.
    """
    text = Path(test_file).with_suffix(".txt").read_text(encoding="utf8")
    rows = f"\n{text}\n".partition(f"\n[{name}]\n")[2].partition("\n\n[")[0].split("\n")
    cases = [ast.literal_eval(f"({row},)") for row in rows if row and not row.startswith("#")]
    return [case[0] if len(case) == 1 else case for case in cases]
