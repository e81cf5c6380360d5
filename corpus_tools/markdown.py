"""Pages whose figures are written by a command."""

import subprocess
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path


def fill_block(path: Path, name: str, content: str) -> None:
    """Write what belongs between `<!-- name -->` and `<!-- /name -->`.

    path (Path): The page.
    name (str): The name of the block.
    content (str): Its new content.
    RAISES (ValueError): If the page has no such block.
    """
    text = path.read_text(encoding="utf8")
    head, begin, rest = text.partition(f"<!-- {name} -->")
    _, end, tail = rest.partition(f"<!-- /{name} -->")
    if not begin or not end:
        raise ValueError(f"{path} has no block <!-- {name} --> … <!-- /{name} -->.")
    path.write_text(f"{head}{begin}\n{content}\n{end}{tail}", encoding="utf8")


def make_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table.

    head (Sequence[str]): The names of the columns.
    rows (Iterable[Sequence[str]]): The cells, row by row.
    RETURNS (str): Markdown.
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def get_state() -> str:
    """RETURNS (str): The date, and the commit of the project if it is in a repository."""
    command = ["git", "describe", "--always", "--dirty"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return f"measured {date.today()}"
    commit = done.stdout.strip()
    return f"measured {date.today()}" + (f" at commit {commit}" if commit else "")
