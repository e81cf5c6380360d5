"""Cases that lie as data beside a test."""

from ast import literal_eval
from pathlib import Path


def read_cases(test: str, name: str) -> list[tuple[str, ...]]:
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


def read_rows(test: str, table: str) -> list:
    """Read a table of a test from the file beside it: `test_dates.py` has its tables in `dates.rows.txt`.

    test (str): The `__file__` of the test.
    table (str): The name of the table: its rows stand under the line `=== name`.
    RETURNS (list): The rows, a Python literal on each line. Lines that begin with `#` are comments.
    """
    path = Path(test)
    tables = path.with_name(f"{path.stem.removeprefix('test_')}.rows.txt").read_text("utf8")
    rows = tables.split(f"=== {table}\n")[1].split("\n=== ")[0].split("\n")
    return [literal_eval(row) for row in rows if row and not row.startswith("#")]
