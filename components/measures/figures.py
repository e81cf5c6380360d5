"""Figures as they are written: for people, and for programs."""

from collections.abc import Mapping, Sequence
from typing import Any

NOTHING = "–"


def write_share(share: float | None, interval: Sequence[float] | None = None) -> str:
    """Write a measure and perhaps its interval: `.896`, `.896 (.880-.911)`, or – for None."""
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
