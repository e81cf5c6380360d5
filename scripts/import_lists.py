"""Merge the big public lists (`spacy project assets --extra`) into the project's own lists.

    python -m scripts.import_lists assets/lists assets/public assets/merged

The rules are in `docs/training.md`.
"""

from pathlib import Path
from typing import Annotated

import typer

from components.lists.lists import Lists, read_lists
from training_tools.errors import clean_errors
from training_tools.public_lists import FILES, merge_lists


def import_lists(
    lists: Annotated[Path, typer.Argument(help="Folder of the project's own lists")],
    public: Annotated[Path, typer.Argument(help="Folder of the public files")],
    out: Annotated[Path, typer.Argument(help="Folder for the merged lists")],
) -> None:
    """Write the project's lists, merged with the public files that are there."""
    with clean_errors():
        if out.resolve() == lists.resolve():
            raise ValueError(f"{out} holds the project's own lists: give another folder")
        own = read_lists(str(lists))
        merged = merge_lists(own, public)
    used = [name for name in FILES if (public / name).is_file()]
    write_lists(out, merged, f"Merged by scripts/import_lists.py with {', '.join(used)}.")
    for name, rows in merged.items():
        before = len({tuple(row.values()) for row in own.get(name, ())})
        after = len({tuple(row.values()) for row in rows})
        if after > before:
            typer.echo(f"{name}: {before} entries, {after} with the public files")


def write_lists(folder: Path, lists: Lists, comment: str) -> None:
    """Write lists in the format of `components.lists.lists`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in lists.items():
        cells = [list(rows[0])] if rows else []
        cells += [list(row.values()) for row in rows]
        lines = [f"# {comment}", *("\t".join(row) for row in cells)]
        path = folder / f"{name}.tsv"
        path.write_text("\n".join(lines) + "\n", encoding="utf8", newline="\n")


if __name__ == "__main__":
    typer.run(import_lists)
