"""Tells what is found in a message, and why: see `--help`."""

from . import load
from .components.cli.explain import main

if __name__ == "__main__":
    main(load)
