"""The folded copy of a text that rules, lists, known values and the encoder read: digits, hyphens and
spaces of one kind, no invisible characters, no look-alike letters. It knows where each of its
characters stands in the original.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from spacy.attrs import IDX, LENGTH
from spacy.tokens import Doc

# Letters that look like a Latin one. A word is folded if all its other letters are Latin: `Анна` in
# Cyrillic stays.
# fmt: off
LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҮӒӦаеѕіјорсухһӓӧѵԁԛԝӏɡΑΒΕΖΗΙΚΜΝΟΡΤΥΧονιαρυ",
    "ABESIJKMHOPCTYXYÄÖaesijopcyxhäövdqwlgABEZHIKMNOPTYXoviapu",
)
# fmt: on
# Letters that `str.lower` and regexes that ignore case treat differently, and blanks that Python
# does not count as white space.
ODD = {"ı": "i", "İ": "I", "ſ": "s"} | dict.fromkeys("\u2800\u3164\u115f\u1160\uffa0", " ")
LINE_ENDS = "\x0b\x0c\x85\u2028\u2029"
KEPT = "\n\r"
# Hyphens outside the category of dashes. The first two are the dashes of Windows, read as Latin-1.
HYPHENS = "\x96\x97\u02d7\u2043\u2212"
# Not folded to the letter in them: single accents, ordinals, the sign for information.
APART = "´`ªºℹ"
SELECTORS = (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), 0x34F)
TAGS = range(0xE0000, 0xE0080)
LAST = 0x20000  # only ideographs come after it
# Marks on the letter before them, also those that make an emoji of a digit.
MARKS = frozenset(map(chr, (*range(0x300, 0x370), *range(0x1AB0, 0x1B00), *range(0x20D0, 0x2100))))
CHUNK = re.compile(r"\S+")
WORD = re.compile(r"[^\W_]+")
# A number in which letters may be mistyped digits. `2 l` and `2l` are a measure. Each match begins
# with a digit or a bracket, so the search is fast.
MIXED = re.compile(
    r"[\d(](?:(?<=\d)(?:[oOlI]|[ -](?:[oOlI] \d|[oOlI]{2}\b))|(?<=[oOlI]\d)|(?<=\()[oO]\))"
)
NUMBER = re.compile(
    r"(?:(?<![^\W_])|(?<![\doOlI])(?=\d))(?![1-9]\d?l(?![^\W_]))[\doOlI]+(?![^\W_])"
    r"(?:[ ()./+-]{1,3}[\doOlI]+(?![^\W_]))*"
)
# A part of it: with a digit, or letters that are no word.
PART = re.compile(r"[oOlI]*\d[\doOlI]*|\b(?:oo|OO|ll|II)\b|(?<=\()[oO](?=\))")
# A number of single digits, which has few letters: `3 o 4` is none.
SINGLE = re.compile(r"[\doOlI](?:[ -]{1,3}[\doOlI])*")
# Diagnoses look like one: `I10.9`, `O24.4`, `I489 E119`.
CODE = re.compile(r"^I\d{2,3}\b(?!-)|\b[OI]\d\d\.\d|\b[OI]\d{2,3}\b.*\b[OI]\d{2,3}\b")
MISTYPED = str.maketrans("oOlI", "0011")
MIN_NUMBER = 8  # digits of a date, a phone number or a personnummer


def _make_table() -> dict[int, str]:
    """The folded form of each character that changes, empty for invisible ones."""
    table = {ord(char): new for char, new in ODD.items()}
    for code in (*range(LAST), *TAGS):
        char = chr(code)
        category = unicodedata.category(char)
        if char in LINE_ENDS:
            table[code] = "\n"
        elif category == "Zs" or char.isspace():
            table[code] = char if char in KEPT else " "
        elif category == "Pd" or char in HYPHENS:
            table[code] = "-"
        elif category in ("Cc", "Cf"):
            table[code] = ""
        elif category == "Nd":
            table[code] = str(unicodedata.decimal(char))
        elif code > 0x7F and (category[0] in "LP" or category in ("Sm", "Sc", "Sk")):
            # Full-width and mathematical letters, the signs for Kelvin and Ångström.
            plain = unicodedata.normalize("NFKC", char)
            if len(plain) == 1 and (plain.isascii() or plain in "åäöÅÄÖ") and char not in APART:
                table.setdefault(code, plain)
    table |= dict.fromkeys(SELECTORS, "")
    return {code: new for code, new in table.items() if chr(code) != new}


TABLE = _make_table()
LOOK_ALIKE = frozenset(map(chr, LOOK_ALIKES))
SPECIAL = frozenset(map(chr, TABLE)) | LOOK_ALIKE | MARKS


class Folded(NamedTuple):
    """A folded text, the original, and where in it each character begins and ends; None if all
    characters stand where they stood.
    """

    text: str
    original: str
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None

    def to_original(self, start: int, end: int) -> tuple[int, int]:
        """Find a stretch in the original. Invisible characters count between two of its own."""
        if self.starts is None or self.ends is None:
            return start, end
        if start < end:
            return self.starts[start], self.ends[end - 1]
        at = self.starts[start] if start < len(self.starts) else len(self.original)
        return at, at

    def to_folded(self, at: int) -> int:
        """How many characters of the folded text begin before a place of the original."""
        return at if self.starts is None else bisect_left(self.starts, at)

    def get_bounds(self, doc: Doc) -> tuple[np.ndarray, np.ndarray]:
        """Where tokens begin and end in the text: two arrays of shape (n_tokens,)."""
        starts, lengths = doc.to_array([IDX, LENGTH]).astype(np.int64).reshape(-1, 2).T
        ends = starts + lengths
        if self.starts is not None:
            starts, ends = np.searchsorted(self.starts, (starts, ends))
        return starts, ends


def fold_text(text: str) -> Folded:
    """Fold a text. Case is kept."""
    if SPECIAL.isdisjoint(text):
        return Folded(_fold_numbers(text), text)
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None
    folded = text.translate(TABLE)
    if len(folded) != len(text) or not MARKS.isdisjoint(folded):
        folded, starts, ends = _shorten(text)
    folded = fold_look_alikes(folded)
    return Folded(_fold_numbers(folded), text, starts, ends)


def _shorten(text: str) -> tuple[str, list[int], list[int]]:
    """Leave out what cannot be seen, and write a letter and its accents as one character."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for i, char in enumerate(text):
        char = TABLE.get(ord(char), char)
        if char in MARKS and out and out[-1] not in KEPT:
            # A mark that makes no letter of its own with what it stands on is left out: an
            # underline.
            composed = unicodedata.normalize("NFC", out[-1] + char)
            out[-1] = composed if len(composed) == 1 else out[-1]
            ends[-1] = i + 1
        elif char:
            out.append(char)
            starts.append(i)
            ends.append(i + 1)
    return "".join(out), starts, ends


