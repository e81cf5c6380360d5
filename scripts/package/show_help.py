"""The help of the commands, as it was written when the package was made: without the pipeline, whose
import takes seconds.
"""

import sys
from io import TextIOWrapper
from pathlib import Path

FOLDER = Path(__file__).parent / "help"


def _get_arguments() -> list[str] | None:
    """The arguments of a command of this package; None if this process is none."""
    arguments = sys.orig_argv
    if "-m" not in arguments:
        return None
    module, *rest = arguments[arguments.index("-m") + 1 :]
    return rest if module.partition(".")[0] == __package__ else None


def is_command() -> bool:
    """RETURNS (bool): Whether this process was started as a command of this package."""
    return _get_arguments() is not None


def asks_for_help() -> bool:
    """RETURNS (bool): Whether this process was started for nothing but the help of a command of this
    package.
    """
    rest = _get_arguments() or []
    if "--" in rest:
        rest = rest[: rest.index("--")]
    return "--help" in rest


def show_help(command: str) -> None:
    """Print the help of a command, and end, if that is asked for.

    command (str): The name of its module.
    """
    if asks_for_help():
        if isinstance(sys.stdout, TextIOWrapper):
            # What the terminal's encoding lacks is replaced.
            sys.stdout.reconfigure(errors="replace")
        sys.stdout.write((FOLDER / f"{command}.txt").read_text(encoding="utf8"))
        raise SystemExit
