"""Annotated messages with something changed: the casing of their names, their annotation."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from components.measures.gold import Row
from components.shared.labels import LABELS, NAMES

# How names were written in the records of Sánchez 2020, 4.2.3: in title case, capitals, small
# letters.
MIXED = {"title": 0.65, "upper": 0.33, "lower": 0.02}
CASES: Mapping[str, Callable[[str], str]] = {
    "title": str.title,
    "lower": str.lower,
    "upper": str.upper,
}


def case_names(rows: Sequence[Row], casing: str, seed: int = 0) -> list[Row]:
    """Write the names of persons, places and organisations in another casing, letter by letter:
    where that takes more letters, the name stays as it is.

    rows (Sequence[Row]): The messages.
    casing (str): `title`, `lower`, `upper`; or `mixed`, drawn again for each name.
    seed (int): Of the draw.
    RETURNS (list[Row]): The messages, with the same spans.
    """
    rng = Random(seed)
    cased = []
    for row in rows:
        text = row["text"]
        for span in row["spans"]:
            if span["label"] not in NAMES:
                continue
            kind = casing if casing in CASES else rng.choices([*MIXED], [*MIXED.values()])[0]
            name = CASES[kind](text[span["start"] : span["end"]])
            if len(name) == span["end"] - span["start"]:
                text = text[: span["start"]] + name + text[span["end"] :]
        cased.append({**row, "text": text})
    return cased


def spoil(rows: Sequence[Row], share: float, seed: int = 0) -> list[Row]:
    """Spoil annotation as tired annotators do: half of the spans that are drawn are left out, the
    others get another class.

    rows (Sequence[Row]): The messages.
    share (float): How many of the spans are drawn, 0 to 1.
    seed (int): Of the draw.
    RETURNS (list[Row]): The messages, the same texts.
    """
    rng = Random(seed)
    spoiled = []
    for row in rows:
        spans = []
        for span in row["spans"]:
            fate = rng.random()
            if fate < share / 2:
                continue
            if fate < share:
                others = [label for label in LABELS if label != span["label"]]
                span = {**span, "label": rng.choice(others)}
            spans.append(span)
        spoiled.append({**row, "spans": spans})
    return spoiled
