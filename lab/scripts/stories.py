"""List what, in a de-identified table, may still tell who somebody is."""

import csv
import json
from io import StringIO

import typer
from wasabi import msg

from components.runs.in_files import Reading, find_files, open_files, settle_encodings
from components.runs.run_settings import Settings
from components.tables.errors import FileError
from components.tables.formats import JSONL, Format, guess_format
from components.tables.places import Place
from components.text.spreadsheet import neutralise
from lab.measures.stories import KINDS, Story, StoryFinder, read_stories
from training_tools.errors import clean_errors


def stories(
    in_path: str = typer.Argument(..., metavar="IN", help="De-identified table: file or folder"),
    out_path: str = typer.Argument(..., metavar="OUT", help="The list: a .jsonl or .csv file"),
    text_fields: list[str] = typer.Option(["text"], "--text-field", help="Column with a text"),
    conversation_field: str = typer.Option("conversation", help="Column with its id"),
) -> None:
    """List what still tells who somebody is: a conversation a row, those with several kinds first.

    A conversation that is not listed is not anonymous: lists find what is in them. OUT quotes the texts:
    protect it as you protect IN.
    """
    with clean_errors():
        out, format = Place(out_path), guess_format(out_path)
        if format is None or format not in (Format(JSONL), Format("csv")):
            raise FileError(f"OUT: {out} must end in .jsonl or .csv.")
        fields = tuple(dict.fromkeys(text_fields))
        settings = Settings(fields, conversation_field, known_field="", language_field="")
        files = settle_encodings(find_files(Place(in_path), Reading())[0])
        if out.identity in (Place(file.path).identity for file in files):
            raise FileError("OUT would take the place of IN: name another file.")
        with open_files(files, settings) as sources:
            read, rejects = read_stories(sources, settings, StoryFinder())
        found = {name: story for name, story in read.items() if story}
        with out.create() as file:
            file.write(write_list(found, format.kind).encode())
    msg.good(f"{len(found):,} of {len(read):,} conversations may tell who somebody is", out)
    msg.text("No conversation is anonymous because it is not listed.")
    if rejects:
        msg.fail(f"{len(rejects):,} rows could not be read", "\n".join(rejects))
        raise typer.Exit(1)


def write_list(found: dict[str, Story], kind: str) -> str:
    """RETURNS (str): A conversation a line, as JSON or as cells that no spreadsheet calculates."""
    text = StringIO(newline="")
    if kind == JSONL:
        rows = ({"conversation": name, "words": words} for name, words in found.items())
        text.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        writer = csv.writer(text)
        writer.writerow(["conversation", "kinds", *map(str.lower, KINDS)])
        for name, words in found.items():
            cells = ["; ".join(words.get(kind, ())) for kind in KINDS]
            writer.writerow(map(neutralise, [name, str(len(words)), *cells]))
    return text.getvalue()


if __name__ == "__main__":
    typer.run(stories)
