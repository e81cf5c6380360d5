"""What may be set of the surrogates: strategies, and choices of how some classes are replaced."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ..failures import MASK
from ..labels import BUILT_IN, SINGLE_CLASS, STRATEGIES
from .core.mentions import TextSpan
from .numbers import phone
from .time import age, date

Strategy = str | Mapping[str, str]

# In place of a label: all labels that are not named.
OTHERS = "*"
# What else may be set, and to what, the default first.
CHOICES = {
    "surrogate_numbers": phone.NUMBERS,
    "dates": date.MODES,
    "ages": age.MODES,
}


def check_strategy(strategy: Any) -> Strategy:
    """Check what is to be written in the place of entities.

    strategy (Any): A strategy for all labels, or a dict from label to strategy, "*" for all labels that
        it does not name.
    RETURNS (Strategy): The same. Dicts are read-only: a change of one label is to be checked, too.
    RAISES (TypeError): If it is neither a string nor a dict.
    RAISES (ValueError): If a strategy or a label is unknown.
    """
    if isinstance(strategy, str):
        _check_name(strategy)
        return strategy
    if not isinstance(strategy, Mapping):
        raise TypeError(
            f"strategy must be a string or a dict from label to string, got "
            f"{type(strategy).__name__}. Strategies: {', '.join(STRATEGIES)}."
        )
    unknown = set(strategy) - {*BUILT_IN, SINGLE_CLASS, OTHERS}
    if unknown:
        raise ValueError(
            f"strategy names unknown labels: {', '.join(map(str, sorted(unknown, key=str)))}. "
            f"Labels: {', '.join(BUILT_IN)}. That of a class of your own stands in its pattern."
        )
    for value in strategy.values():
        _check_name(value)
    return MappingProxyType(dict(strategy))


def _check_name(strategy: Any) -> None:
    if strategy not in STRATEGIES:
        raise ValueError(f"Unknown strategy {strategy!r}. Strategies: {', '.join(STRATEGIES)}.")


class Choice:
    """A setting of the `surrogate_generator` that has a few values, by its name in `CHOICES`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, pipe: Any, owner: type) -> Any:
        return self if pipe is None else pipe.choices[self.name]

    def __set__(self, pipe: Any, value: str) -> None:
        pipe.choices[self.name] = check_choice(self.name, value)
        pipe.make_classes()


def check_choice(name: str, value: Any) -> str:
    """Check a setting that has a few values.

    name (str): Its name in `CHOICES`.
    value (Any): The value.
    RETURNS (str): The same.
    RAISES (ValueError): If it is none of these.
    """
    if value not in CHOICES[name]:
        raise ValueError(f"{name} must be one of {', '.join(CHOICES[name])}, got {value!r}.")
    return value


def write_plainly(strategy: str, entity: TextSpan) -> str | None:
    """Write what takes the place of an entity, where nothing has to be chosen for it.

    strategy (str): The strategy.
    entity (TextSpan): The entity.
    RETURNS (str | None): What takes its place; None where it is a surrogate or a number.
    """
    if strategy == "label":
        return f"[{entity.label_}]"
    if strategy == "mask":
        return MASK
    if strategy == "remove":
        return ""
    return entity.text if strategy == "keep" else None
