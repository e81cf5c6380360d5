"""Changes of a text, and where each character of the result comes from."""

from array import array
from collections.abc import Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """A stretch that becomes one character or none, so that no two share an original."""

    start: int
    end: int
    new: str


class Mapped(NamedTuple):
    """A text on its way through the steps, and where each character comes from; None as long as all
    characters stand where they stood.
    """

    text: str
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None


def rewrite(mapped: Mapped, edits: Sequence[Edit]) -> Mapped:
    """Apply the edits of a step."""
    if not edits:
        return mapped
    text, old_starts, old_ends = mapped
    moves = any(end - start != len(new) for start, end, new in edits)
    parts: list[str] = []
    position = 0
    for start, end, new in edits:
        parts += (text[position:start], new)
        position = end
    parts.append(text[position:])
    if not moves:
        return Mapped("".join(parts), old_starts, old_ends)
    if old_starts is None or old_ends is None:
        old_starts, old_ends = range(len(text)), range(1, len(text) + 1)
    starts, ends = array("q"), array("q")
    position = 0
    for start, end, new in edits:
        starts.extend(old_starts[position:start])
        ends.extend(old_ends[position:start])
        if new:
            starts.append(old_starts[start])
            ends.append(old_ends[end - 1])
        position = end
    starts.extend(old_starts[position:])
    ends.extend(old_ends[position:])
    return Mapped("".join(parts), starts, ends)
