"""Gives de-identified rows their original texts back: see `--help`."""

from .components.cli.restore import main

if __name__ == "__main__":
    main()
