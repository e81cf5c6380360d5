"""How ages are written: numbers, words and units."""

import re
from bisect import bisect_left
from typing import NamedTuple

from ..swedish.casing import fold

MAX_DIGITS = 3  # a longer number is no age

TO_NINETEEN = """noll ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton
sexton sjutton arton nitton"""
ONES = TO_NINETEEN.split()
TENS = ["tjugo", "trettio", "fyrtio", "femtio", "sextio", "sjuttio", "åttio", "nittio", "hundra"]


def spell(number: int) -> str:
    """Write a number in Swedish words.

    number (int): A number from 0 to 199.
    RETURNS (str): The words, written as one.
    """
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10 - 2] + (ONES[number % 10] if number % 10 else "")
    return "hundra" + (spell(number - 100) if number > 100 else "")


WORDS: dict[str, int] = {spell(number): number for number in range(1, 120)}
# Spoken forms: `femti`, `femtifem`, and `en` for one.
WORDS.update({word.replace("tio", "ti"): n for word, n in WORDS.items() if n >= 30})
WORDS["en"] = 1
LONGEST_FIRST = sorted(WORDS, key=len, reverse=True)
NUMBER = re.compile(
    rf"(?P<digits>\d+)(?P<decimals>[.,]\d+)?|(?<![^\W\d_])(?P<word>{'|'.join(LONGEST_FIRST)})"
    r"(?![^\W\d_])|(?<![^\W\d_])(?P<head>" + "|".join(LONGEST_FIRST) + r")(?=år|mån|veck)",
    re.IGNORECASE,
)
UNIT = re.compile(
    r"(?P<years>år|year|y\b)|(?P<months>m[åa]n|mth|month|\bm\b)|(?P<weeks>v(?:eck|\b|k))|"
    r"(?P<days>dag|dygn|day|d\b)",
    re.IGNORECASE,
)


class Age(NamedTuple):
    """A number in a mention of an age.

    match (re.Match): Where it stands.
    value (int): The number.
    unit (str): "years", "months", "weeks" or "days".
    """

    match: "re.Match[str]"
    value: int
    unit: str


def read_ages(text: str) -> list[Age]:
    """Read the numbers of a mention of an age.

    text (str): The mention.
    RETURNS (list[Age]): The numbers in order, without those too long to be an age.
    """
    ages = []
    units = list(UNIT.finditer(text))
    starts = [unit.start() for unit in units]
    for match in NUMBER.finditer(text):
        digits = match["digits"]
        if digits and len(digits) > MAX_DIGITS:
            continue
        value = int(digits) if digits else WORDS[fold(match["word"] or match["head"])]
        # The next one behind the number.
        behind = bisect_left(starts, match.end())
        unit = units[behind].lastgroup if behind < len(units) else None
        ages.append(Age(match, value, unit or "years"))
    return ages
