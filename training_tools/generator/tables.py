"""The tables of the generator, which lie as YAML in `data/`: lists of words, and weighted entries."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import srsly

DATA = Path(__file__).parent / "data"

Weighted = Mapping[str, int]
"""Entries and how often each is drawn."""


def read_tables(name: str) -> dict[str, Any]:
    """Read the tables of a file in `data/`, by name. A text is a list of words."""
    tables = srsly.read_yaml(DATA / f"{name}.yml")
    return {
        key: value.split() if isinstance(value, str) else value for key, value in tables.items()
    }


def weighted(table: Weighted, rng: Random) -> str:
    """Draw an entry of a table, by the weights."""
    return rng.choices([*table], [*table.values()])[0]
