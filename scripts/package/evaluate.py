"""Measures what is found in your own annotated messages, and what is left: see `--help`."""

from .show_help import show_help

if __name__ == "__main__":
    show_help("evaluate")
    from . import load
    from .components.batch.cli.evaluate_command import main

    main(load)
