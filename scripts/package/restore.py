"""Gives de-identified rows their original texts back: see `--help`."""

from .command_line import main

if __name__ == "__main__":
    main("restore")
