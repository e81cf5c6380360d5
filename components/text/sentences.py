"""The beginnings of sentences and lines, and their number."""

import re

ENDS = ".!?:\n"
BLANKS = " \t"
BREAK = re.compile(r"[.!?…]+(?=\s|$)|\n+")


def count_sentences(text: str) -> int:
    """Count sentences. A sentence has a letter or digit. It ends with the line, or with a full stop,
    exclamation or question mark before white space. `t.ex. så` ends one: chat has few capitals.
    """
    return sum(any(sign.isalnum() for sign in part) for part in BREAK.split(text))


def begins_sentence(text: str, start: int) -> bool:
    """Whether a sentence or a line begins at a place."""
    before = _get_sign_before(text, start)
    return not before or before in ENDS


def begins_line(text: str, start: int) -> bool:
    """Whether a line begins at a place."""
    return _get_sign_before(text, start) in ("", "\n")


def _get_sign_before(text: str, start: int) -> str:
    while start and text[start - 1] in BLANKS:
        start -= 1
    return text[start - 1 : start]
