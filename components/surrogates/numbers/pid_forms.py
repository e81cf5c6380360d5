"""How personnummer are written: in digits, or spoken in words."""

import re
from collections.abc import Iterator, Sequence

from ...text.casing import fold, like_case
from ...text.numbers import SpokenPart, read_spoken
from ...text.validators import digits_of, read_misspelled
from ..core.number_words import ONES, WORDS, read_year, spell, spell_like

DIGIT = re.compile(r"[0-9oO]")
PART = re.compile(r"\d+|[^\W\d_]+")
LENGTHS = (4, 10, 12)  # digits of a personnummer, the last four alone among them
LONGEST = 200
WHOLE = r"((?:1[89]|20)?\d{6}[-+]?\d{4})"
GLUED = re.compile(WHOLE * 2)


def read_pid(text: str) -> str:
    """Read the digits of a personnummer, those in words if they are needed. Of one with a digit too
    many or too few, or with letters, those that were meant."""
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


def get_letters(text: str) -> str:
    """RETURNS (str): The letters in an interim or reserve number, upper case; "" of any other number."""
    meant = read_misspelled(text) if len(text) <= LONGEST else None
    return "".join(char for char in text if char.isalpha()).upper() if meant else ""


def write_pid(text: str, digits: str) -> str:
    """Write another personnummer in the same form: with the digit too many or too few that it has, and
    with its letters."""
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
    return _write_parts(text, [*_read_parts(text)], digits)


def is_spoken(text: str) -> bool:
    """Whether a number is in words, or partly."""
    return any(map(str.isalpha, text)) and any(
        not text[part.start : part.end].isdecimal() for part in read_spoken(text[:LONGEST])
    )


def write_spoken(text: str, digits: str) -> str:
    """Write another number in the form of one that is spoken."""
    return _write_parts(text, [*read_spoken(text)], digits)


def _write_parts(text: str, parts: Sequence[SpokenPart], digits: str) -> str:
    """Write digits part by part, in words or in digits. The last part has all that is left."""
    written, position = "", 0
    for i, part in enumerate(parts, start=1):
        size = len(digits) if i == len(parts) else len(part.digits)
        own, digits = digits[:size], digits[size:]
        old = text[part.start : part.end]
        new = own if old.isdecimal() or not own else like_case(old, spell_digits(old, own))
        written += text[position : part.start] + new
        position = part.end
    return written + text[position:]


def split_glued(text: str) -> tuple[str, ...]:
    """Part two personnummer that are glued together."""
    match = GLUED.fullmatch(text)
    return match.groups() if match else (text,)


def _read_parts(text: str) -> Iterator[SpokenPart]:
    for match in PART.finditer(text[:LONGEST]):
        word = match[0]
        digits = word if word.isdecimal() else _read_word(fold(word))
        if digits is not None:
            yield SpokenPart(*match.span(), digits)
            continue
        # `nollsex`
        parts = [*read_spoken(word)]
        if sum(part.end - part.start for part in parts) == len(word):
            for start, end, digits in parts:
                yield SpokenPart(match.start() + start, match.start() + end, digits)


def _read_word(word: str) -> str | None:
    if word in ONES[:10]:
        return str(ONES.index(word))
    number = WORDS.get(word)
    if number is None:
        number = read_year(word)
    elif number > 99 or word == "en":
        return None
    return None if number is None else str(number)


def spell_digits(old: str, digits: str) -> str:
    """Write digits, one or more, in words; four are a year."""
    if len(digits) == 4 and read_year(old) is not None:
        return spell_like(old, int(digits))
    if len(digits) > 2:
        return " ".join(ONES[int(digit)] for digit in digits)
    zero = "noll " if digits[0] == "0" and len(digits) > 1 else ""
    return zero + spell(int(digits))
