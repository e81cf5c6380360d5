"""Telling leaks from surrogates: how well an attacker does it who has tried the tool on messages of his
own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from components.measures.bootstrap import get_middle
from components.shared.labels import LABELS
from lab.attack.leaks import Item
from lab.attack.traits import TRAITS, describe
from lab.surrogate_checks.known import Known

FOLDS = 5
# Of fewer of either kind nothing is said.
LEAST = 10
RESAMPLES = 200
# Few leaks are to learn from.
REGULARITY = 0.1


def tell_leaks(outputs: Sequence[Sequence[Item]], known: Known, *, seed: int = 0) -> dict[str, Any]:
    """Tell leaks from surrogates, class by class, by a logistic regression on the traits that has learned
    from other conversations.

    outputs (Sequence[Sequence[Item]]): The entities of the same conversations under several keys; an
        attacker sees one of these at a time.
    known (Known): The lists.
    seed (int): Of the samples that the intervals come from.
    RETURNS (dict[str, Any]): `all` and by class (`classes`): how many `items` and `leaks` there are; the
        `auc`, the chance that a leak looks more like one than a surrogate of its class does (.5: they
        hide perfectly); its `interval` by bootstrap over conversations; `precision` among as many as
        there are leaks, of those that look most like one, and the `base` to compare it with; the
        `auc` of each of the `traits` by itself. None where too few are to be told.
    """
    traits = np.vstack([describe(items, known) for items in outputs])
    items = [item for output in outputs for item in output]
    groups = np.unique([item.conversation for item in items], return_inverse=True)[1]
    is_leak = np.array([item.is_leak for item in items])
    labels = np.array([item.shown.label for item in items])
    scores = np.full(len(items), np.nan)
    classes = {}
    for label in LABELS:
        chosen = labels == label
        if not _has_enough(is_leak[chosen]) or len(set(groups[chosen])) < FOLDS:
            classes[label] = _count(is_leak[chosen])
            continue
        scores[chosen] = _predict(traits[chosen], is_leak[chosen], groups[chosen])
        classes[label] = _measure(scores[chosen], is_leak[chosen], groups[chosen], seed) | {
            "traits": _measure_traits(traits[chosen], is_leak[chosen])
        }
    told = ~np.isnan(scores)
    if told.any():
        everything = _measure(scores[told], is_leak[told], groups[told], seed)
    else:
        everything = _count(is_leak)
    return {"all": everything, "classes": classes}


def _has_enough(is_leak: np.ndarray) -> bool:
    return min(is_leak.sum(), (~is_leak).sum()) >= LEAST


def _count(is_leak: np.ndarray) -> dict[str, Any]:
    counts = {"items": len(is_leak), "leaks": int(is_leak.sum())}
    return {
        **counts,
        "auc": None,
        "interval": None,
        "precision": None,
        "base": None,
        "traits": None,
    }


def _predict(traits: np.ndarray, is_leak: np.ndarray, groups: np.ndarray) -> np.ndarray:
    scores = np.zeros(len(is_leak))
    for learned, told in GroupKFold(FOLDS).split(traits, is_leak, groups):
        # With none of a kind to learn from all look the same.
        if len(set(is_leak[learned])) == 2:
            # Balanced: else the scores of a fold would tell how many leaks the others have.
            model = make_pipeline(
                StandardScaler(), LogisticRegression(C=REGULARITY, class_weight="balanced")
            )
            model.fit(traits[learned], is_leak[learned])
            scores[told] = model.decision_function(traits[told])
    return scores


def _measure(
    scores: np.ndarray, is_leak: np.ndarray, groups: np.ndarray, seed: int
) -> dict[str, Any]:
    n_leaks = int(is_leak.sum())
    return {
        **_count(is_leak),
        "auc": float(roc_auc_score(is_leak, scores)),
        "interval": _get_interval(scores, is_leak, groups, seed),
        "precision": _get_precision(scores, is_leak),
        "base": n_leaks / len(is_leak),
    }


def _get_precision(scores: np.ndarray, is_leak: np.ndarray) -> float:
    """Of as many as there are leaks; those of the last score count by their share."""
    n_leaks = int(is_leak.sum())
    limit = np.sort(scores)[-n_leaks]
    above, at = scores > limit, scores == limit
    share = is_leak[at].mean() * (n_leaks - above.sum())
    return float((is_leak[above].sum() + share) / n_leaks)


def _get_interval(
    scores: np.ndarray, is_leak: np.ndarray, groups: np.ndarray, seed: int
) -> list[float] | None:
    names, members = np.unique(groups, return_inverse=True)
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=RESAMPLES)
    values = []
    for weights in drawn[:, members]:
        counted = weights > 0
        if len(set(is_leak[counted])) == 2:
            values.append(
                roc_auc_score(is_leak[counted], scores[counted], sample_weight=weights[counted])
            )
    return list(get_middle(np.array(values))) if values else None


def _measure_traits(traits: np.ndarray, is_leak: np.ndarray) -> Mapping[str, float]:
    return {name: float(roc_auc_score(is_leak, values)) for name, values in zip(TRAITS, traits.T)}
