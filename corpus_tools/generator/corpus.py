"""Makes the splits of the corpus out of skeletons and lists."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from components.swedish.lists import Lists
from corpus_tools.formats.jsonl import Row, read_messages
from corpus_tools.generator.filling import Filler
from corpus_tools.generator.noise import MIN_SWAPPED, Style, apply, draw_style, gather_words
from corpus_tools.generator.people import split_of
from corpus_tools.generator.skeletons import Unit

SPLITS = ("train", "dev", "test")
# What share of the training a user's own messages make up, and how often one may be repeated.
EXTRA_SHARE, MOST_REPEATS = 0.25, 10


def partition(units: list[Unit]) -> dict[str, list[Unit]]:
    """Deal the skeletons out: each split has its own, conversations go as a whole.

    units (list[Unit]): all skeletons.
    RETURNS (dict[str, list[Unit]]): the skeletons of each split. Messages that say the same,
        whatever file they are in, fall into the same split.
    """
    parts: dict[str, list[Unit]] = {split: [] for split in SPLITS}
    for unit in units:
        parts[split_of(unit.digest)].append(unit)
    return parts


def make_split(
    units: list[Unit], lists: Lists, split: str, size: int, seed: int, invent: float
) -> list[Row]:
    """Make the messages of a split. All skeletons are used equally often, but for the last round.

    units (list[Unit]): the skeletons of the split.
    lists (Lists): the word lists.
    split (str): `train`, `dev` or `test`.
    size (int): how many messages to make.
    seed (int): the same seed gives the same messages.
    invent (float): the share of names, places and organisations that are in no list.
    RETURNS (list[Row]): the messages; fewer than `size` if no skeleton is short enough to fill
        the last places.
    """
    if size and not units:
        raise ValueError(f"No skeleton falls into the split {split!r}: write some more messages")
    filler = Filler(lists, split, invent)
    words = gather_words(turn.source for unit in units for turn in unit.turns)
    for name in ("words", "words_foreign"):
        words += [row["word"] for row in lists.get(name, []) if len(row["word"]) >= MIN_SWAPPED]
    rows: list[Row] = []
    turn = 0
    while True:
        order = list(units)
        Random(f"{seed}/{split}/{turn}").shuffle(order)
        before = len(rows)
        for unit in order:
            if len(rows) + len(unit.turns) <= size:
                made = fill(unit, filler, Random(f"{seed}/{split}/{turn}/{unit.digest}"), words)
                for row in made:
                    row["id"] = f"{split}-{len(rows):06d}"
                    if unit.is_conversation:
                        row["conversation"] = f"{split}-{unit.digest[:8]}-{turn}"
                    rows.append(row)
        turn += 1
        if len(rows) == before:
            return rows


def fill(unit: Unit, filler: Filler, rng: Random, words: Sequence[str] = ()) -> Iterator[Row]:
    """Fill one skeleton and type it out.

    unit (Unit): a single message or a conversation.
    filler (Filler): fills the slots.
    rng (Random): the source of chance.
    words (Sequence[str]): ordinary words that may take the place of others.
    YIELDS (Row): its messages; within a conversation everybody keeps to one way of typing.
    """
    styles: dict[str | None, Style] = {}
    for number, (turn, segments) in enumerate(zip(unit.turns, filler.fill(unit, rng)), start=1):
        if turn.author not in styles:
            styles[turn.author] = draw_style(turn.author, rng)
        text, spans = apply(segments, styles[turn.author], rng, words)
        row: Row = {"id": "", "text": text, "spans": spans, "skeleton": unit.name}
        if unit.is_conversation:
            row |= {"conversation": "", "turn": number, "author": turn.author}
        yield row


def read_extra(path: Path, size: int) -> list[Row]:
    """Read a user's own messages for the training.

    path (Path): a JSONL file in the format of the annotation guidelines.
    size (int): how many made messages they go along with.
    RETURNS (list[Row]): the messages, repeated until they make up a quarter of the whole, but
        ten times at most.
    """
    rows = read_messages(path)
    if not rows:
        raise ValueError(f"{path} holds no messages")
    wanted = size * EXTRA_SHARE / (1 - EXTRA_SHARE)
    repeats = max(1, min(MOST_REPEATS, round(wanted / len(rows))))
    return [{**row, "id": f"{row['id']}/{turn}"} for turn in range(repeats) for row in rows]
