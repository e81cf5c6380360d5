"""Why something was found, or left, in plain words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...merging.rules import merger_rules
from ...shared.labels import (
    CONVERSATION_KEY,
    CUSTOM_KEY,
    GAZETTEER_KEY,
    KNOWN_KEY,
    OWN_KEY,
    PHI_KEY,
    RULES_KEY,
)

SOURCES = (KNOWN_KEY, OWN_KEY, RULES_KEY, PHI_KEY, CONVERSATION_KEY, GAZETTEER_KEY, CUSTOM_KEY)
UNITE = "unite"
# A stage of rules that looks at patterns, not at the model.
CONFIRM = "confirm."
# In front of the id of a pattern that says that something is of no class.
NEGATIVE = "neg."


class Reason(NamedTuple):
    """A step of a trace.

    text (str): What it did, in a sentence. It quotes the message.
    by (str): The source, or the id of the rule or pattern.
    """

    text: str
    by: str


def tell_trace(
    trace: Sequence[Mapping[str, Any]], text: str, words: Mapping[str, Any]
) -> list[Reason]:
    """Tell what made an entity.

    trace (Sequence[Mapping[str, Any]]): Its steps: `span._.trace`.
    text (str): The message.
    words (Mapping[str, Any]): The words of a language.
    RETURNS (list[Reason]): What found it and what changed it, in order.
    """
    return [*_tell_steps(trace, text, words)]


def _tell_steps(
    trace: Sequence[Mapping[str, Any]], text: str, words: Mapping[str, Any]
) -> Iterator[Reason]:
    seen = set()
    for step in trace:
        state = step["start"], step["end"], step["label"]
        # Evidence that agrees is united, too: nothing came of it.
        if step["by"] == UNITE and state in seen:
            continue
        seen.add(state)
        quote = text[step["start"] : step["end"]]
        yield Reason(_tell_step(step["by"], quote, step["label"], step["score"], words), step["by"])


def _tell_step(by: str, quote: str, label: str, score: float, words: Mapping[str, Any]) -> str:
    source, _, detail = by.partition(":")
    found_by = words["found_by"]
    if source in SOURCES:
        sentence = found_by.get(by, found_by[source])
    else:
        sentence = words["changed_by"].get(by, found_by[""])
    return sentence.format(
        quote=quote,
        label=tell_label(label, words),
        score=tell_score(score),
        detail=words["lists"].get(detail, detail.replace("_", " ")),
        help=_get_help(by),
    )


def tell_doubt(id: str, label: str, score: float, words: Mapping[str, Any]) -> list[Reason]:
    """Tell why something that was found was dropped.

    id (str): The rule that dropped it.
    label (str), score (float): What it was taken for, and how surely.
    words (Mapping[str, Any]): The words of a language.
    RETURNS (list[Reason]): What found it and why it was dropped.
    """
    thought = words["thought"]["pattern" if id.startswith(CONFIRM) else "model"]
    found = thought.format(label=tell_label(label, words), score=tell_score(score))
    return [
        Reason(found, RULES_KEY if id.startswith(CONFIRM) else PHI_KEY),
        Reason(words["doubted_by"].get(id) or _get_help(id), id),
    ]


def tell_veto(id: str, words: Mapping[str, Any]) -> list[Reason]:
    """Tell why something is of no class.

    id (str): The pattern that says so.
    words (Mapping[str, Any]): The words of a language.
    RETURNS (list[Reason]): What it is.
    """
    known = words["no_class_of"]
    kind = id.removeprefix(NEGATIVE).partition("_")[0]
    return [Reason(words["no_class"].format(what=known.get(kind, known[""])), id)]


def tell_reason(reason: object, words: Mapping[str, Any]) -> str:
    """Say in the language of the page why something cannot be read.

    reason (object): The error, or its text, in English.
    words (Mapping[str, Any]): The words of a language.
    RETURNS (str): The reason.
    """
    for pattern, sentence in words["reasons"].items():
        if match := re.search(pattern, str(reason)):
            return sentence.format(*match.groups())
    return str(reason)


def tell_label(label: str, words: Mapping[str, Any]) -> str:
    """label (str): A class, perhaps of the user's own.
    words (Mapping[str, Any]): The words of a language.
    RETURNS (str): What people call it.
    """
    return words["labels"].get(label, label)


def tell_score(score: float) -> str:
    """score (float): A probability.
    RETURNS (str): In per cent: never 100, as nothing is certain, and never 0 of what may be.
    """
    if 0 < score < 0.01:
        return "< 1 %"
    return "> 99 %" if score > 0.99 else f"{score:.0%}".replace("%", " %")


def _get_help(id: str) -> str:
    """What a rule says of itself, as those that other packages add do."""
    return merger_rules.get(id).help if id in merger_rules else id
