"""Fails if the pipeline does not keep limits on your own annotated messages: see `--help`."""

from .command_line import main

if __name__ == "__main__":
    main("gate")
