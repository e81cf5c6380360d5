"""The form of numbers: postal codes, the day in a samordningsnummer, numbers in words."""

import re
from collections.abc import Iterator
from typing import NamedTuple

POSTAL_CODE = re.compile(r"(?<!\d)\d{3}\s?\d{2}(?!\d)")
COORDINATION = 60  # added to the day of birth in a samordningsnummer


def split_day(day: int) -> tuple[int, int]:
    """Take apart the day in a personnummer or a samordningsnummer: the day of birth, and what was added to it,
    0 or 60.
    """
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
    """A part of a number that is spoken.

    start (int), end (int): Where it stands.
    digits (str): What it is: `sjuttiotre` is 73.
    """

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
