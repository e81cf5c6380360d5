"""Checks of what a user asks to be found: labels, phrases, how classes of his own are replaced."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..labels import BUILT_IN, OWN_LABEL, STRATEGIES

# What tells how a class of one's own is replaced.
REPLACING = ("strategy", "surrogates", "template")


def check_label(label: Any, where: str) -> None:
    """Check the label of something of a user's own.

    label (Any): The label.
    where (str): What it is the label of, for the error.
    RAISES (ValueError): If it is neither one of the pipeline's nor a name in capitals.
    """
    if not isinstance(label, str) or not OWN_LABEL.fullmatch(label):
        raise ValueError(
            f"{where}: the label {label!r} must be a name of at least two characters in capitals "
            f"(A-Z, 0-9, _): one of your own, or one of {', '.join(BUILT_IN)}."
        )


def name_pattern(pattern: Any, number: int) -> Any:
    """Give a pattern an id, if it has none.

    pattern (Any): The pattern.
    number (int): Which one it is.
    RETURNS (Any): The pattern with an id; what is none as it is.
    """
    if not isinstance(pattern, Mapping) or "macro" in pattern or "id" in pattern:
        return pattern
    return {**pattern, "id": f"{str(pattern.get('label', '')).lower()}.{number}"}


def check_phrases(phrases: Any, where: str) -> list[str]:
    """Check a list of phrases.

    phrases (Any): The list.
    where (str): What it is, for the error.
    RETURNS (List[str]): The phrases.
    RAISES (ValueError): If it is none, or a phrase holds nothing that can be found. It quotes nothing.
    """
    is_list = isinstance(phrases, Iterable) and not isinstance(phrases, (str, Mapping))
    phrases = [*phrases] if is_list else None
    if phrases is None or not all(isinstance(phrase, str) for phrase in phrases):
        raise ValueError(f"{where}: give a list of phrases, each a string.")
    for number, phrase in enumerate(phrases, 1):
        if not any(map(str.isalnum, phrase)):
            raise ValueError(f"{where}: phrase {number} has no letter or digit.")
    return phrases


def read_replacing(patterns: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Read how the classes of a user's own are replaced.

    patterns (Iterable[dict]): The patterns, each with an id.
    RETURNS (Dict[str, Dict[str, Any]]): What they tell of it, by label.
    RAISES (ValueError): If one tells it of another class, otherwise than another one, or wrongly.
    """
    replacing: dict[str, dict[str, Any]] = {}
    for pattern in patterns:
        told = {key: pattern[key] for key in REPLACING if key in pattern}
        if not told:
            continue
        where, label = f"Pattern {pattern['id']!r}", pattern.get("label")
        if label in BUILT_IN or not label:
            raise ValueError(
                f"{where}: {', '.join(told)} can be given for a class of your own only. The strategy "
                'of another one is set on the surrogate_generator: strategy = {"PERSON": "mask"}.'
            )
        if replacing.setdefault(label, told) != told:
            raise ValueError(
                f"{where}: another pattern of {label} tells otherwise how it is replaced "
                f"({', '.join(REPLACING)}). Tell it once, or the same."
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
