"""Which messages to annotate, and how many units it takes to know the leak rate."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from rapidfuzz import fuzz, process

from components.measures.gate import get_upper_bound
from components.measures.gold import Row, group_conversations
from components.text.casing import fold
from training_tools.binomial import count_for_bound
from training_tools.report.outcome import Outcome, Table

# Per cent of likeness from which on a message is the same once more.
LIKENESS = 85.0
BOUNDS = (0.1, 0.05, 0.02, 0.01, 0.005)
LEAKS = (0, 1, 2, 5, 10)
DIGIT = re.compile(r"\d")


def draw_best(
    rows: Sequence[Row], scores: Sequence[float], number: int, likeness: float = LIKENESS
) -> tuple[list[int], int]:
    """Choose the messages with the highest scores, none like another but for numbers and capitals."""
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
    """Draw whole conversations and messages of none at random, so that what is measured holds of all."""
    units = group_conversations(rows)
    drawn = Random(seed).sample(units, min(number, len(units)))
    return [place for unit in drawn for place in unit]


def make_outcome(figures: dict[str, Any]) -> Outcome:
    max_leak, delta, units = figures["max_leak"], figures["delta"], figures["units"]
    names = {"phi": "PHI tokens expected", "entropy": "entropy, bits", "margin": "1 - margin"}
    rows = [
        [shown, *(f"{figures['mean'][name][which]:.3f}" for which in ("chosen", "all"))]
        for name, shown in names.items()
    ]
    wanted = [count_for_bound(max_leak, leaks, delta) for leaks in (0, 1, 2)]
    says = (
        f"{figures['messages']} of {figures['of']} messages chosen by {figures['by']}, "
        f"{figures['left_out']} left out as they are like others. To promise that at most "
        f"{max_leak:g} of conversations leak, with confidence {1 - delta:g}, it takes "
        f"{wanted[0]} drawn at random of which none leaks, {wanted[1]} if one does, {wanted[2]} if "
        f"two do; the {units} units here, at random and without a leak, promise "
        f"{get_upper_bound(0, units, delta):.4f}."
    )
    return Outcome(
        name="sample",
        title="What to annotate, and how much?",
        says=says,
        figures=figures,
        tables=[
            Table("The chosen messages and all, means", ["", "chosen", "all"], rows),
            tabulate_bounds([*BOUNDS, max_leak], delta),
        ],
    )


def tabulate_bounds(bounds: Sequence[float], delta: float) -> Table:
    """Tabulate how many units a promise needs."""
    rows = [
        [f"{bound:g}", *(str(count_for_bound(bound, leaks, delta)) for leaks in LEAKS)]
        for bound in sorted({*bounds}, reverse=True)
    ]
    title = f"Units needed to promise a leak rate with confidence {1 - delta:g}, by how many leak"
    return Table(title, ["at most", *(f"{leaks} leak" for leaks in LEAKS)], rows)
