"""De-identifies the rows of a file: see `--help`."""

from .show_help import show_help

if __name__ == "__main__":
    show_help("deidentify")
    from . import load
    from .components.batch.cli.run_command import main

    main(load)
