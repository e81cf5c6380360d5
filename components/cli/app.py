"""The command line: `sv-deid-chat` with its subcommands, and each of them alone."""

from collections.abc import Callable

import typer
from spacy.language import Language

from ..reports.run_facts import describe_pipeline
from .annotate_command import annotate
from .evaluate_command import evaluate
from .explain_command import explain_message
from .gate_command import gate
from .info_command import info
from .options import ConfiguredCommand
from .restore_command import restore
from .run_command import deidentify
from .scan_command import scan
from .serve_command import serve
from .stories_command import stories
from .terminal import Terminal, show

COMMANDS: dict[str, Callable[..., None]] = {
    "run": deidentify,
    "explain": explain_message,
    "evaluate": evaluate,
    "gate": gate,
    "info": info,
    "scan": scan,
    "stories": stories,
    "restore": restore,
    "serve": serve,
    "annotate": annotate,
}


def make_app(load: Callable[[], Language], command: str = "") -> typer.Typer:
    """Make the command line.

    command (str): One of `COMMANDS`, to be called without its name. Default: all of them.
    """
    # No completion, and plain text: Rich would break what is to be copied from an error into boxed lines,
    # and its tracebacks show messages.
    app = Terminal(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
    for name in [command] if command else COMMANDS:
        kind = ConfiguredCommand if name in ("run", "scan") else None
        app.command(name, cls=kind, context_settings={"obj": load})(COMMANDS[name])
    if not command:

        def tell_version(asked: bool) -> None:
            if asked:
                versions = describe_pipeline(load())["versions"]
                show("\n".join(f"{name} {value}" for name, value in versions.items()))
                raise typer.Exit

        @app.callback()
        def describe(
            version: bool = typer.Option(
                False,
                "--version",
                is_eager=True,
                callback=tell_version,
                help="Print the versions of the pipeline and of what it runs on",
            ),
        ) -> None:
            """sv_deid_chat replaces personal details in Swedish health care chat messages, so that the messages
            can be kept, studied and shared with less risk to the people in them; it is not intended for the
            care of any patient.
            """

    return app


def main(load: Callable[[], Language], command: str = "") -> None:
    """Run the command line.

    command (str): One of `COMMANDS`. Default: its name is the first argument.
    """
    make_app(load, command)()
