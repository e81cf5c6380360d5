"""Settings that have a few values."""

from collections.abc import Iterable
from typing import Any


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """RETURNS (str): The value, or a ValueError if it is none of the choices."""
    choices = [*choices]
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}.")
    return value
