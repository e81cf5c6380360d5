"""Tells what is found in a message, and why: see `--help`."""

from .command_line import main

if __name__ == "__main__":
    main("explain")
