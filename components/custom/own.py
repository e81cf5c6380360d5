"""Checks of what users ask to be found: labels, phrases, how their own classes are replaced."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..shared.labels import BUILT_IN, OWN_LABEL, STRATEGIES

# Keys of a pattern that tell how its class is replaced.
REPLACING = ("strategy", "surrogates", "template")


def check_label(label: Any, where: str) -> None:
    """Check a user's label: one of ours, or a name in capitals. `where` is for the error."""
    if not isinstance(label, str) or not OWN_LABEL.fullmatch(label):
        raise ValueError(
            f"{where}: the label {label!r} must be a name of at least two characters in capitals "
            f"(A-Z, 0-9, _): one of your own, or one of {', '.join(BUILT_IN)}."
        )


def check_phrases(phrases: Any, where: str) -> list[str]:
    """Check a list of phrases. A ValueError tells `where`, and quotes none of them."""
    is_list = isinstance(phrases, Iterable) and not isinstance(phrases, (str, Mapping))
    phrases = [*phrases] if is_list else None
    if phrases is None or not all(isinstance(phrase, str) for phrase in phrases):
        raise ValueError(f"{where}: give a list of phrases, each a string.")
    for number, phrase in enumerate(phrases, 1):
        if not any(map(str.isalnum, phrase)):
            raise ValueError(f"{where}: phrase {number} has no letter or digit.")
    return phrases


def read_replacing(patterns: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Read how a user's own classes are replaced, by label, or raise ValueError."""
    replacing: dict[str, dict[str, Any]] = {}
    for pattern_id, pattern in patterns.items():
        told = {key: pattern[key] for key in REPLACING if key in pattern}
        if not told:
            continue
        where, label = f"Pattern {pattern_id!r}", pattern.get("label")
        if label in BUILT_IN or not label:
            raise ValueError(
                f"{where}: {', '.join(told)} can be given for a class of your own only. The strategy "
                'of another one is set on the surrogate_generator: strategy = {"PERSON": "mask"}.'
            )
        if replacing.setdefault(label, told) != told:
            raise ValueError(
                f"{where}: another pattern of {label} says something else about how it is replaced "
                f"({', '.join(REPLACING)}). Say it once, or say the same in both."
            )
        _check_replacing(told, where)
    return replacing


def _check_replacing(told: Mapping[str, Any], where: str) -> None:
    if told.get("strategy", STRATEGIES[0]) not in STRATEGIES:
        raise ValueError(
            f"{where}: unknown strategy {told['strategy']!r}. There are: {', '.join(STRATEGIES)}."
        )
    if "surrogates" in told and "template" in told:
        raise ValueError(f'{where}: give either "surrogates" or a "template".')
    surrogates = told.get("surrogates", ["a", "b"])
    good = isinstance(surrogates, list) and all(isinstance(s, str) and s for s in surrogates)
    if not good or len(set(surrogates)) < 2:
        raise ValueError(f'{where}: "surrogates" must be a list of at least two strings.')
    template = told.get("template", "#")
    if not isinstance(template, str) or not {"#", "?"} & {*template}:
        raise ValueError(
            f'{where}: "template" must be a string with # for digits and ? for letters: "AB-####".'
        )
