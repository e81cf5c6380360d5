"""The commands of this package. Their help was written when the package was made: the import of the
pipeline takes seconds.
"""

import sys
from io import TextIOWrapper
from pathlib import Path

SCRIPT = "sv-deid-chat"
FOLDER = Path(__file__).parent / "help"


def _get_arguments() -> list[str] | None:
    """The arguments of a command of this package; None if this process is none."""
    arguments = sys.orig_argv
    if "-m" in arguments:
        module, *rest = arguments[arguments.index("-m") + 1 :]
        if module.partition(".")[0] == __package__:
            return rest
    return sys.argv[1:] if Path(sys.argv[0]).stem == SCRIPT else None


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


def is_name(arguments: list[str]) -> bool:
    """arguments (list[str]): Arguments of a command line.
    RETURNS (bool): Whether the first is the name of a command.
    """
    return bool(arguments) and (FOLDER / f"{SCRIPT} {arguments[0]}.txt").exists()


def main(command: str = "") -> None:
    """Run a command, or print its help if that is asked for.

    command (str): Its name. Default: the script, whose first argument is the name of a command.
    """
    if asks_for_help():
        name = command or " ".join([SCRIPT, *sys.argv[1:2]]).removesuffix(" --help")
        path = FOLDER / f"{name}.txt"
        if path.exists():
            if isinstance(sys.stdout, TextIOWrapper):
                # What the terminal's encoding lacks is replaced.
                sys.stdout.reconfigure(errors="replace")
            sys.stdout.write(path.read_text(encoding="utf8"))
            raise SystemExit
    from .components.cli.app import main as run
    from .pipeline import load

    run(load, command)
