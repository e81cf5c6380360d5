"""Settings that have a few values."""

from collections.abc import Iterable
from typing import Any


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """Check a setting that has a few values.

    name (str): The name of the setting.
    value (Any): The value.
    choices (Iterable[str]): The values that it may have.
    RETURNS (str): The value.
    RAISES (ValueError): If it is none of these.
    """
    choices = [*choices]
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}.")
    return value
