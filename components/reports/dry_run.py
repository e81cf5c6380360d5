"""Messages before and after on the terminal. It prints PHI: that is what it is for."""

import os
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

import typer

from ..shared.labels import LABELS
from .before_after import Change, Piece

WARNING = "What follows is PHI: messages as they are, before and after. Nothing is written."
# Of the 256 colours that terminals know, ones that can be read on black and on white.
COLOURS = (32, 35, 166, 161, 98, 37, 136, 168)
OTHER_COLOUR = 244


def show_changes(
    changes: Iterable[Change], file: TextIO | None = None, colour: bool | None = None
) -> int:
    """Print messages before and after, with what was found in each."""
    file = file or sys.stdout
    if colour is None:
        colour = file.isatty() and not os.environ.get("NO_COLOR")
    _print(file, _style(WARNING, colour, fg="red", bold=True), colour)
    number = 0
    for number, change in enumerate(changes, 1):
        for line in _write(number, change, colour):
            _print(file, line, colour)
    return number


def _write(number: int, change: Change, colour: bool) -> Iterator[str]:
    name = f" ({change.name})" if change.name else ""
    yield ""
    yield _style(f"{number}{name}", colour, bold=True)
    yield f"before  {_paint(change.before, colour)}"
    yield f"after   {_paint(change.after, colour)}"
    for old, new in change.pairs:
        label = _style(f"{old.label:<12}", colour, fg=get_colour(old.label))
        stays = "  (kept)" if old.kept else ""
        yield f"        {label}  {old.text!r} → {new.text!r}{stays}"


def _print(file: TextIO, line: str, colour: bool) -> None:
    # What the terminal's encoding lacks must not end the run.
    encoding = getattr(file, "encoding", None) or "utf8"
    typer.echo(line.encode(encoding, "replace").decode(encoding), file=file, color=colour)


def _paint(pieces: Iterable[Piece], colour: bool) -> str:
    painted = "".join(
        _style(piece.text, colour, fg=get_colour(piece.label), bold=not piece.kept)
        if piece.label
        else piece.text
        for piece in pieces
    )
    return painted.replace("\n", "\n        ")


def _style(text: str, colour: bool, **look: str | int | bool) -> str:
    return typer.style(text, **look) if colour else text  # type: ignore[arg-type]


def get_colour(label: str) -> int:
    """The colour of a class, one of 256."""
    return COLOURS[LABELS.index(label)] if label in LABELS else OTHER_COLOUR
