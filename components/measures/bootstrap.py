"""Averages over classes, and confidence intervals by resampling what was measured on."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .gold import Row, group_conversations
from .scores import Ratio, Scores
from .spans import CharSpan, to_char_spans

RESAMPLES = 1000
LEVEL = 0.95
# Of what there are averages over classes: the prefix of the names of a class' ratios.
LEVELS = {"strict": "", "token": "token."}


class Interval(NamedTuple):
    """Where a measure would lie on other messages of the same kind."""

    low: float
    high: float


def number_units(messages: Sequence[Row]) -> list[int]:
    """Number the unit of each message, which is resampled whole: its conversation, or itself."""
    units = enumerate(group_conversations(messages))
    numbers = {place: number for number, places in units for place in places}
    return [numbers[place] for place in range(len(messages))]


def count_units(
    messages: Sequence[Row],
    found: Sequence[Sequence[CharSpan]],
    labels: Sequence[str] | None = None,
) -> list[Scores]:
    """Count what was found, for each conversation and each message of none."""
    units = []
    for places in group_conversations(messages):
        unit = Scores(labels)
        for place in places:
            message = messages[place]
            unit.add(message["text"], to_char_spans(message["spans"]), found[place])
        if messages[places[0]].get("conversation"):
            unit.close_conversation()
        units.append(unit)
    return units


def get_shares(ratios: Mapping[str, Ratio], labels: Sequence[str]) -> dict[str, float | None]:
    """Divide and average what `Scores.get_ratios` gives; None where nothing can be counted."""
    sums = {name: np.array([ratio]) for name, ratio in ratios.items()}
    averages = average_classes(sums, labels)
    return {name: ratio.share for name, ratio in ratios.items()} | {
        name: None if np.isnan(values[0]) else float(values[0]) for name, values in averages.items()
    }


def average_classes(sums: Mapping[str, np.ndarray], labels: Sequence[str]) -> dict[str, np.ndarray]:
    """Average precision, recall and F1 over classes: `macro` counts each class that is annotated or
    found once, `weighted` as often as it is annotated. A class' share counts as 0 where nothing can
    be divided, as in scikit-learn.
    """
    averages: dict[str, np.ndarray] = {}
    for level, prefix in LEVELS.items() if labels else ():
        parts, wholes = (
            np.array(
                [
                    [sums[f"per_class.{label}.{prefix}{name}"][:, i] for name in "prf"]
                    for label in labels
                ]
            )
            for i in (0, 1)
        )
        shares = np.divide(parts, wholes, out=np.zeros(parts.shape), where=wholes > 0)
        # The whole of F1 is what is annotated and what is found, that of recall what is annotated.
        for kind, weights in (("macro", (wholes[:, 2] > 0) * 1.0), ("weighted", wholes[:, 1])):
            total = weights.sum(axis=0)
            summed = (shares * weights[:, None]).sum(axis=0)
            values = np.divide(summed, total, out=np.full(summed.shape, np.nan), where=total > 0)
            averages |= {f"{level}_{kind}.{name}": row for name, row in zip("prf", values)}
    return averages


def get_intervals(
    units: Sequence[Scores], labels: Sequence[str], *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Interval]:
    """Estimate the interval of each measure: the middle 95 % of its values on samples of as many
    units, drawn with replacement. The same seed draws the same units, so that systems scored on
    the same messages are compared on the same samples. Where all is right, the interval is a point:
    it tells of the messages measured, and no more.

    RETURNS (dict[str, Interval]): By the names of `get_shares`, without measures that nothing can be counted
        for.

    Efron (1979): Bootstrap methods: another look at the jackknife (the percentile method).
    """
    if not units:
        return {}
    ratios = [unit.get_ratios(labels) for unit in units]
    drawn = resample(np.array([[*row.values()] for row in ratios]), resamples=resamples, seed=seed)
    sums = dict(zip(ratios[0], np.moveaxis(drawn, 1, 0)))
    values = {name: _divide(*counts.T) for name, counts in sums.items()}
    return get_middles(values | average_classes(sums, labels))


def resample(counts: np.ndarray, *, resamples: int = RESAMPLES, seed: int = 0) -> np.ndarray:
    """Sum the counts of as many units as there are, drawn with replacement.

    RETURNS (np.ndarray): The sums, a sample for each of the first axis.
    """
    n_units = len(counts)
    drawn = np.random.default_rng(seed).multinomial(
        n_units, np.full(n_units, 1 / n_units), size=resamples
    )
    # Floats, as numpy multiplies matrices of whole numbers without BLAS.
    return np.tensordot(drawn.astype("f8"), counts.astype("f8"), axes=1)


def get_middle_ratio(parts: np.ndarray, wholes: np.ndarray) -> Interval | None:
    """RETURNS (Interval | None): Where the middle 95 % of the ratios of samples are; None if nothing can be
    divided.
    """
    return get_middles({"": _divide(parts, wholes)}).get("")


def _divide(parts: np.ndarray, wholes: np.ndarray) -> np.ndarray:
    return parts[wholes > 0] / wholes[wholes > 0]


def get_middles(samples: Mapping[str, np.ndarray]) -> dict[str, Interval]:
    """RETURNS (dict[str, Interval]): Where the middle 95 % of the values of measures are, without nan; measures
    that have none are left out.
    """
    counted = {name: values[~np.isnan(values)] for name, values in samples.items()}
    return {name: get_middle(values) for name, values in counted.items() if len(values)}


def get_middle(values: np.ndarray) -> Interval:
    """RETURNS (Interval): Where the middle 95 % of the values of a measure are."""
    low, high = np.percentile(values, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
