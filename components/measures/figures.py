"""Figures as they are written: for people, and for programs."""

from collections.abc import Mapping, Sequence
from typing import Any

NOTHING = "–"


def write_share(share: float | None, interval: Sequence[float] | None = None) -> str:
    """Write a measure between 0 and 1.

    share (float | None): The measure, None where nothing is to be counted.
    interval (Sequence[float] | None): Its confidence interval, low and high, if it has one.
    RETURNS (str): `.896`, or `.896 (.880-.911)`, or –.
    """
    if share is None:
        return NOTHING
    text = f"{share:.3f}".removeprefix("0")
    if interval is None:
        return text
    low, high = interval
    return f"{text} ({write_share(low)}-{write_share(high)})"


def nest(values: Mapping[str, Any]) -> dict[str, Any]:
    """Put figures into dicts of dicts."""
    nested: dict[str, Any] = {}
    for name, value in values.items():
        *path, last = name.split(".")
        inner = nested
        for part in path:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return nested
