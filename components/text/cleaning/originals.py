"""From what the pipeline replaced in a cleaned text to the de-identified original."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from ..folding import Folded
from .json_text import Part, find_parts, is_number
from .spelling import spell


def apply_to_original(
    folded: Folded, replacements: Sequence[Mapping[str, Any]]
) -> tuple[str, list[dict[str, Any]]]:
    """Cut out of the original what the pipeline replaced in the cleaned text. All else of the
    original stays to the letter, and JSON stays JSON.

    folded (Folded): The cleaned text (`clean_text`).
    replacements (Sequence[Mapping[str, Any]]): The `doc._.replacements` of the cleaned text. What
        is `kept` stays as it stands in the original.
    RETURNS (tuple[str, list[dict[str, Any]]]): The de-identified original, and the replacements:
        `start` and `end` in the original, `out_start` and `out_end` in the de-identified original.
    """
    original = folded.original
    parts = find_parts(original)
    out: list[str] = []
    entries: list[dict[str, Any]] = []
    position = length = 0
    for entry in replacements:
        start, end = _get_stretch(folded, entry["start"], entry["end"])
        new = original[start:end]
        if not entry.get("kept"):
            new = entry["replacement"]
            if start < position:
                # A number was replaced whole before, with all that was found in it.
                start, end, new = position, max(end, position), ""
            inside = _get_inside(parts, start, end)
            new = spell(new, folded, entry["start"], entry["end"], bool(inside))
            if inside:
                start, end, new = _fit(original, inside, start, end, new)
            elif parts and not any(map(str.isalnum, original[start:end])):
                # Nothing but syntax.
                new = original[start:end]
        out += (original[position:start], new)
        length += start - position
        entries.append(
            {
                **entry,
                "start": start,
                "end": end,
                "replacement": new,
                "out_start": length,
                "out_end": length + len(new),
            }
        )
        length += len(new)
        position = end
    return "".join(out) + original[position:], entries


def _get_inside(parts: Sequence[Part], start: int, end: int) -> Sequence[Part]:
    """Get the parts of JSON that an entity has a share of."""
    first = bisect_right(parts, start, key=lambda part: part.end)
    return parts[first : bisect_left(parts, end, first, key=lambda part: part.start)]


def _fit(text: str, parts: Sequence[Part], start: int, end: int, new: str) -> tuple[int, int, str]:
    """Write a surrogate to the first of the parts that it replaces. The syntax between them stays, and so do
    the names of fields. A number is replaced whole, and gets quotes if it is none any more.
    """
    parts = [part for part in parts if not part.is_name] or parts
    if parts[0].is_bare:
        start = min(start, parts[0].start)
    if parts[-1].is_bare:
        end = max(end, parts[-1].end)
    out: list[str] = []
    position = start
    for part in parts:
        first = max(start, part.start)
        out += (text[position:first], _quote(new) if part.is_bare else new)
        new, position = "", min(end, part.end)
    return start, end, "".join(out) + text[position:end]


def _quote(new: str) -> str:
    return new if is_number(new) else f'"{new}"'


def _get_stretch(folded: Folded, start: int, end: int) -> tuple[int, int]:
    """Find an entity in the original, without the markup at its edges."""
    while start < end and _is_markup(folded, start):
        start += 1
    while start < end and _is_markup(folded, end - 1):
        end -= 1
    return folded.to_original(start, end)


def _is_markup(folded: Folded, at: int) -> bool:
    """Whether a character is a blank that stands for something else of the original."""
    start, end = folded.to_original(at, at + 1)
    return folded.text[at].isspace() and folded.original[start:end] != folded.text[at]
