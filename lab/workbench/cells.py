"""The cells of an experiment that takes time, one setting each: run one after the other, each kept as
soon as it is done, so that an experiment that was interrupted goes on where it was.
"""

import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import srsly
from wasabi import msg

from lab.places import METRICS

Settings = Mapping[str, Any]
CELLS = "cells"


def run_cells(
    experiment: str,
    cells: Mapping[str, Settings],
    run: Callable[[Settings], dict[str, Any]],
    *,
    same: Settings = {},  # noqa: B006
    folder: Path = METRICS,
) -> dict[str, dict[str, Any]]:
    """Run the cells of an experiment that are not done yet. A cell is done if its figures lie there,
    and its settings and `same` were these.

    experiment (str): Its name.
    cells (Mapping[str, Settings]): The settings of each cell, by its name. What can be written as
        JSON.
    run (Callable[[Settings], dict[str, Any]]): Runs a cell: settings in, figures out.
    same (Settings): What all cells have in common and what the figures depend on: digests of the
        corpora (see `digest`), numbers of steps.
    folder (Path): Where the figures are kept; `cells/EXPERIMENT` inside of it is made.
    RETURNS (dict[str, dict[str, Any]]): The figures of each cell, and under `minutes` how long it
        took.
    """
    folder = folder / CELLS / experiment
    folder.mkdir(parents=True, exist_ok=True)
    figures = {}
    for number, (name, settings) in enumerate(cells.items(), start=1):
        path = folder / f"{name}.json"
        # As it will be read again: tuples become lists.
        wanted = srsly.json_loads(srsly.json_dumps({**same, **settings}))
        kept = srsly.read_json(path) if path.is_file() else {}
        if kept.get("settings") == wanted:
            msg.info(f"{experiment} {number}/{len(cells)}: {name} is there")
        else:
            msg.info(f"{experiment} {number}/{len(cells)}: {name}")
            start = time.monotonic()
            found = {**run(settings), "minutes": round((time.monotonic() - start) / 60, 2)}
            kept = {"settings": wanted, "figures": found}
            unfinished = path.with_suffix(".part")
            srsly.write_json(unfinished, kept)
            unfinished.replace(path)
        figures[name] = kept["figures"]
    return figures


def digest(*paths: Path) -> str:
    """Tell files apart by what is in them.

    *paths (Path): The files; of a folder, all that lie in it.
    RETURNS (str): Sixteen digits that change with any of them.
    """
    total = sha256()
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file():
                total.update(sha256(file.read_bytes()).digest())
    return total.hexdigest()[:16]
