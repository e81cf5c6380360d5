"""The command `explain`."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import typer

from ..conversations.configuration import configure, read_settings
from ..conversations.explanation import explain, list_rules
from .options import CONFIG, THRESHOLD
from .terminal import show, wrong_usage


def explain_message(
    context: typer.Context,
    text: str = typer.Argument("", help="The message, - to read it from standard input"),
    rules: bool = typer.Option(False, "--rules", help="List all rules and patterns"),
    threshold: float | None = THRESHOLD,
    config: Path | None = CONFIG,
) -> None:
    """Tell what is found in a message, by what, and which rules changed or dropped it.

    What it prints QUOTES THE MESSAGE: look at made-up ones, or where nobody else looks. A rule of
    the merger is switched off by its id: nlp.get_pipe("span_merger").disable = ["doubt.form"].
    """
    if bool(text) == rules:
        raise typer.BadParameter("Give a message, or --rules to list the rules.")
    if text == "-":
        with wrong_usage(ValueError):
            text = read_message(sys.stdin)
    with wrong_usage(ValueError):
        settings = read_settings(config, threshold=threshold)
    nlp = context.obj()
    with wrong_usage(ValueError):
        configure(nlp, settings)
    if rules:
        show("\n".join(list_rules(nlp)))
    else:
        show(explain(nlp, text))


def read_message(file: TextIO) -> str:
    """Read a message in UTF-8, or in the encoding of the terminal."""
    data = file.buffer.read()
    for encoding in ("utf-8-sig", file.encoding):
        with suppress(UnicodeDecodeError):
            return data.decode(encoding)
    raise ValueError("The message is not in UTF-8: convert it (iconv -t utf-8).")
