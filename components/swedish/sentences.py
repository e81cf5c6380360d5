"""Where sentences and lines begin, and how many there are."""

import re

ENDS = ".!?:\n"
BLANKS = " \t"
BREAK = re.compile(r"[.!?…]+(?=\s|$)|\n+")


def count_sentences(text: str) -> int:
    """Count sentences: what ends at a full stop, an exclamation or question mark before white space, or
    with the line, and holds a letter or digit. `t.ex. så` ends one, as capitals are no sign in chat.

    text (str): The text.
    RETURNS (int): How many there are.
    """
    return sum(any(sign.isalnum() for sign in part) for part in BREAK.split(text))


def begins_sentence(text: str, start: int) -> bool:
    """Whether a sentence or a line begins: any word has a capital there.

    text (str): The text.
    start (int): A place in it.
    RETURNS (bool): Whether one does.
    """
    before = _get_sign_before(text, start)
    return not before or before in ENDS


def begins_line(text: str, start: int) -> bool:
    """Whether a line begins.

    text (str): The text.
    start (int): A place in it.
    RETURNS (bool): Whether one does.
    """
    return _get_sign_before(text, start) in ("", "\n")


def _get_sign_before(text: str, start: int) -> str:
    while start and text[start - 1] in BLANKS:
        start -= 1
    return text[start - 1 : start]
