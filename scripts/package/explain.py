"""Tells what is found in a message, and why: see `--help`."""

from .show_help import show_help

if __name__ == "__main__":
    show_help("explain")
    from . import load
    from .components.batch.cli.explain_command import main

    main(load)
