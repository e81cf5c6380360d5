"""De-identifies the rows of a file: see `--help`."""

from .command_line import main

if __name__ == "__main__":
    main("run")