def fold_look_alikes(text: str) -> str:
    """Write look-alike letters as Latin ones, in words that have Latin ones. The length stays."""
    return text if LOOK_ALIKE.isdisjoint(text) else CHUNK.sub(_fold_chunk, text)


def _fold_chunk(match: re.Match) -> str:
    # An address is one word.
    chunk = _fold_word(match) if "@" in match[0] else match[0]
    return WORD.sub(_fold_word, chunk)


def _fold_word(match: re.Match) -> str:
    word = match[0]
    plain = word.translate(LOOK_ALIKES)
    others = {char for char in word if char.isalpha() and char not in LOOK_ALIKE}
    latin = bool(others) and all(map(_is_latin, others))
    # `О7О` has the Cyrillic letter for zero.
    number = NUMBER.fullmatch(plain) and MIXED.search(plain)
    return plain if latin or number else word


def _is_latin(char: str) -> bool:
    # Those of Latin-1, Extended-A, Extended-B and Additional.
    return char < "\u0250" or "\u1e00" <= char < "\u1f00"


def _fold_numbers(text: str) -> str:
    """Read the letters in a long number as digits: `O7O-l74 06 05`."""
    return NUMBER.sub(_fold_number, text) if MIXED.search(text) else text


def _fold_number(match: re.Match) -> str:
    number = match[0]
    n_digits = sum(map(str.isdigit, number))
    n_letters = sum(map(number.count, "oOlI"))
    if n_digits + n_letters < MIN_NUMBER or n_letters > 2 * n_digits or CODE.search(number):
        return number
    if SINGLE.fullmatch(number):
        return number.translate(MISTYPED) if 2 * n_letters <= n_digits else number
    return PART.sub(lambda part: part[0].translate(MISTYPED), number)
