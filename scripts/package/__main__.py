"""De-identifies the rows of a file: see `--help`."""

from . import load
from .components.cli.deidentify import main

if __name__ == "__main__":
    main(load)
