"""Tables of cases that lie beside a test file: the name of a test, then a case a line."""

import ast
import pickle
import re
from collections import defaultdict
from collections.abc import Callable
from inspect import getfile, signature
from pathlib import Path

import pytest


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


def cases(test: Callable) -> Callable:
    """Run a test once for each of its cases, which stand under its name in the .txt beside it. Its last
    parameters are the values of a case.
    """
    rows = read_cases(getfile(test))[test.__name__]
    names = [*signature(test).parameters]
    own = names[-len(rows[0]) :] if isinstance(rows[0], tuple) else names[-1]
    return pytest.mark.parametrize(own, rows)(test)


MARKED = re.compile(r"\[([^|\]]*)\|([A-Z]+)\]")


def message(marked: str, **fields: object) -> dict:
    """Make an annotated message of a text with its entities in brackets, as in `Hej [Anna|PERSON]!`."""
    text, spans, end = "", [], 0
    for match in MARKED.finditer(marked):
        text += marked[end : match.start()]
        spans.append(span(len(text), len(text) + len(match[1]), match[2]))
        text += match[1]
        end = match.end()
    return {"id": "m", "text": text + marked[end:], "spans": spans, **fields}


def span(start: int = 4, end: int = 8, label: str = "PERSON", **rest: object) -> dict:
    """Mark a span, as it stands in annotated messages."""
    return {"start": start, "end": end, "label": label, **rest}


def read_arrows(test: str, name: str) -> list[tuple[str, ...]]:
    """Read cases: a line each, cells parted by ` → `, signs that cannot be seen as Python escapes them.

    test (str): The `__file__` of the test.
    name (str): The name of the file beside it. Lines that begin with `#` are comments.
    RETURNS (list[tuple[str, ...]]): The cells of each case.
    """
    lines = Path(test).with_name(name).read_text("utf8").split("\n")
    rows = [line.split(" → ") for line in lines if line and not line.startswith("#")]
    return [tuple(unescape(cell) for cell in cells) for cells in rows]


def unescape(cell: str) -> str:
    """`\\u200b` becomes the character."""
    return cell.encode("latin-1", "backslashreplace").decode("unicode-escape")


def check_replaced(text, new, replacements):
    """Each replacement has its place in both texts, and all between them is as it was."""
    position = out_position = 0
    for entry in replacements:
        assert position <= entry["start"] <= entry["end"] <= len(text)
        assert new[out_position : entry["out_start"]] == text[position : entry["start"]]
        assert new[entry["out_start"] : entry["out_end"]] == entry["replacement"]
        position, out_position = entry["end"], entry["out_end"]
    assert new[out_position:] == text[position:]


def carry(pipe, other, way, folder):
    """What a pipe becomes on its way through bytes, a folder or a pickle; the first two need another one."""
    if way == "bytes":
        return other.from_bytes(pipe.to_bytes())
    if way == "pickle":
        return pickle.loads(pickle.dumps(pipe))
    pipe.to_disk(folder / "carried")
    return other.from_disk(folder / "carried")
