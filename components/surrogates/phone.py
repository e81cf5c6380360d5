"""Surrogates of phone and fax numbers."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import phonenumbers

from .casing import fold
from .keyed import Mention, Pool, Scope

# The series that PTS has set aside for books and films.
SERIES = {
    "mobile": [f"701740{n}" for n in range(605, 700)],
    "31": [f"313900{n}" for n in range(600, 700)],
    "40": [f"406280{n}" for n in range(400, 500)],
    "8": [f"846500{n}" for n in range(400, 500)],
    "980": [f"980319{n}" for n in range(200, 300)],
}
POOLS = {name: Pool(numbers) for name, numbers in SERIES.items()}
POOLS["2"] = Pool(SERIES["31"] + SERIES["40"])
# By the length of the area code without its zero.
BY_AREA = {1: "8", 2: "2", 3: "980"}
MOBILE = re.compile(r"7[02369]")
MAX_DIGITS = 15  # of any number in the world
GROUPS = {4: (2, 2), 5: (3, 2), 6: (2, 2, 2), 7: (3, 2, 2), 8: (3, 3, 2)}


class Number(NamedTuple):
    """A phone number, read.

    prefix (int): How many digits of the text come before the number proper.
    country (int): Its country, 46 for Sweden, 0 for a number without area code.
    digits (str): The number proper, without prefix and zero.
    """

    prefix: int
    country: int
    digits: str


class PhoneSurrogates:
    """Replaces Swedish phone numbers by those that PTS has set aside for fiction, a mobile number
    by a mobile one, in the grouping of the original. As there are only 95 to 200 of each sort,
    two numbers of a conversation may meet if they never stand in one message.

    Numbers of other countries keep their country code and first digit; the other digits are
    permuted by key. Local numbers without an area code are permuted as a whole.
    """

    def surrogates(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        """Replace the mentions of a message.

        mentions (Sequence[Mention]): The mentions.
        scope (Scope): The conversation or message.
        RETURNS (list[str]): Their surrogates.
        """
        numbers = [read(mention.text) for mention in mentions]
        scope.originals.update(number.digits for number in numbers)
        return [_replace(m.text, number, scope) for m, number in zip(mentions, numbers)]

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same number.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too.
        RETURNS (list[str]): A name for each mention, the same for the same number.
        """
        numbers = [read(mention.text) for mention in mentions]
        return [
            f"{n.country}-{n.digits}" if n.digits else fold(m.text)
            for m, n in zip(mentions, numbers)
        ]


def read(text: str) -> Number:
    """Read a phone number.

    text (str): The text of a mention.
    RETURNS (Number): What its digits are.
    """
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
    return Number(0, 0, digits)


def _country(digits: str) -> int:
    for length in (1, 2, 3):
        code = int(digits[:length] or 0)
        if code in phonenumbers.COUNTRY_CODE_TO_REGION_CODE:
            return code
    return int(digits[:1] or 0)


def _replace(text: str, number: Number, scope: Scope) -> str:
    digits = number.digits
    if number.country == 0 or len(digits) > MAX_DIGITS:
        return _write(text, number, scope.digits(digits, "phone"))
    if number.country != 46:
        return _write(text, number, digits[:1] + scope.digits(digits[1:], "phone", digits[:1]))
    if MOBILE.match(digits):
        area, kind = 2, "mobile"
    else:
        area = _area(digits)
        kind = next((k for k in ("31", "40") if digits.startswith(k)), BY_AREA[area])
    # The two area codes of three digits share their field, so that they never meet.
    new = scope.pick("phone", digits, POOLS[kind])
    if len(new) == len(digits):
        return _write(text, number, new)
    return _regroup(text, number, area, new)


def _area(digits: str) -> int:
    """The length of the area code without its zero."""
    parsed = phonenumbers.PhoneNumber(country_code=46, national_number=int(digits))
    length = phonenumbers.length_of_geographical_area_code(parsed)
    if length in BY_AREA:
        return length
    return 1 if digits.startswith("8") else 3


def _write(text: str, number: Number, digits: str) -> str:
    """Put digits into the places of the old ones."""
    out, seen, new = [], 0, iter(digits)
    for c in text:
        if c.isdecimal():
            seen += 1
            c = next(new, "") if seen > number.prefix else c
        out.append(c)
    return "".join(out)


def _regroup(text: str, number: Number, area: int, digits: str) -> str:
    """Write a number that is longer than the old one: the area code in its place, the rest in
    the usual groups if the old one was grouped."""
    places = [i for i, c in enumerate(text) if c.isdecimal()][number.prefix :]
    head = _write(text[: places[min(area, len(places)) - 1] + 1], number, digits[:area])
    rest = digits[area:]
    if len(places) <= area:
        return head + rest
    separator = text[places[area - 1] + 1 : places[area]]
    inner = re.findall(r"\D+", text[places[area] : places[-1] + 1])
    if inner:
        groups, start = [], 0
        for size in GROUPS[len(rest)]:
            groups.append(rest[start : start + size])
            start += size
        rest = inner[0].join(groups)
    return head + separator + rest + text[places[-1] + 1 :]
