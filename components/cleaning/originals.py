"""From what the pipeline replaced in a cleaned text to the de-identified original."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..swedish.folding import Folded


def apply_to_original(
    folded: Folded, replacements: Sequence[Mapping[str, Any]]
) -> tuple[str, list[dict[str, Any]]]:
    """Cut out of the original what the pipeline replaced in the cleaned text. All else of the
    original stays to the letter.

    folded (Folded): The cleaned text (`clean_text`).
    replacements (Sequence[Mapping[str, Any]]): The `doc._.replacements` of the cleaned text. What
        is `kept` stays as it stands in the original.
    RETURNS (tuple[str, list[dict[str, Any]]]): The de-identified original, and the replacements:
        `start` and `end` in the original, `out_start` and `out_end` in the de-identified original.
    """
    original = folded.original
    out: list[str] = []
    entries: list[dict[str, Any]] = []
    position = length = 0
    for entry in replacements:
        start, end = _get_stretch(folded, entry["start"], entry["end"])
        new = original[start:end] if entry.get("kept") else entry["replacement"]
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
