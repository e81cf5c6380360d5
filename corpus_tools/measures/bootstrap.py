"""Confidence intervals: `components.measures.bootstrap`, by the name that the project's scripts know."""

from components.measures.bootstrap import (
    LEVEL,
    RESAMPLES,
    Interval,
    get_intervals,
    get_middle,
    number_units,
    resample,
)

__all__ = [
    "LEVEL",
    "RESAMPLES",
    "Interval",
    "get_intervals",
    "get_middle",
    "number_units",
    "resample",
]
