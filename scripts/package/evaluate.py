"""Measures what is found in your own annotated messages, and what is left: see `--help`."""

from .show_help import show_help

if __name__ == "__main__":
    show_help("evaluate")
    from . import load
    from .components.cli.evaluate import main

    main(load)
