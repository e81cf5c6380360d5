"""Agreement of two annotators: what it is made of, message by message."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import cohen_kappa_score

from components.labels import LABELS
from components.measures.gold import Row, Span
from components.measures.spans import to_char_span

# As in `Scores`: runs of letters and digits, and any other character.
TOKEN = re.compile(r"[^\W_]+|\S")
OUTSIDE = "none"
TAGS = (*LABELS, OUTSIDE)

# How two spans that are not the same may differ.
AGREED, BOUNDS, CLASS, BOTH, ONE_ONLY = KINDS = (
    "agreed",
    "other bounds",
    "other class",
    "other bounds and class",
    "one only",
)
# By whether the bounds are the same, and the class.
KIND_OF = {
    (True, True): AGREED,
    (False, True): BOUNDS,
    (True, False): CLASS,
    (False, False): BOTH,
}


class Pair(NamedTuple):
    """What two annotators made of the messages that both have read.

    names (tuple[str, str]): The annotators.
    units (Sequence[int]): The number of each message's unit.
    tags (Sequence[tuple[np.ndarray, np.ndarray]]): Of each message the tag of each token, as a place
        in `TAGS`, by the one and by the other.
    entities (Sequence[np.ndarray]): Of each message, by class, how many entities are the same, how
        many the one has, and the other: shape (8, 3).
    differences (Counter[tuple[str, str, str]]): How often the one's class stands against the other's,
        and in which of `KINDS`.
    """

    names: tuple[str, str]
    units: Sequence[int]
    tags: Sequence[tuple[np.ndarray, np.ndarray]]
    entities: Sequence[np.ndarray]
    differences: Counter[tuple[str, str, str]]


def compare(names: tuple[str, str], messages: Iterable[tuple[int, Row, Row]]) -> Pair:
    """Compare two annotators."""
    pair = Pair(names, [], [], [], Counter())
    units, tags, entities = [], [], []
    for unit, one, other in messages:
        units.append(unit)
        tags.append((tag_tokens(one), tag_tokens(other)))
        entities.append(_count_entities(one["spans"], other["spans"]))
        pair.differences.update(find_differences(one["spans"], other["spans"]))
    return pair._replace(units=units, tags=tags, entities=entities)


def tag_tokens(row: Row) -> np.ndarray:
    """Tag the tokens of a message. A token that a span covers in part is of its class."""
    tokens = list(TOKEN.finditer(row["text"]))
    tags = np.full(len(tokens), TAGS.index(OUTSIDE))
    for span in row["spans"]:
        for number, token in enumerate(tokens):
            if token.start() < span["end"] and span["start"] < token.end():
                tags[number] = TAGS.index(span["label"])
    return tags


def _count_entities(one: Sequence[Span], other: Sequence[Span]) -> np.ndarray:
    counts = np.zeros((len(LABELS), 3), dtype=int)
    ones, others = set(map(to_char_span, one)), set(map(to_char_span, other))
    for column, spans in enumerate((ones & others, ones, others)):
        for *_, label in spans:
            counts[LABELS.index(label), column] += 1
    return counts


def find_differences(one: Sequence[Span], other: Sequence[Span]) -> Counter[tuple[str, str, str]]:
    """Tell how the spans of a message differ. Those with the most characters in common are compared
    first, and each with one of the other at most."""
    overlaps = [
        (min(a["end"], b["end"]) - max(a["start"], b["start"]), a["label"] == b["label"], i, j)
        for i, a in enumerate(one)
        for j, b in enumerate(other)
    ]
    found: Counter[tuple[str, str, str]] = Counter()
    left, right = set(range(len(one))), set(range(len(other)))
    for shared, same_class, i, j in sorted(overlaps, reverse=True):
        if shared <= 0 or i not in left or j not in right:
            continue
        left.remove(i)
        right.remove(j)
        same_bounds = to_char_span(one[i])[:2] == to_char_span(other[j])[:2]
        found[one[i]["label"], other[j]["label"], KIND_OF[same_bounds, same_class]] += 1
    found.update((one[i]["label"], OUTSIDE, ONE_ONLY) for i in left)
    found.update((OUTSIDE, other[j]["label"], ONE_ONLY) for j in right)
    return found


def count_units(pair: Pair, n_units: int) -> tuple[np.ndarray, np.ndarray]:
    """Sum what the measures are made of, unit by unit."""
    confusion = np.zeros((n_units, len(TAGS), len(TAGS)), dtype=int)
    entities = np.zeros((n_units, len(LABELS), 3), dtype=int)
    for unit, (one, other), counts in zip(pair.units, pair.tags, pair.entities):
        np.add.at(confusion[unit], (one, other), 1)
        entities[unit] += counts
    return confusion, entities


def get_measures(confusion: np.ndarray, entities: np.ndarray) -> dict[str, np.ndarray]:
    """Measure the agreement of samples, all at once."""
    by_one, by_other = confusion.sum(axis=-1), confusion.sum(axis=-2)
    both = np.diagonal(confusion, axis1=-2, axis2=-1)
    total = confusion.sum(axis=(-2, -1))
    inside = slice(0, len(LABELS))
    measures = {
        "kappa": _get_kappa(both.sum(axis=-1), (by_one * by_other).sum(axis=-1), total),
        "token_f": _divide(
            2 * both[..., inside].sum(axis=-1),
            by_one[..., inside].sum(axis=-1) + by_other[..., inside].sum(axis=-1),
        ),
        "f": _divide(2 * entities[..., 0].sum(axis=-1), entities[..., 1:].sum(axis=(-2, -1))),
    }
    for place, label in enumerate(LABELS):
        one, other, same = by_one[..., place], by_other[..., place], both[..., place]
        outside = total - one - other + same
        products = one * other + (total - one) * (total - other)
        measures[f"kappa.{label}"] = _get_kappa(same + outside, products, total)
        measures[f"token_f.{label}"] = _divide(2 * same, one + other)
        of_class = entities[..., place, :]
        measures[f"f.{label}"] = _divide(2 * of_class[..., 0], of_class[..., 1:].sum(axis=-1))
    return measures


def _get_kappa(same: np.ndarray, products: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Kappa, times total² above and below."""
    total = np.asarray(total, dtype="f8")
    return _divide(same * total - products, total**2 - products)


def _divide(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    part, whole = np.asarray(part, dtype="f8"), np.asarray(whole, dtype="f8")
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)


def get_kappa(pair: Pair, label: str | None = None) -> float | None:
    """Measure the agreement over tokens beyond chance."""
    one, other = (np.concatenate(tags) for tags in zip(*pair.tags))
    if label is not None:
        one, other = one == LABELS.index(label), other == LABELS.index(label)
    return measure_kappa(one.tolist(), other.tolist())


def measure_kappa(one: Sequence[Any], other: Sequence[Any]) -> float | None:
    """Measure the agreement of two who sorted the same things beyond chance.

    one (Sequence[Any]), other (Sequence[Any]): What either of them said of each.
    RETURNS (float | None): Cohen's kappa; None if both have said one and the same of all, as agreement
        by chance would.
    """
    return float(cohen_kappa_score(one, other)) if len({*one, *other}) > 1 else None


def summarize(differences: Mapping[tuple[str, str, str], int]) -> dict[str, dict[str, Any]]:
    """Sum differences by class, whoever of the two has which."""
    rows: dict[str, dict[str, Any]] = {label: dict.fromkeys(KINDS, 0) for label in LABELS}
    for (one, other, kind), count in differences.items():
        for label in {one, other} - {OUTSIDE}:
            rows[label][kind] += count
    return rows
