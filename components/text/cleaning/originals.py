"""From replacements in a cleaned text to the de-identified original, with its escapes and syntax."""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from ..folding import Folded
from .json_text import Part, find_parts, is_number

ESCAPED = re.compile(
    r"(?P<unit>(?:\\+|%)u)[0-9a-fA-F]{4}|(?P<byte>\\+x|%(?:25)*|=)[0-9a-fA-F]{2}"
    r"|(?P<entity>&(?:amp;)*)#?\w+;?|\\+[nrtbf\"'/\\]"
)
# Characters that mean something themselves where there are such escapes.
SYNTAX = {"%": frozenset(' %?#&+<>"'), "=": frozenset("="), "&": frozenset("&<>")}
# What stands for a blank in the query of an address.
BLANKS = ("+", "_")


def apply_to_original(
    folded: Folded, replacements: Sequence[Mapping[str, Any]]
) -> tuple[str, list[dict[str, Any]]]:
    """Cut out of the original what the pipeline replaced in the cleaned text. All else of the original stays to
    the letter, also what is `kept`, and JSON stays JSON.

    RETURNS (tuple[str, list[dict[str, Any]]]): The de-identified original, and the replacements: `start`
        and `end` in the original, `out_start` and `out_end` in the de-identified original.
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
    """Write a surrogate into the first part that it replaces. Syntax and names of fields stay."""
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


def spell(new: str, folded: Folded, start: int, end: int, in_json: bool) -> str:
    """Write a surrogate as what it replaces is written: with escapes where it needs them."""
    if folded.starts is None:
        return new
    written: dict[str, str] = {}
    sample: re.Match | None = None
    plain: set[str] = set()
    for i in range(start, end):
        char = folded.text[i]
        piece = folded.original[slice(*folded.to_original(i, i + 1))]
        if piece == char:
            plain.add(char)
        elif escaped := ESCAPED.match(piece):
            written.setdefault(char, piece)
            if escaped.lastgroup and (sample is None or not char.isascii()):
                sample = escaped
        elif char == " " and piece in BLANKS:
            written[" "] = piece
    special = SYNTAX.get(sample[0][0], frozenset()) - plain if sample else frozenset()
    # Letters have escapes only where none goes without.
    only_ascii = all(map(str.isascii, plain))
    to_ascii = "\\u" in folded.original

    def write(char: str) -> str:
        if char in written:
            return written[char]
        if sample and (char in special or only_ascii and not char.isascii()):
            return _escape(char, sample)
        return json.dumps(char, ensure_ascii=to_ascii)[1:-1] if in_json else char

    return "".join(map(write, new))


def _escape(char: str, sample: re.Match) -> str:
    """Write a character in escapes of the same kind."""
    kind = sample.lastgroup or ""
    intro = sample[kind]
    if kind == "entity":
        return f"{intro}#{ord(char)};"
    if kind == "unit":
        code = char.encode("utf-16-be").hex()
        return "".join(intro + code[i : i + 4] for i in range(0, len(code), 4))
    # A letter in one byte is Latin-1.
    is_latin = int(sample[0][-2:], 16) > 0x7F and len(sample.string) == len(sample[0])
    try:
        codes = char.encode("latin-1" if is_latin else "utf8")
    except UnicodeEncodeError:
        codes = char.encode("utf8")
    form = "{:02x}" if intro[0] == "\\" else "{:02X}"
    return "".join(intro + form.format(code) for code in codes)
