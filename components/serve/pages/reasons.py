"""Why something was found, or left, in plain words."""

import re
from collections.abc import Mapping, Sequence
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
    """A step of a trace, in a sentence that quotes the message, and its source or the id of the rule or pattern."""

    text: str
    by: str


def tell_trace(
    trace: Sequence[Mapping[str, Any]], text: str, words: Mapping[str, Any]
) -> list[Reason]:
    """Describe what found an entity and what changed it, in order, by the steps of `span._.trace`."""
    reasons = []
    seen = set()
    for step in trace:
        state = step["start"], step["end"], step["label"]
        # Evidence that agrees is united, too: nothing came of it.
        if step["by"] == UNITE and state in seen:
            continue
        seen.add(state)
        quote = text[step["start"] : step["end"]]
        said = _tell_step(step["by"], quote, step["label"], step["score"], words)
        reasons.append(Reason(said, step["by"]))
    return reasons


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
    """Describe what found something, as what and how surely, and why the rule `id` dropped it."""
    thought = words["thought"]["pattern" if id.startswith(CONFIRM) else "model"]
    found = thought.format(label=tell_label(label, words), score=tell_score(score))
    return [
        Reason(found, RULES_KEY if id.startswith(CONFIRM) else PHI_KEY),
        Reason(words["doubted_by"].get(id) or _get_help(id), id),
    ]


def tell_veto(id: str, words: Mapping[str, Any]) -> list[Reason]:
    """Describe what something is that a pattern says is of no class."""
    known = words["no_class_of"]
    kind = id.removeprefix(NEGATIVE).partition("_")[0]
    return [Reason(words["no_class"].format(what=known.get(kind, known[""])), id)]


def tell_reason(reason: object, words: Mapping[str, Any]) -> str:
    """Say in the language of the page why something cannot be read, by an error in English."""
    for pattern, sentence in words["reasons"].items():
        if match := re.search(pattern, str(reason)):
            return sentence.format(*match.groups())
    return str(reason)


def tell_label(label: str, words: Mapping[str, Any]) -> str:
    """RETURNS (str): What people call a class, which may be the user's own."""
    return words["labels"].get(label, label)


def tell_score(score: float) -> str:
    """RETURNS (str): A probability in per cent: never 100, as nothing is certain, and never 0 of what may be."""
    if 0 < score < 0.01:
        return "< 1 %"
    return "> 99 %" if score > 0.99 else f"{score:.0%}".replace("%", " %")


def _get_help(id: str) -> str:
    """What a rule says of itself, as those that other packages add do."""
    return merger_rules.get(id).help if id in merger_rules else id
