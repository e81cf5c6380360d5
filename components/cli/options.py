"""Options that several commands have."""

from enum import Enum

import typer

from ..conversations.configuration import SETTINGS
from ..runs.in_files import Reading
from ..shared.labels import OPTIONAL_LABELS
from ..tables.encodings import ENCODINGS
from ..tables.formats import FORMATS

FormatName = Enum("FormatName", {name: name for name in FORMATS}, type=str)  # type: ignore[misc]
Encoding = Enum("Encoding", {name: name for name in ENCODINGS}, type=str)  # type: ignore[misc]

THRESHOLD = typer.Option(
    None,
    min=0.0,
    max=1.0,
    help="Least PHI probability of a word, lower finds more; default: the pipeline's own",
)
CONFIG = typer.Option(
    None,
    help='TOML file of settings, such as dates = "month" or strategy = {PID = "mask"}; there are '
    f"{', '.join(SETTINGS)}; options beat it",
    dir_okay=False,
)
CONTEXT = typer.Option(False, "--context", help="Read a message with what was said before it")
LOWER = typer.Option(False, "--lower", help="Write all messages in lower case first")
CLASSES = typer.Option(
    "",
    help=f"Classes to find besides, with commas between them, or all: {', '.join(OPTIONAL_LABELS)}",
)
TEXT_FIELDS = typer.Option(
    ["text"], "--text-field", help="Column with a text; may be given several times"
)
CONVERSATION_FIELD = typer.Option(
    "conversation", help="Column with the conversation's id, which a row may lack"
)
IN_FORMAT = typer.Option(None, help="Format of IN; default: by its name, else jsonl")
NO_HEADER = typer.Option(
    False,
    "--no-header",
    help="The first row of a CSV file is a message; columns are numbers, from 1",
)
DELIMITER = typer.Option("", help="What stands between cells; default: what fits")


def is_default(context: typer.Context, name: str) -> bool:
    """Whether nobody has named its value."""
    source = context.get_parameter_source(name)
    return source is None or source.name == "DEFAULT"


def make_reading(
    in_format: FormatName | None, delimiter: str, encoding: Encoding | None, no_header: bool
) -> Reading:
    """How IN is read."""
    return Reading(
        in_format.value if in_format else "",
        parse_delimiter(delimiter),
        encoding.value if encoding else "",
        not no_header,
    )


def parse_delimiter(text: str) -> str:
    """Read what stands between cells: one character, or tab."""
    sign = {r"\t": "\t", "tab": "\t"}.get(text, text)
    if len(sign) > 1 or sign in ('"', "\r", "\n", "\0", "\\"):
        raise ValueError(f"{text!r} is no delimiter: one character, or tab.")
    return sign
