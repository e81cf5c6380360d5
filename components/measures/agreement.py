"""Agreement of annotators over tokens and spans: each two of them, and the mean of the pairs."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..shared.labels import LABELS
from .bootstrap import RESAMPLES, get_middles, number_units, resample
from .gold import Row
from .spans import to_char_span

# Of each message what every annotator who has read it made of it, by name.
Matched = list[dict[str, Row]]
# As in `Scores`: runs of letters and digits, and any other character.
TOKEN = re.compile(r"[^\W_]+|\S")
OUTSIDE = "none"
TAGS = (*LABELS, OUTSIDE)
MEASURES = ("kappa", "token_f", "f")


class Pair(NamedTuple):
    """What two annotators made of messages: tags of `TAGS` against each other, shape (n_units, 9,
    9), and by class the entities that are the same, of the one, of the other, shape (n_units, 8,
    3).
    """

    names: tuple[str, str]
    messages: int
    confusion: np.ndarray
    entities: np.ndarray


def measure_agreement(
    matched: Matched, *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Any]:
    """Measure each two annotators and the mean (001, table 3), with bootstrap intervals."""
    numbers = number_units([next(iter(rows.values())) for rows in matched])
    names = sorted({name for rows in matched for name in rows})
    pairs, samples = [], []
    for one, other in combinations(names, 2):
        read = [
            (number, rows[one], rows[other])
            for number, rows in zip(numbers, matched)
            if one in rows and other in rows
        ]
        if read:
            pair = compare((one, other), read, max(numbers) + 1)
            pairs.append(pair)
            counts = (pair.confusion, pair.entities)
            drawn = [resample(units, resamples=resamples, seed=seed) for units in counts]
            samples.append(get_measures(*drawn))
    figures = [_measure_pair(pair, sample) for pair, sample in zip(pairs, samples)]
    return {
        "annotators": names,
        "messages": len(matched),
        "pairs": figures,
        "mean": _get_mean(figures, samples),
    }


def compare(names: tuple[str, str], read: Iterable[tuple[int, Row, Row]], n_units: int) -> Pair:
    """Compare what two annotators made of messages, each with the number of its unit."""
    confusion = np.zeros((n_units, len(TAGS), len(TAGS)), dtype=int)
    entities = np.zeros((n_units, len(LABELS), 3), dtype=int)
    messages = 0
    for unit, one, other in read:
        messages += 1
        np.add.at(confusion[unit], (tag_tokens(one), tag_tokens(other)), 1)
        ones, others = ({*map(to_char_span, row["spans"])} for row in (one, other))
        for column, spans in enumerate((ones & others, ones, others)):
            for *_, label in spans:
                entities[unit, LABELS.index(label), column] += 1
    return Pair(names, messages, confusion, entities)


def tag_tokens(row: Row) -> np.ndarray:
    """The tags of a message's tokens, as places in `TAGS`; a span tags each token it touches."""
    tokens = list(TOKEN.finditer(row["text"]))
    tags = np.full(len(tokens), TAGS.index(OUTSIDE))
    for span in row["spans"]:
        for number, token in enumerate(tokens):
            if token.start() < span["end"] and span["start"] < token.end():
                tags[number] = TAGS.index(span["label"])
    return tags


def get_measures(confusion: np.ndarray, entities: np.ndarray) -> dict[str, np.ndarray]:
    """Kappa, token F1 and entity F1, overall and by class; nan for nothing. Axes as in `Pair`."""
    by_one, by_other = confusion.sum(axis=-1), confusion.sum(axis=-2)
    both = np.diagonal(confusion, axis1=-2, axis2=-1)
    total = confusion.sum(axis=(-2, -1))
    inside = slice(0, len(LABELS))
    measures = {
        "kappa": _get_kappa(both.sum(axis=-1), (by_one * by_other).sum(axis=-1), total),
        "token_f": _divide(
            2 * both[..., inside].sum(axis=-1), (by_one + by_other)[..., inside].sum(axis=-1)
        ),
        "f": _divide(2 * entities[..., 0].sum(axis=-1), entities[..., 1:].sum(axis=(-2, -1))),
    }
    for place, label in enumerate(LABELS):
        one, other, same = by_one[..., place], by_other[..., place], both[..., place]
        outside = total - one - other + same
        products = one * other + (total - one) * (total - other)
        of_class = entities[..., place, :]
        measures[f"kappa.{label}"] = _get_kappa(same + outside, products, total)
        measures[f"token_f.{label}"] = _divide(2 * same, one + other)
        measures[f"f.{label}"] = _divide(2 * of_class[..., 0], of_class[..., 1:].sum(axis=-1))
    return measures


def _get_kappa(same: np.ndarray, products: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Kappa, times total² above and below."""
    total = np.asarray(total, dtype="f8")
    return _divide(same * total - products, total**2 - products)


def _divide(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    part, whole = np.asarray(part, dtype="f8"), np.asarray(whole, dtype="f8")
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)


def _measure_pair(pair: Pair, sample: dict[str, np.ndarray]) -> dict[str, Any]:
    measures = get_measures(pair.confusion.sum(axis=0), pair.entities.sum(axis=0))
    return {
        "annotators": list(pair.names),
        "messages": pair.messages,
        "tokens": int(pair.confusion.sum()),
        "entities": [int(count) for count in pair.entities.sum(axis=(0, 1))[1:]],
        **{name: None if np.isnan(value) else float(value) for name, value in measures.items()},
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
    return {name: list(interval) for name, interval in get_middles(sample).items()}
