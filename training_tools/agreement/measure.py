"""Agreement of all annotators: each two of them, and the mean of the pairs."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from components.labels import LABELS
from components.measures.bootstrap import RESAMPLES, get_middle, number_units, resample
from training_tools.agreement.matching import Matched
from training_tools.agreement.pair import (
    Pair,
    compare,
    count_units,
    get_kappa,
    get_measures,
    summarize,
)

MEASURES = ("kappa", "token_f", "f")


def measure_agreement(
    matched: Matched, *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Any]:
    """Measure the agreement of each two annotators, and its mean over the pairs (as 001, table 3). The
    intervals are of the bootstrap over conversations, all pairs on the same samples.

    matched (Matched): What the annotators made of each message.
    resamples (int): How many samples are drawn.
    seed (int): Of the draw.
    RETURNS (dict[str, Any]): `pairs`, each with `annotators`, `messages`, `tokens`, its measures, their
        `intervals`, and `differences`; their `mean`; and `differences` by class and between classes,
        of all pairs.
    """
    numbers = number_units([next(iter(rows.values())) for rows in matched])
    names = sorted({name for rows in matched for name in rows})
    pairs = []
    for one, other in combinations(names, 2):
        read = [
            (number, rows[one], rows[other])
            for number, rows in zip(numbers, matched)
            if one in rows and other in rows
        ]
        if read:
            pairs.append(compare((one, other), read))
    samples = [_resample(pair, max(numbers) + 1, resamples, seed) for pair in pairs]
    figures = [_measure_pair(pair, sample) for pair, sample in zip(pairs, samples)]
    differences = sum((pair.differences for pair in pairs), Counter[tuple[str, str, str]]())
    return {
        "annotators": names,
        "messages": len(matched),
        "pairs": figures,
        "mean": _get_mean(figures, samples),
        "differences": {
            "by_class": summarize(differences),
            "confusions": _list_confusions(differences),
        },
    }


def _resample(pair: Pair, n_units: int, resamples: int, seed: int) -> dict[str, np.ndarray]:
    counts = [
        resample(units, resamples=resamples, seed=seed) for units in count_units(pair, n_units)
    ]
    return get_measures(counts[0], counts[1])


def _measure_pair(pair: Pair, sample: dict[str, np.ndarray]) -> dict[str, Any]:
    confusion, entities = count_units(pair, max(pair.units) + 1)
    measures = get_measures(confusion.sum(axis=0), entities.sum(axis=0))
    values = {name: _as_number(value) for name, value in measures.items()}
    values["kappa"] = get_kappa(pair)
    values.update({f"kappa.{label}": get_kappa(pair, label) for label in LABELS})
    return {
        "annotators": list(pair.names),
        "messages": len(pair.units),
        "tokens": int(confusion.sum()),
        "entities": [int(count) for count in entities.sum(axis=(0, 1))[1:]],
        **values,
        "intervals": _get_intervals(sample),
    }


def _get_mean(
    figures: Sequence[dict[str, Any]], samples: Sequence[dict[str, np.ndarray]]
) -> dict[str, Any]:
    """The mean over the pairs that have a measure."""
    mean: dict[str, Any] = {}
    means: dict[str, np.ndarray] = {}
    for name in samples[0]:
        values = [pair[name] for pair in figures if pair[name] is not None]
        mean[name] = float(np.mean(values)) if values else None
        stacked = np.ma.masked_invalid([sample[name] for sample in samples])
        means[name] = stacked.mean(axis=0).filled(np.nan)
    return {**mean, "intervals": _get_intervals(means)}


def _get_intervals(sample: dict[str, np.ndarray]) -> dict[str, list[float]]:
    return {
        name: list(get_middle(values[~np.isnan(values)]))
        for name, values in sample.items()
        if not np.isnan(values).all()
    }


def _as_number(value: np.ndarray) -> float | None:
    return None if np.isnan(value) else float(value)


def _list_confusions(differences: Counter[tuple[str, str, str]]) -> list[dict[str, Any]]:
    """Which class stands against which, whoever has which, most frequent first."""
    counts: Counter[tuple[str, ...]] = Counter()
    for (one, other, _), count in differences.items():
        if one != other:
            counts[tuple(sorted((one, other)))] += count
    return [{"classes": list(pair), "spans": count} for pair, count in counts.most_common()]
