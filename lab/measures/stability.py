"""The same message in another form: what is changed, and whether the entities fare as before."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from components.conversations.conversation import pipe_conversations
from components.measures.bootstrap import Interval, get_middle_ratio, number_units, resample
from components.measures.gold import Row, process_gold
from lab.measures.mutations import MUTATIONS
from training_tools.generator.filling import Segment
from training_tools.generator.natural import cut
from training_tools.generator.noise import Style, apply, assemble

Change = Callable[[Row, Random], Row]
"""Writes a message in another way. The spans keep their order."""
Reading = Callable[[Language, Sequence[Row], Random], list[Doc]]
"""Reads messages in another way."""

NEIGHBOURS = 3
WHOLE, AS_OTHER, LEFT = "whole", "as another class", "left"


def _around(change: Callable[[str], str], row: Row, rng: Random) -> Row:
    """Change what stands around the entities."""
    return _join(row, (s if s.label else replace(s, text=change(s.text)) for s in cut(row)))


def _join(row: Row, segments: Iterable[Segment]) -> Row:
    text, spans = assemble([*segments])
    return {**row, "text": text, "spans": spans}


def _in_style(style: Style, row: Row, rng: Random) -> Row:
    text, spans = apply([*cut(row)], style, rng)
    return {**row, "text": text, "spans": spans}


def _in_case(name: str, row: Row, rng: Random) -> Row:
    return {**row, "text": MUTATIONS[name](row["text"], rng)}


def _quote(row: Row, rng: Random) -> Row:
    """Quote a message, as mail programs do."""
    quoted = _around(lambda text: text.replace("\n", "\n> "), row, rng)
    return _join(row, [Segment("> ", None, -1, False), *cut(quoted)])


CHANGES: dict[str, Change] = {
    "layout: a line for each sentence": partial(
        _around, lambda text: re.sub(r"(?<=[.!?]) +(?=\S)", "\n", text)
    ),
    "layout: all on one line": partial(_around, lambda text: re.sub(r" *\n\s*", " ", text)),
    "layout: no space behind punctuation": partial(_in_style, Style(spacing=1.0)),
    "layout: quoted": _quote,
    "casing: lower": partial(_in_case, "lower case"),
    "casing: capitals": partial(_in_case, "capitals"),
    "typos: one word in twenty": partial(_in_style, Style(typos=0.05)),
    "typos: no dots and rings (aao)": partial(_in_style, Style(bare_letters=True)),
    "typos: chat words": partial(_in_style, Style(chatty=1.0)),
}


def _among_others(nlp: Language, rows: Sequence[Row], rng: Random) -> list[Doc]:
    """Read each message in a conversation with some that have nothing to do with it."""
    order = rng.sample(range(len(rows)), len(rows))
    size = NEIGHBOURS + 1
    chunks = [order[at : at + size] for at in range(0, len(order), size)]
    talks = pipe_conversations(nlp, ([rows[i]["text"] for i in chunk] for chunk in chunks))
    docs = {
        i: doc for chunk, talk in zip(chunks, talks) for i, doc in zip(chunk, talk, strict=True)
    }
    return [docs[i] for i in range(len(rows))]


def _one_by_one(nlp: Language, rows: Sequence[Row], rng: Random) -> list[Doc]:
    return [doc for row in rows for doc in process_gold(nlp, [row])]


def _in_another_order(nlp: Language, rows: Sequence[Row], rng: Random) -> list[Doc]:
    order = rng.sample(range(len(rows)), len(rows))
    docs = dict(zip(order, process_gold(nlp, [rows[i] for i in order])))
    return [docs[i] for i in range(len(rows))]


READINGS: dict[str, Reading] = {
    f"neighbours: among {NEIGHBOURS} other messages": _among_others,
    "batch: one by one": _one_by_one,
    "batch: in another order": _in_another_order,
}


def get_fates(row: Row, doc: Doc) -> list[str]:
    """RETURNS (list[str]): For each entity of a message whether it is covered with its class, otherwise,
    or left.
    """
    label_of = {i: ent.label_ for ent in doc.ents for i in range(ent.start_char, ent.end_char)}
    fates = []
    for span in row["spans"]:
        signs = [i for i in range(span["start"], span["end"]) if doc.text[i].isalnum()]
        labels = {label_of.get(i) for i in signs}
        fates.append(LEFT if None in labels else WHOLE if labels == {span["label"]} else AS_OTHER)
    return fates


def measure_stability(
    nlp: Language, rows: Sequence[Row], seed: int = 0
) -> dict[str, dict[str, int | Interval | None]]:
    """Count the entities whose fate changes with the form of their message.

    nlp (Language): The pipeline.
    rows (Sequence[Row]): Annotated messages.
    seed (int): Of the changes.
    RETURNS (dict): By change: the `messages` that it touches, their `entities`, how many of these are
        `changed`, `lost` and `won`, and the `interval` of the share that is changed.
    """
    rows = [row for row in rows if row["spans"]]
    before = [get_fates(row, doc) for row, doc in zip(rows, process_gold(nlp, rows))]
    figures = {}
    for name, change in CHANGES.items():
        rng = Random(f"{seed} {name}")
        written = [change(row, rng) for row in rows]
        touched = [i for i, row in enumerate(rows) if written[i]["text"] != row["text"]]
        docs = process_gold(nlp, [written[i] for i in touched])
        after = [get_fates(written[i], doc) for i, doc in zip(touched, docs)]
        figures[name] = compare([rows[i] for i in touched], [before[i] for i in touched], after)
    for name, read in READINGS.items():
        docs = read(nlp, rows, Random(f"{seed} {name}"))
        after = [get_fates(row, doc) for row, doc in zip(rows, docs)]
        figures[name] = compare(rows, before, after)
    return figures


def compare(
    rows: Sequence[Row], before: Sequence[Sequence[str]], after: Sequence[Sequence[str]]
) -> dict[str, int | Interval | None]:
    """Count the entities whose fate changes.

    rows (Sequence[Row]): The messages.
    before (Sequence[Sequence[str]]), after (Sequence[Sequence[str]]): What `get_fates` gives of each.
    RETURNS (dict): See `measure_stability`.
    """
    counts = np.zeros((len(rows), 4), dtype=int)
    for own, old, new in zip(counts, before, after):
        pairs = [*zip(old, new, strict=True)]
        own[:] = (
            sum(a != b for a, b in pairs),
            len(pairs),
            sum(a != LEFT == b for a, b in pairs),
            sum(a == LEFT != b for a, b in pairs),
        )
    units = np.zeros((max(number_units(rows), default=-1) + 1, 2), dtype=int)
    np.add.at(units, number_units(rows), counts[:, :2])
    changed, entities, lost, won = counts.sum(axis=0).tolist()
    return {
        "messages": len(rows),
        "entities": entities,
        "changed": changed,
        "lost": lost,
        "won": won,
        "interval": get_middle_ratio(*resample(units).T) if rows else None,
    }
