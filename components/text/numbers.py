"""Forms of numbers: postal codes, days of a samordningsnummer, numbers in words, phone numbers."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import phonenumbers

POSTAL_CODE = re.compile(r"(?<!\d)\d{3}\s?\d{2}(?!\d)")
COORDINATION = 60  # added to the day of birth in a samordningsnummer


def split_day(day: int) -> tuple[int, int]:
    """Part the day of a personnummer: the day of birth, and what was added to it, 0 or 60."""
    added = COORDINATION if day > COORDINATION else 0
    return day - added, added


# Numbers below a hundred in words, also as they are spoken.
SPOKEN_ONES = (
    ("noll",), ("ett", "en"), ("två", "tva"), ("tre",), ("fyra",), ("fem",), ("sex",), ("sju",), ("åtta", "atta"),
    ("nio",), ("tio",), ("elva",), ("tolv",), ("tretton",), ("fjorton",), ("femton",), ("sexton",), ("sjutton",),
    ("arton",), ("nitton",),
)  # fmt: skip
SPOKEN_TENS = ("tju", "tretti", "fyrti|förti", "femti", "sexti", "sjutti", "[åa]tti", "nitti")
ONE = "|".join(sorted((word for words in SPOKEN_ONES for word in words), key=len, reverse=True))
SPOKEN = re.compile(
    rf"(?P<digits>\d+)|(?:binde)?streck|minus|(?:{'|'.join(f'(?P<t{i}>{tens})' for i, tens in enumerate(SPOKEN_TENS, 2))})"
    r"(?:go|ge|[oe])?(?P<unit>ett|tv[åa]|tre(?!t)|fyra|fem(?!t)|sex(?!t)|sju(?!t)|[åa]tta|nio)?"
    rf"|(?P<one>{ONE})",
    re.IGNORECASE,
)
# A regex that ignores case takes these for `i`, `s` and `k`; `str.lower` does not.
ALIKE = str.maketrans("İıſ\u212a", "Iisk")
ONE_VALUES = {word: number for number, words in enumerate(SPOKEN_ONES) for word in words}


class SpokenPart(NamedTuple):
    """A part of a spoken number: where it stands, and its digits: `sjuttiotre` is 73."""

    start: int
    end: int
    digits: str


def read_spoken(text: str) -> Iterator[SpokenPart]:
    """Read a number that is in words, in digits or in both: `noll sju tre 915 22 18`, `nollsjuttiotre`."""
    for match in SPOKEN.finditer(text.translate(ALIKE)):
        if match["digits"]:
            digits = "".join(str(int(char)) for char in match["digits"])
        elif match["one"]:
            digits = str(ONE_VALUES[match["one"].lower()])
        elif match[0].lower().endswith(("streck", "minus")):
            continue
        else:
            tens = next(n for n in range(2, 10) if match[f"t{n}"])
            digits = str(10 * tens + ONE_VALUES.get((match["unit"] or "noll").lower(), 0))
        yield SpokenPart(*match.span(), digits)


MOBILE = re.compile(r"7[02369]")
MOBILE_LENGTH = 9


class Number(NamedTuple):
    """A phone number: how many digits come before the number proper, its country (46 for Sweden, 0
    without area code), and the number proper, without prefix and zero.
    """

    prefix: int
    country: int
    digits: str


def read_phone(text: str) -> Number:
    """Read a phone number."""
    digits = "".join(str(int(c)) for c in text if c.isdecimal())
    international = text.lstrip("( ").startswith("+")
    start = 0 if international else 2
    if international or digits.startswith("00"):
        rest = digits[start:]
        if rest.startswith("46"):
            start += 2
        else:
            country = _country(rest)
            start += len(str(country))
            return Number(start, country, digits[start:])
        if digits[start : start + 1] == "0":
            start += 1
        return Number(start, 46, digits[start:])
    if digits.startswith("0") and len(digits) > 6:
        return Number(1, 46, digits[1:])
    if digits.startswith("46") and len(digits) in (10, 11):
        return Number(2, 46, digits[2:])
    if MOBILE.match(digits) and len(digits) == MOBILE_LENGTH:
        return Number(0, 46, digits)
    return Number(0, 0, digits)


def _country(digits: str) -> int:
    for length in (1, 2, 3):
        code = int(digits[:length] or 0)
        if code in phonenumbers.COUNTRY_CODE_TO_REGION_CODE:
            return code
    return int(digits[:1] or 0)
