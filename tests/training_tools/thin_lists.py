"""The project's lists with a few rows of each kind, for what is slow with all of them."""

from collections import defaultdict
from pathlib import Path

from components.lists.lists import read_lists
from scripts.import_lists import write_lists
from tests.conftest import ROOT
from training_tools.generator.people import split_of

KEYS = ("kind", "origin", "gender", "position")


def thin(rows):
    groups = defaultdict(list)
    for row in rows:
        key = (*map(row.get, KEYS), bool(row.get("abbreviation")), split_of(row.get("name", "")))
        groups[key].append(row)
    return [row for group in groups.values() for row in group[:4]]


LISTS = {name: thin(rows) for name, rows in read_lists(str(ROOT / "assets" / "lists")).items()}


def write_thin_lists(folder: Path) -> Path:
    write_lists(folder, LISTS, "A few rows of each kind, for tests.")
    return folder
