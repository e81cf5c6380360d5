"""Pages whose figures are written by a command."""

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path


def fill_block(path: Path, name: str, content: str) -> None:
    """Write what belongs between `<!-- name -->` and `<!-- /name -->`.

    RAISES (ValueError): If the page has no such block, or if what the figures depend on is not committed.
    """
    demand_clean(path)
    text = path.read_text(encoding="utf8")
    head, begin, rest = text.partition(f"<!-- {name} -->")
    _, end, tail = rest.partition(f"<!-- /{name} -->")
    if not begin or not end:
        raise ValueError(f"{path} has no block <!-- {name} --> … <!-- /{name} -->.")
    path.write_text(f"{head}{begin}\n{content}\n{end}{tail}", encoding="utf8")


def make_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def write_threshold(threshold: float | Mapping[str, float]) -> str:
    """RETURNS (str): A threshold, or those of the classes."""
    if isinstance(threshold, Mapping):
        return ", ".join(f"{label} {value:g}" for label, value in threshold.items())
    return f"{threshold:g}"


def get_state() -> str:
    """RETURNS (str): The date, and the commit of the project if it is in a repository."""
    commit = _run_git(Path(), "describe", "--always")
    if commit and find_changed(Path()):
        commit += "-dirty"
    return f"measured {date.today()}" + (f" at commit {commit}" if commit else "")


def demand_clean(page: Path) -> None:
    """Complain of figures that nobody could measure again."""
    changed = find_changed(page.resolve().parent)
    if changed:
        raise ValueError(
            f"No figures go into {page}: they would be of no commit. Commit your changes first "
            f"({', '.join(changed[:3])})."
        )


def find_changed(folder: Path) -> list[str]:
    """Find uncommitted files that figures depend on. Pages are left out: commands write them."""
    pages = (":(top,exclude)docs", ":(top,exclude)lab/docs", ":(top,exclude,glob)*.md")
    status = _run_git(folder, "status", "--porcelain", "--untracked-files=no", "--", ":/", *pages)
    return [line[2:].strip() for line in status.splitlines()]


def _run_git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.rstrip()
