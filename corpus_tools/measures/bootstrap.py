"""Confidence intervals of measures, by resampling what they were measured on."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from components.model.scoring import Scores
from corpus_tools.formats.jsonl import Row, group_conversations

RESAMPLES = 1000
LEVEL = 0.95


class Interval(NamedTuple):
    """Where a measure would lie on other messages of the same kind."""

    low: float
    high: float


def number_units(messages: Sequence[Row]) -> list[int]:
    """Number what is resampled: whole conversations, as one writer's turns are alike, and messages
    that belong to none.

    messages (Sequence[Row]): The messages, some with `conversation`.
    RETURNS (list[int]): The number of each message's unit, from 0 without gaps.
    """
    numbers = [0] * len(messages)
    for number, places in enumerate(group_conversations(messages)):
        for place in places:
            numbers[place] = number
    return numbers


def get_intervals(
    units: Sequence[Scores], labels: Sequence[str], *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Interval]:
    """Estimate the interval of each measure: the middle 95 % of its values on samples of as many
    units, drawn with replacement. The same seed draws the same units, so that systems scored on
    the same messages are compared on the same samples. Where all is right, the interval is a point:
    it tells of the messages measured, and no more.

    units (Sequence[Scores]): The counts of each unit.
    labels (Sequence[str]): The classes whose measures are wanted.
    resamples (int): How many samples are drawn.
    seed (int): Of the draw.
    RETURNS (dict[str, Interval]): By the names of `Scores.get_ratios`; measures that nothing can be
        counted for are left out.

    Efron (1979): Bootstrap methods: another look at the jackknife (the percentile method).
    """
    if not units:
        return {}
    ratios = [unit.get_ratios(labels) for unit in units]
    sums = resample(np.array([[*row.values()] for row in ratios]), resamples=resamples, seed=seed)
    intervals = {}
    for name, parts, wholes in zip(ratios[0], sums[..., 0].T, sums[..., 1].T):
        counted = wholes > 0
        if counted.any():
            intervals[name] = get_middle(parts[counted] / wholes[counted])
    return intervals


def resample(counts: np.ndarray, *, resamples: int = RESAMPLES, seed: int = 0) -> np.ndarray:
    """Sum the counts of as many units as there are, drawn with replacement.

    counts (np.ndarray): Numbers, a unit for each of the first axis.
    resamples (int): How many samples are drawn.
    seed (int): Of the draw.
    RETURNS (np.ndarray): The sums, a sample for each of the first axis.
    """
    n_units = len(counts)
    drawn = np.random.default_rng(seed).multinomial(
        n_units, np.full(n_units, 1 / n_units), size=resamples
    )
    # Floats, as numpy multiplies matrices of whole numbers without BLAS.
    return np.tensordot(drawn.astype("f8"), counts.astype("f8"), axes=1)


def get_middle(values: np.ndarray) -> Interval:
    """Tell between which two most values lie.

    values (np.ndarray): A measure on each sample.
    RETURNS (Interval): Where the middle 95 % of them are.
    """
    low, high = np.percentile(values, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
