"""Options that several commands have."""

import typer

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
