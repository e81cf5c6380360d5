"""Messages that are written whole, with their PHI marked: `[[PERSON|Anna]]`."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from components.measures.gold import Row, Span, group_conversations
from training_tools.generator.filling import Segment
from training_tools.generator.noise import Style, apply, assemble, draw_style
from training_tools.generator.people import split_of
from training_tools.generator.skeletons import Turn, load_units

Thread = list[Row]
"""A single message, or the messages of a conversation in their order."""

# What share of the writers goes on typing as they do. They are real already; the others take a
# style, so that a message that comes several times comes in several guises.
AS_WRITTEN = 0.5
AUTHORS = ("patient", "caregiver")


def read_natural(folder: Path) -> list[Thread]:
    """Read messages that are written whole, from `singles/*.txt` and `conversations/*.txt`.

    RAISES (ValueError): If the markup is broken. Names file and line, never the text.
    """
    threads = []
    for unit in load_units(folder, slots=False):
        thread = []
        for number, turn in enumerate(unit.turns, start=1):
            text, spans = write_out(turn)
            row: Row = {"id": unit.name, "text": text, "spans": spans}
            if unit.is_conversation:
                row |= {"id": f"{unit.name}/{number}", "conversation": unit.name}
                row |= {"turn": number, "author": turn.author}
            thread.append(row)
        threads.append(thread)
    return threads


def write_out(turn: Turn) -> tuple[str, list[Span]]:
    """RETURNS (tuple[str, list[Span]]): The text of a message without its brackets, and the spans."""
    return assemble(
        [
            Segment(str(piece.content), piece.label, piece.group, piece.label is None)
            for piece in turn.pieces
        ]
    )


def gather_threads(rows: Sequence[Row]) -> list[Thread]:
    """Put the messages of each conversation together, in the order of their first message."""
    return [[rows[place] for place in places] for places in group_conversations(rows)]


def strip(thread: Thread, number: int) -> Thread:
    """Leave only what training uses. Ids and further fields of real messages may be personal, too."""
    out = []
    for turn, row in enumerate(thread, start=1):
        spans = [{key: span[key] for key in ("start", "end", "label")} for span in row["spans"]]
        bare: Row = {"id": str(number), "text": row["text"], "spans": spans}
        if "conversation" in row:
            bare |= {"id": f"{number}/{turn}", "conversation": str(number), "turn": turn}
            if row.get("author") in AUTHORS:
                bare["author"] = row["author"]
        out.append(bare)
    return out


def get_digest(thread: Thread) -> str:
    """A hash of the texts alone: a thread stays where it is dealt to when others are added."""
    text = "\n".join(f"{row.get('author')}\n{row['text']}" for row in thread)
    return hashlib.sha256(text.encode("utf8")).hexdigest()


def deal(threads: Sequence[Thread]) -> tuple[list[Thread], list[Thread]]:
    """Set a tenth aside for the dev split."""
    train: list[Thread] = []
    dev: list[Thread] = []
    for thread in threads:
        (dev if split_of(get_digest(thread)) == "dev" else train).append(thread)
    return train, dev


def restyle(thread: Thread, rng: Random) -> Thread:
    """Type messages in other ways, but half of them as they are."""
    styles: dict[str | None, Style | None] = {}
    out = []
    for row in thread:
        author = row.get("author")
        if author not in styles:
            styles[author] = None if rng.random() < AS_WRITTEN else draw_style(author, rng)
        style = styles[author]
        if style is not None:
            text, spans = apply(list(cut(row)), style, rng)
            row = {**row, "text": text, "spans": spans}
        out.append(row)
    return out


def cut(row: Row) -> Iterator[Segment]:
    """Cut a message at the edges of its spans."""
    text, end = row["text"], 0
    for group, span in enumerate(row["spans"], start=1):
        if end < span["start"]:
            yield Segment(text[end : span["start"]], None, -1, True)
        end = span["end"]
        yield Segment(text[span["start"] : end], span["label"], group, False)
    if end < len(text):
        yield Segment(text[end:], None, -1, True)
