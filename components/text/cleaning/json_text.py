"""JSON: its strings and numbers are read like lines of a text, `namn: Anna`, without the syntax."""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from .edits import Edit
from .escapes import find_json_escapes

OPENING = re.compile(r"^[ \t]*[{\[]", re.MULTILINE)
LINE = re.compile(r"^[ \t]*[{\[].*$", re.MULTILINE)
VALUE = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[^\s{}\[\],:"]+', re.DOTALL)
# The name of a field, and not of a person: `msg`, `sent_at`, `toAddress`.
FIELD_NAME = re.compile(r"[a-zåäö_](?:(?!\d{3})\w|-)*")
AFTER_KEY = re.compile(r'\s*:\s*"?')
NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
# Numbers are not converted: very long ones fail.
DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)


class Part(NamedTuple):
    """A part of JSON that is no syntax. `is_name`: a key that looks like the name of a field;
    `is_bare`: without quotes, as a number, true, false or null.
    """

    start: int
    end: int
    is_key: bool = False
    is_name: bool = False
    is_bare: bool = False


def find_parts(text: str) -> list[Part]:
    """The strings and numbers of a text that is JSON; those of its lines if only they are JSON."""
    return [part for start, end in _find_json(text) for part in _read(text, start, end)]


def _find_json(text: str) -> list[tuple[int, int]]:
    # `[1]` is rather no JSON.
    if '"' not in text or not OPENING.search(text):
        return []
    if _is_json(text):
        return [(0, len(text))]
    return [line.span() for line in LINE.finditer(text) if _is_json(line[0])]


def _read(text: str, start: int, end: int) -> Iterator[Part]:
    for match in VALUE.finditer(text, start, end):
        is_bare, is_key = match[1] is None, match[2] is not None
        first, last = match.span(0 if is_bare else 1)
        is_name = is_key and FIELD_NAME.fullmatch(text, first, last) is not None
        yield Part(first, last, is_key, is_name, is_bare)


def _is_json(text: str) -> bool:
    try:
        DECODER.decode(text)
    except (ValueError, RecursionError):
        return False
    return text.lstrip()[:1] in ("{", "[")


def is_number(text: str) -> bool:
    """Whether a text is a number of JSON."""
    return NUMBER.fullmatch(text) is not None


def find_json(text: str) -> list[Edit]:
    """Find the syntax of JSON, and the escapes in its strings."""
    edits: list[Edit] = []
    for position, end in _find_json(text):
        is_key = False
        for part in _read(text, position, end):
            start = position
            if is_key:
                # The quote behind a key.
                start += 1
                edits.append(Edit(position, start, ":"))
            if start < part.start:
                is_value = is_key and AFTER_KEY.fullmatch(text, start, part.start)
                edits.append(Edit(start, part.start, " " if is_value else "\n"))
            edits += find_json_escapes(text, part.start, part.end)
            position, is_key = part.end, part.is_key
        if position < end:
            edits.append(Edit(position, end, "\n"))
    return edits
