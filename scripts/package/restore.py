"""Gives de-identified rows their original texts back: see `--help`."""

from .show_help import show_help

if __name__ == "__main__":
    show_help("restore")
    from .components.batch.cli.restore_command import main

    main()
