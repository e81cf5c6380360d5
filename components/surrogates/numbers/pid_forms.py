"""How personnummer are written."""

import re

from ...text.validators import digits_of, get_spoken_digits, read_misspelled

DIGIT = re.compile(r"[0-9oO]")
LENGTHS = (4, 10, 12)  # digits of a personnummer, the last four alone among them
LONGEST = 200
WHOLE = r"((?:1[89]|20)?\d{6}[-+]?\d{4})"
GLUED = re.compile(WHOLE * 2)


def read_pid(text: str) -> str:
    """Read the digits of a personnummer.

    RETURNS (str): Its digits, those in words if it is spoken. Of one with a digit too many or too few,
        or with letters, those that were meant.
    """
    meant = read_misspelled(text) if len(text) <= LONGEST else None
    if meant is not None:
        return meant.digits
    digits = digits_of(text)
    spoken = "" if len(digits) in LENGTHS else get_spoken_digits(text[:LONGEST])
    return spoken if len(spoken) in LENGTHS else digits


def get_letters(text: str) -> str:
    """RETURNS (str): The letters in an interim or reserve number, upper case; "" of any other number."""
    meant = read_misspelled(text) if len(text) <= LONGEST else None
    return "".join(char for char in text if char.isalpha()).upper() if meant else ""


def write_pid(text: str, digits: str) -> str:
    """Write another personnummer in the same form: with the digit too many or too few that it has, and
    with its letters. One that is spoken is written in digits."""
    meant = read_misspelled(text) if len(text) <= LONGEST else None
    if meant is not None:
        out = [*text]
        for digit, place in zip(digits, meant.places):
            if place >= 0 and DIGIT.fullmatch(text[place]):
                out[place] = digit
        return "".join(out)
    if len(digits_of(text)) == len(digits):
        left = iter(digits)
        return DIGIT.sub(lambda _: next(left), text)
    return "-".join(filter(None, (digits[:-4], digits[-4:])))


def split_glued(text: str) -> tuple[str, ...]:
    """Part two personnummer that are glued together."""
    match = GLUED.fullmatch(text)
    return match.groups() if match else (text,)
