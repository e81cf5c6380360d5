"""A message as the page shows it: what was found beside what comes out, and the story of each."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ...merging.finds import SOURCES
from ...merging.rules import merger_rules
from ...shared.labels import CUSTOM_KEY, PHI_KEY, RULES_KEY

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
    if source in (*SOURCES, CUSTOM_KEY):
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


FOUND, DOUBTED = "found", "doubted"


class Story(NamedTuple):
    """Why something was found, or left, and what becomes of it. None: it stays itself."""

    id: str
    kind: str
    label: str
    name: str
    text: str
    becomes: str | None
    score: str
    reasons: Sequence[Reason]


class Part(NamedTuple):
    """A piece of a text, with its story if it was found or doubted."""

    text: str
    story: Story | None = None


class View(NamedTuple):
    """A message as it is shown; `number` is that of its row, `language` and `failed` as in its result."""

    number: int
    before: Sequence[Part]
    after: Sequence[Part]
    stories: Sequence[Story]
    language: str
    failed: str

    def count(self, kind: str) -> int:
        """RETURNS (int): How many were found, or doubted."""
        return sum(story.kind == kind for story in self.stories)


def make_view(number: int, text: str, done: Mapping[str, Any], words: Mapping[str, Any]) -> View:
    """Make what is shown of the message of a row, by its result (`describe` in `work`)."""
    entries = done["replacements"]
    pairs = [
        *((span, FOUND, tell_trace(span["trace"], text, words)) for span in done["spans"]),
        *_get_doubted(text, done, words),
    ]
    pairs.sort(key=lambda pair: pair[0]["start"])
    befores: list[tuple[int, int, Story]] = []
    by_start: dict[int, tuple[int, int, Story]] = {}
    for i, (span, kind, reasons) in enumerate(pairs, 1):
        start, end, label = span["start"], span["end"], span["label"]
        written = (e for e in entries if e["start"] < end and start < e["end"])
        entry = next(written, None) if kind == FOUND else None
        becomes = None
        if entry is not None and not entry.get("kept"):
            becomes = done["text"][entry["out_start"] : entry["out_end"]]
        story = Story(
            id=f"m{number}-{i}",
            kind=kind,
            label=label,
            name=tell_label(label, words),
            text=text[start:end],
            becomes=becomes,
            score=tell_score(span["score"]),
            reasons=reasons,
        )
        befores.append((start, end, story))
        if entry is not None:
            by_start.setdefault(entry["out_start"], (entry["out_start"], entry["out_end"], story))
    return View(
        number=number,
        before=_cut(text, befores),
        after=_cut(done["text"], by_start.values()),
        stories=[story for *_, story in befores],
        language=done["language"],
        failed=done["failed"],
    )


def _get_doubted(
    text: str, done: Mapping[str, Any], words: Mapping[str, Any]
) -> Iterable[tuple[Mapping[str, Any], str, list[Reason]]]:
    """What was looked at and left, where nothing was found, each place once."""
    taken = [(span["start"], span["end"]) for span in done["spans"]]
    for span in done["doubted"]:
        start, end, label, rule = span["start"], span["end"], span["label"], span["rule"]
        # The trace of what is left names the punctuation that a rule cut off.
        telling = any(map(str.isalnum, text[start:end]))
        if telling and not any(start < b and a < end for a, b in taken):
            taken.append((start, end))
            if label:
                yield span, DOUBTED, tell_doubt(rule, label, span["score"], words)
            else:
                yield span, DOUBTED, tell_veto(rule, words)


def _cut(text: str, places: Iterable[tuple[int, int, Story]]) -> list[Part]:
    parts = []
    position = 0
    for start, end, story in places:
        parts += [Part(text[position:start]), Part(text[start:end], story)]
        position = end
    parts.append(Part(text[position:]))
    return [part for part in parts if part.text]
