"""How the spans of annotators differ."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from components.measures.agreement import OUTSIDE, Matched
from components.measures.gold import Span
from components.measures.spans import to_char_span
from components.shared.labels import LABELS

# How two spans that are not the same may differ.
AGREED, BOUNDS, CLASS, BOTH, ONE_ONLY = KINDS = (
    "agreed",
    "other bounds",
    "other class",
    "other bounds and class",
    "one only",
)
# By whether the bounds are the same, and the class.
KIND_OF = {(True, True): AGREED, (False, True): BOUNDS, (True, False): CLASS, (False, False): BOTH}

Differences = Counter[tuple[str, str, str]]
"""How often the one's class stands against the other's, and in which of `KINDS`."""


def count_differences(matched: Matched) -> dict[str, Any]:
    """Count how the spans of each two annotators differ, `by_class` and kind, and which class stands against
    which (`confusions`).
    """
    differences = Differences()
    names = sorted({name for rows in matched for name in rows})
    for one, other in combinations(names, 2):
        for rows in matched:
            if one in rows and other in rows:
                differences += find_differences(rows[one]["spans"], rows[other]["spans"])
    return {
        "by_class": _count_by_class(differences),
        "confusions": _list_confusions(differences),
    }


def find_differences(one: Sequence[Span], other: Sequence[Span]) -> Differences:
    """Find how the spans of a message differ. Those with the most characters in common are compared
    first, and each with one of the other at most.
    """
    overlaps = [
        (min(a["end"], b["end"]) - max(a["start"], b["start"]), a["label"] == b["label"], i, j)
        for i, a in enumerate(one)
        for j, b in enumerate(other)
    ]
    found = Differences()
    left, right = set(range(len(one))), set(range(len(other)))
    for shared, same_class, i, j in sorted(overlaps, reverse=True):
        if shared > 0 and i in left and j in right:
            left.remove(i)
            right.remove(j)
            same_bounds = to_char_span(one[i])[:2] == to_char_span(other[j])[:2]
            found[one[i]["label"], other[j]["label"], KIND_OF[same_bounds, same_class]] += 1
    found.update((one[i]["label"], OUTSIDE, ONE_ONLY) for i in left)
    found.update((OUTSIDE, other[j]["label"], ONE_ONLY) for j in right)
    return found


def _count_by_class(differences: Differences) -> dict[str, dict[str, int]]:
    """Of each class how many spans differ in which of `KINDS`, whichever of the two has it."""
    rows = {label: dict.fromkeys(KINDS, 0) for label in LABELS}
    for (one, other, kind), count in differences.items():
        for label in {one, other} - {OUTSIDE}:
            rows[label][kind] += count
    return rows


def _list_confusions(differences: Mapping[tuple[str, str, str], int]) -> list[dict[str, Any]]:
    """Which class stands against which, in whatever order, most frequent first."""
    counts: Counter[tuple[str, ...]] = Counter()
    for (one, other, _), count in differences.items():
        if one != other:
            counts[tuple(sorted((one, other)))] += count
    return [{"classes": list(pair), "spans": count} for pair, count in counts.most_common()]
