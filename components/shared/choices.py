"""Settings that have a few values."""

from collections.abc import Iterable
from typing import Any


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Give a setting back that has one of a few values.

    RAISES (ValueError): If it is none of these.
    """
    choices = [*choices]
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}.")
    return value
