"""The command `stories`."""

import typer

from ..runs.in_files import find_files, open_files, settle_encodings
from ..runs.run_settings import Settings
from ..stories.finder import StoryFinder
from ..stories.listing import read_stories, write_list
from ..tables.errors import FileError
from ..tables.formats import JSONL, Format, guess_format
from ..tables.places import Place, demand_new
from . import options
from .stopping import ending_cleanly
from .terminal import show, wrong_usage


def stories(
    context: typer.Context,
    in_path: str = typer.Argument(
        ..., metavar="IN", help="De-identified table: file, folder, pattern (in quotes), address"
    ),
    out_path: str = typer.Argument(..., metavar="OUT", help="The list: a .jsonl or .csv file"),
    text_fields: list[str] = options.TEXT_FIELDS,
    conversation_field: str = options.CONVERSATION_FIELD,
    in_format: options.FormatName | None = options.IN_FORMAT,
    no_header: bool = options.NO_HEADER,
    encoding: options.Encoding | None = options.ENCODING,
    overwrite: bool = typer.Option(
        False, "--overwrite", "--force", help="Replace a list that is there"
    ),
) -> None:
    """List what still tells who somebody is in a de-identified table: rare diagnoses, jobs, events, families.
    A conversation a row, those with several kinds first.

    A conversation that is not listed is not anonymous. OUT quotes the texts: protect it as you protect IN.

    Exit code: 0 if every row was read, 1 if some could not be, 2 for wrong usage.
    """
    named = [] if options.is_default(context, "conversation_field") else [conversation_field]
    with wrong_usage(ValueError, FileError):
        out, format = Place(out_path), guess_format(out_path)
        if format not in (Format(JSONL), Format("csv")):
            raise FileError(f"OUT: {out} must end in .jsonl or .csv.")
        settings = Settings(
            text_fields=tuple(dict.fromkeys(text_fields)),
            conversation_field=conversation_field,
            language_field="",
        )
        reading = options.make_reading(in_format, "", encoding, no_header, settings)
        files = settle_encodings(find_files(Place(in_path), reading)[0])
        if out.identity in (Place(file.path).identity for file in files):
            raise FileError("OUT would take the place of IN: name another file.")
        demand_new([out], overwrite)
        with open_files(files, settings, named) as sources, ending_cleanly(lambda: ""):
            read, rejects = read_stories(sources, settings, StoryFinder())
            found = {name: story for name, story in read.items() if story}
            with out.create() as file:
                file.write(write_list(found, format.kind).encode())
    show(
        f"{len(found):,} of {len(read):,} conversations may tell who somebody is: {out}\n"
        "No conversation is anonymous because it is not listed."
    )
    if rejects:
        typer.echo("\n".join([f"{len(rejects):,} rows could not be read:", *rejects]), err=True)
        raise typer.Exit(1)
