"""Makes the splits of the corpus out of skeletons, lists and messages that are written whole."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from components.lists.lists import Lists
from components.measures.gold import Row, read_messages
from training_tools.generator.filling import Filler
from training_tools.generator.natural import Thread, gather_threads, restyle, strip
from training_tools.generator.noise import MIN_SWAPPED, Style, apply, draw_style, gather_words
from training_tools.generator.people import split_of
from training_tools.generator.pseudonyms import Pseudonyms, make_key
from training_tools.generator.skeletons import Unit

SPLITS = ("train", "dev", "test")
# What share of the training a user's own messages make up, and how often a natural message or one
# of the user's own may be repeated.
EXTRA_SHARE, MOST_REPEATS = 0.25, 10
ID_FIELDS = ("id", "conversation")


def partition(units: list[Unit]) -> dict[str, list[Unit]]:
    """Deal the skeletons out to the splits. Messages that say the same fall into the same split."""
    parts: dict[str, list[Unit]] = {split: [] for split in SPLITS}
    for unit in units:
        parts[split_of(unit.digest)].append(unit)
    return parts


def make_split(
    units: list[Unit], lists: Lists, split: str, size: int, seed: int, invent: float
) -> list[Row]:
    """Make the messages of a split, fewer than `size` if no skeleton fits into the last places."""
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
    """Fill one skeleton and type it out."""
    styles: dict[str | None, Style] = {}
    for number, (turn, segments) in enumerate(zip(unit.turns, filler.fill(unit, rng)), start=1):
        if turn.author not in styles:
            styles[turn.author] = draw_style(turn.author, rng)
        text, spans = apply(segments, styles[turn.author], rng, words)
        row: Row = {"id": "", "text": text, "spans": spans, "skeleton": unit.name}
        if unit.is_conversation:
            row |= {"conversation": "", "turn": number, "author": turn.author}
        yield row


def make_natural(
    threads: Sequence[Thread], pseudonyms: Pseudonyms | None, size: int, seed: int
) -> list[Thread]:
    """Make messages of training of natural ones, each pass with other PHI, half typed in another way."""
    made: list[Thread] = []
    left = size
    for turn in range(MOST_REPEATS):
        name = f"train-natural-{turn}"
        order = list(threads)
        Random(f"{seed}/{name}").shuffle(order)
        fitting = []
        for thread in order:
            if len(thread) <= left:
                fitting.append(thread)
                left -= len(thread)
        for thread in make_pass(fitting, pseudonyms, seed, name):
            made.append(restyle(thread, Random(f"{seed}/{thread[0]['id']}")))
    return made


def make_pass(
    threads: Sequence[Thread], pseudonyms: Pseudonyms | None, seed: int, name: str
) -> list[Thread]:
    """Make messages of annotated ones, of each once. Their ids begin with the name of the pass."""
    key = make_key(seed, name)
    made = [pseudonyms.replace(thread, key) if pseudonyms else thread for thread in threads]
    return [
        [
            {**row, **{field: f"{name}/{row[field]}" for field in ID_FIELDS if field in row}}
            for row in thread
        ]
        for thread in made
    ]


def read_extra(path: Path) -> list[Row]:
    rows = read_messages(path)
    if not rows:
        raise ValueError(f"{path} holds no messages")
    return rows


def make_extra(
    rows: Sequence[Row], pseudonyms: Pseudonyms | None, size: int, seed: int
) -> list[Thread]:
    """Make messages of training of a user's own, repeated until they make up `EXTRA_SHARE` of the whole,
    each time with other PHI. Of a line only its text is kept, as the rest may be personal.
    """
    wanted = size * EXTRA_SHARE / (1 - EXTRA_SHARE)
    repeats = max(1, min(MOST_REPEATS, round(wanted / len(rows))))
    threads = gather_threads(rows)
    if pseudonyms:
        threads = [strip(thread, number) for number, thread in enumerate(threads, start=1)]
    return [
        thread
        for turn in range(repeats)
        for thread in make_pass(threads, pseudonyms, seed, f"extra-{turn}")
    ]


def mix(threads: Iterable[Thread], seed: int) -> list[Row]:
    """Mix messages of all sources, conversations as a whole."""
    mixed = list(threads)
    Random(f"{seed}/mix").shuffle(mixed)
    return [row for thread in mixed for row in thread]
