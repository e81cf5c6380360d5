"""List what, in a de-identified table, may still tell who somebody is: a reader's list, no proof."""

import csv
import json
from io import TextIOWrapper
from pathlib import Path

import typer
from wasabi import msg

from components.runs.in_files import Reading, find_files, open_files, settle_encodings
from components.runs.run_settings import Settings
from components.tables.errors import FileError
from components.tables.formats import JSONL, guess_format
from components.tables.places import Place
from components.text.spreadsheet import neutralise
from components.measures.formats.registry import chat_language
from lab.measures.stories import FOLDER, KINDS, Story, StoryFinder, read_stories
from training_tools.errors import clean_errors

FORMATS = (JSONL, "csv")


def stories(
    in_path: str = typer.Argument(..., metavar="IN", help="De-identified table: file, folder, pattern"),
    out_path: str = typer.Argument(..., metavar="OUT", help="The list, JSONL or CSV"),
    text_fields: list[str] = typer.Option(["text"], "--text-field", help="Column with a text"),
    conversation_field: str = typer.Option("conversation", help="Column with the conversation's id"),
    lists: Path = typer.Option(FOLDER, help="Folder of the lists and patterns"),
) -> None:
    """List what still tells who somebody is: a conversation a row, several kinds together first.

    Nothing found is no proof that nothing is there: lists find only what is in them. OUT quotes the
    texts: protect it as you protect IN.
    """
    with clean_errors():
        place, format = Place(out_path), guess_format(out_path)
        if format is None or format.kind not in FORMATS or format.compression:
            raise FileError(f"OUT: {place} must end in .jsonl or .csv.")
        settings = Settings(
            text_fields=tuple(dict.fromkeys(text_fields)),
            conversation_field=conversation_field,
            known_field="",
            language_field="",
        )
        files = settle_encodings(find_files(Place(in_path), Reading())[0])
        if place.identity in (Place(file.path).identity for file in files):
            raise FileError("OUT would take the place of IN: name another file.")
        finder = StoryFinder(chat_language(), lists)
        with open_files(files, settings) as sources:
            found, n_read, rejects = read_stories(sources, settings, finder)
        with place.create() as file:
            text = TextIOWrapper(file, encoding="utf8", newline="")
            write_stories(found, text, format.kind)
            text.flush()
            text.detach()
    msg.good(f"{len(found):,} of {n_read:,} conversations hold what may tell who somebody is", place)
    msg.text("The others may, too. None is anonymous for not being listed.")
    if rejects:
        msg.fail("Rows that could not be read", "\n".join(rejects))
        raise typer.Exit(1)


def write_stories(found: list[Story], file: TextIOWrapper, kind: str) -> None:
    """Write a conversation a row, as JSON or as cells that a spreadsheet does not calculate."""
    if kind == JSONL:
        for story in found:
            row = {"conversation": story.name, "rows": story.rows, "words": story.words}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        return
    writer = csv.writer(file)
    writer.writerow(["conversation", "rows", "kinds", *map(str.lower, KINDS)])
    for story in found:
        words = ["; ".join(story.words.get(name, ())) for name in KINDS]
        rows = " ".join(map(str, story.rows))
        cells = [story.name, rows, str(len(story.words)), *words]
        writer.writerow([neutralise(cell) for cell in cells])


if __name__ == "__main__":
    typer.run(stories)
