"""How personnummer are written: in digits, or spoken in words."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..swedish.casing import fold, like_case
from ..swedish.validators import digits_of, read_misspelled
from .number_words import ONES, WORDS, read_year, spell, spell_like

DIGIT = re.compile(r"[0-9oO]")
PART = re.compile(r"\d+|[^\W\d_]+")
LENGTHS = (4, 10, 12)  # digits of a personnummer, the last four alone among them
LONGEST = 200
WHOLE = r"((?:1[89]|20)?\d{6}[-+]?\d{4})"
GLUED = re.compile(WHOLE * 2)


class Part(NamedTuple):
    """A number that is a part of a personnummer.

    start (int), end (int): Where it stands.
    text (str): How it is written.
    digits (str): What it is.
    """

    start: int
    end: int
    text: str
    digits: str


def read_pid(text: str) -> str:
    """Read the digits of a personnummer.

    text (str): The text of a mention.
    RETURNS (str): Its digits, those in words among them if they are needed. Of one with a digit too many
        or too few, or with letters, those that were meant.
    """
    meant = read_misspelled(text) if len(text) <= LONGEST else None
    if meant is not None:
        return meant.digits
    if any(char.isdecimal() for char in text):
        digits = digits_of(text)
        if len(digits) in LENGTHS:
            return digits
    spoken = "".join(part.digits for part in _read_parts(text))
    if len(spoken) in LENGTHS:
        return spoken
    return digits_of(text) if any(char.isdecimal() for char in text) else ""


def write_pid(text: str, digits: str) -> str:
    """Write another personnummer in the same form: with the digit too many or too few that it has, and
    with its letters.

    text (str): The text of a mention.
    digits (str): As many digits as `read_pid` read.
    RETURNS (str): The new text.
    """
    meant = read_misspelled(text) if len(text) <= LONGEST else None
    if meant is not None:
        out = [*text]
        for digit, place in zip(digits, meant.places):
            if place >= 0 and DIGIT.fullmatch(text[place]):
                out[place] = digit
        return "".join(out)
    if any(char.isdecimal() for char in text) and len(digits_of(text)) == len(digits):
        left = iter(digits)
        return DIGIT.sub(lambda _: next(left), text)
    written, position = "", 0
    for part in _read_parts(text):
        own, digits = digits[: len(part.digits)], digits[len(part.digits) :]
        new = own if part.text.isdecimal() else like_case(part.text, _spell(part.text, own))
        written += text[position : part.start] + new
        position = part.end
    return written + text[position:]


def split_glued(text: str) -> tuple[str, ...]:
    """Part two personnummer that are glued together.

    text (str): The text of a mention.
    RETURNS (tuple[str, ...]): Both, or the text alone.
    """
    match = GLUED.fullmatch(text)
    return match.groups() if match else (text,)


def _read_parts(text: str) -> Iterator[Part]:
    for match in PART.finditer(text[:LONGEST]):
        word = match[0]
        digits = word if word.isdecimal() else _read_word(fold(word))
        if digits is not None:
            yield Part(*match.span(), word, digits)


def _read_word(word: str) -> str | None:
    if word in ONES[:10]:
        return str(ONES.index(word))
    number = WORDS.get(word)
    if number is None:
        number = read_year(word)
    elif number > 99 or word == "en":
        return None
    return None if number is None else str(number)


def _spell(old: str, digits: str) -> str:
    if len(digits) == 4:
        return spell_like(old, int(digits))
    zero = "noll " if digits[0] == "0" and len(digits) > 1 else ""
    return zero + spell(int(digits))
