"""Drawing of messages."""

import re
from collections.abc import Sequence
from random import Random

from rapidfuzz import fuzz, process

from components.measures.gold import Row, group_conversations
from components.text.casing import fold

# Per cent of likeness from which on a message is the same once more.
LIKENESS = 85.0
DIGIT = re.compile(r"\d")


def draw_best(
    rows: Sequence[Row], scores: Sequence[float], number: int, likeness: float = LIKENESS
) -> tuple[list[int], int]:
    """Choose the messages with the highest scores, none of them like another: numbers and capitals make
    no difference.
    """
    chosen: list[int] = []
    texts: list[str] = []
    left_out = 0
    for place in sorted(range(len(rows)), key=lambda place: (-scores[place], place)):
        if len(chosen) == number:
            break
        text = DIGIT.sub("0", fold(rows[place]["text"]))
        if process.extractOne(text, texts, scorer=fuzz.ratio, score_cutoff=likeness):
            left_out += 1
        else:
            chosen.append(place)
            texts.append(text)
    return chosen, left_out


def draw_random(rows: Sequence[Row], number: int, seed: int) -> list[int]:
    """Draw units at random, whole conversations and messages of none, each as likely as any other.
    Nothing is left out for being like another: what is measured on the sample is to hold of all.
    """
    units = group_conversations(rows)
    drawn = Random(seed).sample(units, min(number, len(units)))
    return [place for unit in drawn for place in unit]
