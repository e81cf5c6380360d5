"""Messages before and after on the terminal. It prints PHI: that is what it is for."""

import os
from collections.abc import Iterable, Iterator

import typer

from ..shared.labels import LABELS
from .before_after import Change, Piece, fit_terminal

WARNING = "What follows is PHI: messages as they are, before and after. Nothing is written."
# Of the 256 colours that terminals know, ones that can be read on black and on white.
COLOURS = (32, 35, 166, 161, 98, 37, 136, 168)
OTHER_COLOUR = 244


def show_changes(changes: Iterable[Change]) -> None:
    """Print messages before and after, with what was found in each. Colours are for terminals."""
    colour = False if os.environ.get("NO_COLOR") else None
    typer.echo(typer.style(WARNING, fg="red", bold=True), color=colour)
    for number, change in enumerate(changes, 1):
        for line in _write(number, change):
            typer.echo(fit_terminal(line), color=colour)


def _write(number: int, change: Change) -> Iterator[str]:
    name = f" ({change.name})" if change.name else ""
    yield ""
    yield typer.style(f"{number}{name}", bold=True)
    yield f"before  {_paint(change.before)}"
    yield f"after   {_paint(change.after)}"
    for old, new in change.pairs:
        label = typer.style(f"{old.label:<12}", fg=get_colour(old.label))
        stays = "  (kept)" if old.kept else ""
        yield f"        {label}  {old.text!r} → {new.text!r}{stays}"


def _paint(pieces: Iterable[Piece]) -> str:
    painted = "".join(
        typer.style(piece.text, fg=get_colour(piece.label), bold=not piece.kept)
        if piece.label
        else piece.text
        for piece in pieces
    )
    return painted.replace("\n", "\n        ")


def get_colour(label: str) -> int:
    """The colour of a class, one of 256."""
    return COLOURS[LABELS.index(label)] if label in LABELS else OTHER_COLOUR
