"""Options that the commands of a training share."""

from typing import Annotated

import typer

Encoder = Annotated[
    str, typer.Option("--encoder", help="Encoder in place of the config's: hub name or folder")
]
FromHead = Annotated[
    bool,
    typer.Option(
        "--from-head/--from-encoder",
        help="Begin with the head that ships with the encoder, or with the encoder alone",
    ),
]
