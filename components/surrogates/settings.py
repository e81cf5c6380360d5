"""What may be set of the surrogates: strategies, and options of how some classes are replaced."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ..shared.choices import check_choice
from ..shared.labels import BUILT_IN, SINGLE_CLASS, STRATEGIES

Strategy = str | Mapping[str, str]

# In place of a label: all labels that are not named.
OTHERS = "*"


class Option(NamedTuple):
    """How the mentions of a class (the label) are replaced, the default first. The class finds the value as
    its `mode`."""

    label: str
    choices: tuple[str, ...]
    help: str


# The options by name: each is an argument of the `surrogate_generator`, an attribute of the loaded pipe
# and a setting of `configure`.
OPTIONS = {
    "surrogate_numbers": Option(
        "PHONE",
        ("reserved", "plausible"),
        "reserved: a number that is set aside for fiction and belongs to nobody; plausible: a number "
        "that somebody may have, only for texts that never leave the house",
    ),
    "dates": Option(
        "DATE",
        ("shift", "month", "year"),
        "shift: moved by one secret offset for each conversation; month, year: the true date, of "
        "which only so much is left",
    ),
    "ages": Option(
        "AGE",
        ("shift", "bands"),
        "shift: moved by a year or two; bands: the true age as a band of five years, from 90 on `90+`",
    ),
}
DEFAULTS = {name: option.choices[0] for name, option in OPTIONS.items()}


def check_strategy(strategy: Any) -> Strategy:
    """Check what is to be written in the place of entities.

    strategy (Any): A strategy for all labels, or a dict from label to strategy, "*" for all labels that
        it does not name.
    RETURNS (Strategy): The same. Dicts are read-only: a change of one label is to be checked, too.
    RAISES (TypeError): If it is neither a string nor a dict.
    RAISES (ValueError): If a strategy or a label is unknown.
    """
    if isinstance(strategy, str):
        return check_choice("strategy", strategy, STRATEGIES)
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
    for label, value in strategy.items():
        check_choice(f"strategy of {label}", value, STRATEGIES)
    return MappingProxyType(dict(strategy))


def check_option(name: str, value: Any) -> str:
    """Check the value of an option of `OPTIONS`.

    RAISES (ValueError): If it is none of the choices.
    """
    return check_choice(name, value, OPTIONS[name].choices)


class Choice:
    """An option as an attribute of the pipe: it is checked, and the classes are made with it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, pipe: Any, owner: type | None = None) -> str:
        return pipe.options[self.name]

    def __set__(self, pipe: Any, value: Any) -> None:
        pipe.options[self.name] = check_option(self.name, value)
        pipe.make_classes()
