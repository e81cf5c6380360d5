"""Validators of the optional classes. Many other things look like these (four groups of digits, six letters
and digits), so that a hit counts only if its check holds.
"""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from stdnum import iban, luhn
from stdnum.dk import cpr
from stdnum.fi import hetu
from stdnum.is_ import kennitala
from stdnum.no import fodselsnummer
from stdnum.se import orgnr

from ..shared.words import read_words
from ..text.validators import digits_of, is_date, is_personnummer, make_date, validators

# First digits of payment cards, by scheme (ISO/IEC 7812; Wikipedia, Payment card number).
CARD = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}"
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}|(?:50|5[6-9]|6\d)\d{10,17}"
)
# Letters that plates do not have: I, Q and V; O is not the last one.
PLATE = re.compile(r"[A-HJ-PR-UW-Z]{3}\d\d[0-9A-HJ-NPR-UW-Z]", re.IGNORECASE)
ABBREVIATIONS = frozenset(read_words(__file__, "abbreviations.txt")["abbreviations"])
CODE_DIGITS = 3  # the least digits of a case number
BARE_DIGITS = 5  # the least digits if it has no letters and nothing says that it is a number
CLOCK = re.compile(r"(?:[01]?\d|2[0-3])[:.][0-5]\d")
NUMBER_RANGE = re.compile(r"\d{1,4}[-/.:]\d{1,4}")
HOURS = re.compile(r"(?:[01]\d|2[0-4])[0-5]\d")
YEARS = re.compile(r"(?:19|20)\d\d")
COUNTRIES = (cpr, hetu, fodselsnummer, kennitala)


def _read_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address of the internet protocol, of version 4 perhaps with a port."""
    try:
        if "." in text and text.count(":") <= 1:
            return IPv4Address(text.partition(":")[0])
        return IPv6Address(text)
    except AddressValueError:
        return None


@validators.register("ip_address")
def is_ip_address(text: str) -> bool:
    """Check for an IP address that is no version number, row of doses or time."""
    address = _read_address(text)
    if isinstance(address, IPv4Address):
        return any(len(part) > 1 for part in str(address).split("."))
    # The long form of an address with a zone (`fe80::1%eth0`) cannot be read.
    if address is None or "%" in text:
        return False
    if len([group for group in text.split(":") if group]) > 2:
        return True
    return any(char.isalpha() for char in text) and not address.exploded.startswith("0000")


@validators.register("ip_address_any")
def is_any_ip_address(text: str) -> bool:
    """Check that what is said to be an address of the internet protocol is one."""
    return _read_address(text) is not None


@validators.register("plate")
def is_plate(text: str) -> bool:
    """Check that letters and digits are a Swedish vehicle plate, and not a test and its value."""
    code = re.sub(r"[ -]", "", text).upper()
    return PLATE.fullmatch(code) is not None and code[:3] not in ABBREVIATIONS


@validators.register("organisation_number")
def is_organisation_number(text: str) -> bool:
    """Check the third digit and the check digit of an organisation or VAT number."""
    digits = digits_of(text)
    if len(digits) == 12:
        digits = digits[2:] if digits.startswith("16") else digits.removesuffix("01")
    return (
        len(digits) == 10 and digits[0] != "0" and digits[2] >= "2" and bool(orgnr.is_valid(digits))
    )


@validators.register("bankgiro")
def is_bankgiro(text: str) -> bool:
    """Check the check digit of a bankgiro number."""
    digits = digits_of(text)
    return len(digits) in (7, 8) and luhn.is_valid(digits)


@validators.register("bankgiro_bare")
def is_bare_bankgiro(text: str) -> bool:
    """Check that a number without the word bankgiro is one, and no years or times."""
    first, _, last = text.partition("-")
    is_range = any(p.fullmatch(first) and p.fullmatch(last) for p in (HOURS, YEARS))
    return is_bankgiro(text) and not is_range and text[0] != "0"


@validators.register("plusgiro")
def is_plusgiro(text: str) -> bool:
    """Check the check digit of a plusgiro number."""
    digits = digits_of(text)
    return 2 <= len(digits) <= 8 and luhn.is_valid(digits)


@validators.register("iban")
def is_iban(text: str) -> bool:
    """Check the check digits and the form of an international bank account number."""
    return bool(iban.is_valid(text, check_country=False))


@validators.register("card")
def is_card(text: str) -> bool:
    """Check the first digits and the check digit of a payment card."""
    digits = digits_of(text)
    return CARD.fullmatch(digits) is not None and luhn.is_valid(digits)


@validators.register("reserve_number")
def is_reserve_number(text: str) -> bool:
    """Check that what is written like a reserve number is no personnummer."""
    digits = sum(map(str.isdigit, text))
    return digits >= 4 and not (
        is_personnummer(text) and not any(map(str.isalpha, text)) and digits in (10, 12)
    )


@validators.register("reserve_number_bare")
def is_bare_reserve_number(text: str) -> bool:
    """Check that a number without the word for it begins with a birth date, as reserve numbers do."""
    day = text[:8]
    if len(day) < 8 or not day.isdecimal():
        return False
    return bool(make_date(int(day[:4]), int(day[4:6]), int(day[6:])))


@validators.register("nordic_id")
def is_nordic_id(text: str) -> bool:
    """Check the date and check digits of a Danish, Finnish, Norwegian or Icelandic number."""
    return any(country.is_valid(text) for country in COUNTRIES)


@validators.register("finnish_id")
def is_finnish_id(text: str) -> bool:
    """Check a Finnish personal identity code."""
    return bool(hetu.is_valid(text)) and not is_personnummer(text)


@validators.register("norwegian_id")
def is_norwegian_id(text: str) -> bool:
    """Check a Norwegian birth number."""
    return bool(fodselsnummer.is_valid(text))


@validators.register("case_number")
def is_case_number(text: str) -> bool:
    """Check that what is called the number of a case has digits enough, and is no time."""
    n_digits = sum(map(str.isdigit, text))
    return n_digits >= CODE_DIGITS and CLOCK.fullmatch(text) is None


@validators.register("case_number_bare")
def is_bare_case_number(text: str) -> bool:
    """Check for a case number: capitals and digits, or a long number that is no date."""
    if not is_case_number(text) or NUMBER_RANGE.fullmatch(text):
        return False
    letters = [char for char in text if char.isalpha()]
    if letters:
        return not any(map(str.islower, letters))
    looks_dated = is_date(text) and not re.fullmatch(r"\d{6}", text)
    return sum(map(str.isdigit, text)) >= BARE_DIGITS and not looks_dated


@validators.register("handle")
def is_handle(text: str) -> bool:
    """Check that a word is made up like the name of an account, and no number or address."""
    has_letter = any(map(str.isalpha, text))
    return has_letter and re.search(r"[\d_]|[a-z0-9]\.[a-z0-9]", text) is not None
