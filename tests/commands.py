"""Command lines, run in this process."""

import io
import sys

import pytest


def call(command_line, *args, stdin=b""):
    """Call what reads the command line.

    command_line (Callable[[], None]): It ends the process.
    args (object): What stands on the command line.
    RETURNS (int): The exit code.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["x", *map(str, args)])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as error:
            command_line()
    return error.value.code or 0
