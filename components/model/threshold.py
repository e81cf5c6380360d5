"""The threshold of `phi_ner`: a number, or one by class."""

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

# The key of a threshold by class for the classes that have none of their own.
DEFAULT = "default"
Threshold = float | dict[str, float]
# Thresholds by name: for the best F1, and for those who would rather spoil a text than leak.
BALANCED, CAREFUL = "balanced", "careful"
MODES = (BALANCED, CAREFUL)


def check_threshold(value: Any, labels: Sequence[str]) -> Threshold:
    """Check a threshold: a number, or one by class. Without labels, any class may be."""
    if not isinstance(value, Mapping):
        return _to_probability(value, "threshold")
    check_classes(value, labels)
    return {
        label: _to_probability(number, f"threshold of {label}") for label, number in value.items()
    }


def check_classes(threshold: Mapping[str, float], labels: Sequence[str]) -> None:
    """Check that a threshold by class is whole. Before the labels are known, any class may be."""
    if DEFAULT not in threshold:
        raise ValueError(
            f"threshold by class needs the key {DEFAULT!r}: the threshold of all other classes."
        )
    unknown = [label for label in threshold if labels and label not in (*labels, DEFAULT)]
    if unknown:
        raise ValueError(
            f"threshold has classes that the model does not know: {', '.join(map(repr, unknown))}. "
            f"Known: {', '.join(labels)}, {DEFAULT}."
        )


def _to_probability(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, not {value!r}.")
    return float(value)
