"""Finds known numbers: personnummer, phones, postal codes."""

import re
from collections.abc import Iterator, Mapping

import phonenumbers

from ..text.validators import digits_of
from .typo_finder import TypoFinder
from .words import EXACT, TYPO, Hit

# Least number of digits with one typing error.
NUMBER_ERROR = 9
# A longer value is no number, and is ignored.
MOST_DIGITS = 32

DIGITS = re.compile(r"[0-9Oo]+")
WITHIN_NUMBER = re.compile(r"[ \-/.()+_]{0,4}")


class NumberFinder:
    """Finds numbers (digits to label), whatever stands between digits; one error if wanted."""

    def __init__(self, numbers: Mapping[str, str], errors: int) -> None:
        self.numbers = numbers
        self.errors = errors
        self._most_digits = max(map(len, numbers), default=0) + 1
        long = [number for number in numbers if errors and len(number) >= NUMBER_ERROR]
        self._near = TypoFinder(dict.fromkeys(long, 1))

    def find(self, text: str) -> Iterator[Hit]:
        """Find the numbers in a folded text."""
        if not self.numbers:
            return
        groups = list(get_digit_groups(text))
        windows = []
        for i, first in enumerate(groups):
            digits = ""
            for j in range(i, len(groups)):
                end = groups[j - 1].end()
                if j > i and not WITHIN_NUMBER.fullmatch(text, end, groups[j].start()):
                    break
                if len(digits) + groups[j].end() - groups[j].start() > self._most_digits:
                    break
                digits += digits_of(groups[j][0])
                windows.append((i, j, digits, (first.start(), groups[j].end())))
        used: set[int] = set()
        near = self._near.find(dict.fromkeys(digits for _, _, digits, _ in windows))
        for kind in (EXACT, TYPO) if self.errors else (EXACT,):
            taken: set[int] = set()
            for i, j, digits, (start, end) in windows:
                number = digits if kind == EXACT else near.get(digits, ("",))[0]
                label = self.numbers.get(number)
                if label and used.isdisjoint(range(i, j + 1)):
                    taken.update(range(i, j + 1))
                    before = text[max(0, start - 1) : start]
                    if before == "+" or (before == "(" and ")" in text[start:end]):
                        start -= 1
                    yield Hit(start, end, label, kind)
            used |= taken


def get_digit_groups(text: str) -> Iterator[re.Match]:
    """Find runs of digits, among which the letter O may stand for a zero."""
    return (match for match in DIGITS.finditer(text) if any(map(str.isdigit, match[0])))


def get_number_keys(label: str, value: str) -> set[str]:
    """Get the ways to write a number, without its separators."""
    digits = digits_of(value)
    if not 0 < len(digits) <= MOST_DIGITS:
        return set()
    if label == "PID":
        short = digits[-10:] if len(digits) in (10, 12) else digits
        centuries = ("", digits[:2]) if len(digits) == 12 else ("", "18", "19", "20")
        return {century + short for century in centuries}
    try:
        number = phonenumbers.parse(value, "SE")
    except phonenumbers.NumberParseException:
        return {digits}
    core, country = str(number.national_number), str(number.country_code)
    prefixes = ["0", country, f"{country}0", f"00{country}", f"00{country}0"]
    return {digits, *(prefix + core for prefix in prefixes), *([core] if len(core) > 7 else [])}
