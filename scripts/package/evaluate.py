"""Measures what is found in your own annotated messages, and what is left: see `--help`."""

from .command_line import main

if __name__ == "__main__":
    main("evaluate")
