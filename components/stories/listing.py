"""Lists, of tables, which conversations may tell who somebody is."""

import csv
import json
from io import StringIO

from ..rules.regex import RunawayRegexError
from ..runs.in_files import Sources
from ..runs.rows import read_row
from ..runs.run_settings import Settings
from ..tables.formats import JSONL
from ..text.spreadsheet import neutralise
from .finder import KINDS, StoryFinder

# The words of a conversation, by kind.
Story = dict[str, list[str]]


def read_stories(
    sources: Sources, settings: Settings, finder: StoryFinder
) -> tuple[dict[str, Story], list[str]]:
    """Read tables, and gather what is found in each conversation. A row of none is one of its own.

    RETURNS (tuple[dict[str, Story], list[str]]): The conversations, those with most kinds first, then those with
        most words; which rows could not be read, and why.
    """
    stories: dict[str, Story] = {}
    rejects: list[str] = []
    for file, source in zip(sources.files, sources):
        for record in source.scan():
            where = f"{file.name}, {source.counts} {record.line}"
            row = read_row(record, record.line, settings)
            try:
                found = [(text, finder.find(text)) for text in row.texts.values()]
            except RunawayRegexError:
                row.reason = "a pattern takes too long on it"
            if row.reason:
                rejects.append(f"{where}: {row.reason}")
                continue
            story = stories.setdefault(row.conversation or where, {})
            for text, finds in found:
                for start, end, kind in finds:
                    # Each word once, in the order of the table.
                    word = " ".join(text[start:end].split())
                    story[kind] = [*dict.fromkeys([*story.get(kind, ()), word])]
    order = {name: (-len(own), -sum(map(len, own.values()))) for name, own in stories.items()}
    return {name: stories[name] for name in sorted(order, key=order.__getitem__)}, rejects


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
