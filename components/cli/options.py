"""Options that several commands have."""

from enum import Enum
from typing import Any

import typer
from typer.core import TyperCommand

from ..conversations.configuration import RUN, SERVE, SETTINGS
from ..runs.in_files import Reading
from ..runs.run_settings import RUN_OPTIONS, SERVE_OPTIONS, Settings
from ..shared.labels import OPTIONAL_LABELS
from ..shared.words import read_words
from ..tables.encodings import ENCODINGS
from ..tables.formats import FORMATS
from ..tables.source import ReadOptions

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
    f"{', '.join(SETTINGS)}; for run, in a table [{RUN}], {', '.join(RUN_OPTIONS)}; for serve, in a table "
    f"[{SERVE}], {', '.join(SERVE_OPTIONS)}; options beat it",
    dir_okay=False,
)
CONTEXT = typer.Option(False, "--context", help="Read a message with what was said before it")
LOWER = typer.Option(False, "--lower", help="Write all messages in lower case first")
CLASSES = typer.Option(
    "",
    help=f"Classes to find besides, with commas between them, or all: {', '.join(OPTIONAL_LABELS)}",
)
TEXT_FIELDS = typer.Option(
    ["text"],
    "--text-field",
    "--text-path",
    help="Column with a text, or its path in JSON: 'messages[*].text'; may be given several times",
)
CONVERSATION_FIELD = typer.Option(
    "conversation",
    "--conversation-field",
    "--conversation-path",
    help="Column with the conversation's id, which a row may lack",
)
IN_FORMAT = typer.Option(None, help="Format of IN; default: by its name, else jsonl")
ENCODING = typer.Option(
    None, help="Encoding of a CSV file, and of what is made of it; default: found out"
)
NO_HEADER = typer.Option(
    False,
    "--no-header",
    help="The first row of a CSV file is a message; columns are numbers, from 1",
)


def is_default(context: typer.Context, name: str) -> bool:
    """Whether nobody has named its value."""
    source = context.get_parameter_source(name)
    return source is None or source.name == "DEFAULT"


def make_reading(
    in_format: FormatName | None,
    delimiter: str,
    encoding: Encoding | None,
    no_header: bool,
    settings: Settings,
) -> Reading:
    options = ReadOptions(
        delimiter=delimiter,
        encoding=encoding.value if encoding else "",
        has_header=not no_header,
        paths=settings.make_paths(),
    )
    return Reading(in_format.value if in_format else "", options)


# Options of `run` and `scan` that are gone, and the line of the file of --config to write instead.
GONE = read_words(__file__, "gone_options.txt")


class ConfiguredCommand(TyperCommand):
    """A command that tells where an option went that is gone."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for name in (arg.partition("=")[0] for arg in args):
            if name in GONE:
                line = " ".join(GONE[name]).replace("] ", "] and ")
                way = f"write {line} into the file of --config."
                if not line:
                    way = "on several machines, use Spark or Ray Data with make_partition_function."
                raise typer.BadParameter(f"{name} is gone: {way}")
        return super().parse_args(ctx, args)
