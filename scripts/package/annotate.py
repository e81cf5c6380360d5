"""Annotates messages on a page of this machine: see `--help`."""

from .command_line import main

if __name__ == "__main__":
    main("annotate")
