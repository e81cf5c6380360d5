"""Counts the PHI of a table, and writes nothing: see `--help`."""

from .command_line import main

if __name__ == "__main__":
    main("scan")
