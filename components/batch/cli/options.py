"""Options that several commands have."""

from pathlib import Path
from typing import Any

import typer

from ...messages.configuration import read_config

THRESHOLD = typer.Option(
    None,
    min=0.0,
    max=1.0,
    help="Least PHI probability of a word, lower finds more; default: the pipeline's own",
)
CONFIG = typer.Option(
    None,
    help="TOML file of settings: strategy and threshold by class, dates, ages, surrogate_numbers, "
    "classes, patterns, allow, deny: see docs/python.md; options beat it",
    dir_okay=False,
)


def read_settings(config: Path | None, **options: Any) -> dict[str, Any]:
    """Read the settings of the pipeline from a file, and from options, which beat it."""
    given = {name: value for name, value in options.items() if value is not None}
    return {**read_config(config or {}), **read_config(given)}
