"""A message as the page shows it: what was found beside what comes out, and the story of each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .reasons import Reason, tell_doubt, tell_label, tell_score, tell_trace, tell_veto

FOUND, DOUBTED = "found", "doubted"


class Story(NamedTuple):
    """Why something was found, or left.

    becomes (str | None): What stands in place of the text; None: itself.
    """

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
        entry = _find_entry(entries, start, end) if kind == FOUND else None
        is_replaced = entry is not None and not entry.get("kept")
        story = Story(
            id=f"m{number}-{i}",
            kind=kind,
            label=label,
            name=tell_label(label, words),
            text=text[start:end],
            becomes=_cut_out(done["text"], entry) if entry and is_replaced else None,
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
        # Punctuation that a rule cut off is told of in the trace of what is left.
        telling = any(map(str.isalnum, text[start:end]))
        if telling and not any(start < b and a < end for a, b in taken):
            taken.append((start, end))
            if label:
                yield span, DOUBTED, tell_doubt(rule, label, span["score"], words)
            else:
                yield span, DOUBTED, tell_veto(rule, words)


def _find_entry(
    entries: Sequence[Mapping[str, Any]], start: int, end: int
) -> Mapping[str, Any] | None:
    return next((e for e in entries if e["start"] < end and start < e["end"]), None)


def _cut_out(text: str, entry: Mapping[str, Any]) -> str:
    return text[entry["out_start"] : entry["out_end"]]


def _cut(text: str, places: Iterable[tuple[int, int, Story]]) -> list[Part]:
    parts = []
    position = 0
    for start, end, story in places:
        parts += [Part(text[position:start]), Part(text[start:end], story)]
        position = end
    parts.append(Part(text[position:]))
    return [part for part in parts if part.text]
