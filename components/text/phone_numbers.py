"""Reading of phone numbers."""

import re
from typing import NamedTuple

import phonenumbers

MOBILE = re.compile(r"7[02369]")
MOBILE_LENGTH = 9


class Number(NamedTuple):
    """A phone number, read.

    prefix (int): How many digits of the text come before the number proper.
    country (int): Its country, 46 for Sweden, 0 for a number without area code.
    digits (str): The number proper, without prefix and zero.
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
