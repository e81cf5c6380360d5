"""What was marked as an original that was missed, beside what was."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from components.measures.bootstrap import RESAMPLES, get_middle_ratio, resample
from components.measures.spans import Bounds, CharSpan

# Leaks, those of them that were marked, marks, those of them that lie on a leak, those on a surrogate.
COUNTS = ("leaks", "told", "marks", "right", "on_surrogates")
SHARES = {"recall": ("told", "leaks"), "precision": ("right", "marks")}


class Marked(NamedTuple):
    """A message and what somebody marked in it.

    unit (int): Its conversation, as a number.
    marks (Collection[Bounds]): What was marked.
    leaks (Collection[CharSpan]): What was missed.
    surrogates (Collection[CharSpan]): What stands in place of something.
    stays (Collection[CharSpan]): What is meant to stay. A mark on it is neither right nor wrong.
    """

    unit: int
    marks: Collection[Bounds]
    leaks: Collection[CharSpan]
    surrogates: Collection[CharSpan]
    stays: Collection[CharSpan]


def touches(one: Sequence[Any], others: Collection[Sequence[Any]]) -> bool:
    """RETURNS (bool): Whether a span has a character in common with any of others."""
    return any(one[0] < other[1] and other[0] < one[1] for other in others)


def measure_marks(messages: Sequence[Marked], seed: int = 0) -> dict[str, Any]:
    """Measure marks.

    messages (Sequence[Marked]): The messages, of one who marked or of several.
    seed (int): Of the samples that the intervals come from.
    RETURNS (dict[str, Any]): Counts of `COUNTS`; `recall`, the share of the leaks that were marked;
        `precision`, the share of the marks that lie on one; their `intervals`, by bootstrap over
        conversations; `base`, the share of leaks among leaks and surrogates, the precision of who marks
        these at random; and by class of leak how many were there and told (`classes`).
    """
    units: dict[int, Counter[str]] = {}
    classes: dict[str, Counter[str]] = {}
    surrogates = 0
    for message in messages:
        surrogates += len(message.surrogates)
        unit = units.setdefault(message.unit, Counter())
        for leak in message.leaks:
            counted = Counter(leaks=1, told=touches(leak, message.marks))
            unit.update(counted)
            classes.setdefault(leak[2], Counter()).update(counted)
        for mark in message.marks:
            right, on = touches(mark, message.leaks), touches(mark, message.surrogates)
            if right or on or not touches(mark, message.stays):
                unit.update(marks=1, right=right, on_surrogates=on and not right)
    counts = np.array([[unit[name] for name in COUNTS] for unit in units.values()])
    sums = dict(zip(COUNTS, map(int, counts.sum(axis=0))))
    drawn = dict(zip(COUNTS, resample(counts, resamples=RESAMPLES, seed=seed).T))
    return {
        **sums,
        **{name: _divide(sums[part], sums[whole]) for name, (part, whole) in SHARES.items()},
        "intervals": {
            name: list(interval)
            for name, (part, whole) in SHARES.items()
            if (interval := get_middle_ratio(drawn[part], drawn[whole]))
        },
        "base": _divide(sums["leaks"], sums["leaks"] + surrogates),
        "classes": {label: dict(classes[label]) for label in sorted(classes)},
    }


def _divide(part: int, whole: int) -> float | None:
    return part / whole if whole else None
