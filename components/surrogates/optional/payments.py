"""Surrogates of organisation numbers, bank accounts and cards."""

from collections.abc import Iterator
from itertools import chain

from stdnum import luhn
from stdnum.iso7064 import mod_97_10

from ..core.scope import Scope
from .codes import (
    DIGITS,
    LETTERS,
    LONGEST,
    Codes,
    LuhnCodes,
    draw_characters,
    get_characters,
    write_into,
)

# Numbers that the issuers of cards document for tests (Visa, Mastercard, American Express, Diners Club,
# Discover, JCB), by length.
TEST_CARDS = """4222222222222 30569309025904 38520000023237 36227206271667 378282246310005 371449635398431
378734493671000 4111111111111111 4012888888881881 4242424242424242 4000056655665556 5555555555554444
5105105105105100 5200828282828210 2223003122003222 6011111111111117 6011000990139424 3530111333300000
3566002020360505""".split()  # noqa: SIM905
# For assignment by a country (9), which is none (999): ISO/IEC 7812, ISO 3166.
CARD_HEAD = "9999"
SWEDISH_IBAN = 24  # characters
NO_BANK = "000"  # a bank code of Swedish IBANs that is given to no bank


class OrganisationNumbers(LuhnCodes):
    """Replaces organisation numbers by such as no organisation has: they begin with a 4, and their check
    digit is right. The century in front (16) stays, and what makes a VAT number of it (SE, 01).
    """

    def __init__(self, label: str) -> None:
        super().__init__(label, {10: "4"})

    def read(self, text: str) -> str:
        characters = get_characters(text)
        start, end = _get_core(characters)
        return characters[start:end]

    def get_kinds(self, payload: str) -> list[str]:
        return [DIGITS[2:] if i == 2 else DIGITS for i in range(len(payload))]

    def write(self, text: str, core: str, new: str) -> str:
        characters = get_characters(text)
        start, end = _get_core(characters)
        return write_into(text, characters[:start] + new + characters[end:])


def _get_core(characters: str) -> tuple[int, int]:
    if len(characters) == 14 and characters.startswith("SE"):
        return 2, 12
    if len(characters) == 12 and characters.isdecimal():
        return (2, 12) if characters.startswith("16") else (0, 10)
    return 0, len(characters)


class Cards(Codes):
    """Replaces the numbers of payment cards by those that issuers document for tests, of the same length
    and the same first digit if there is one; once these are used up by such as no issuer has.
    """

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        if not core.isdecimal() or len(core) <= len(CARD_HEAD):
            return
        alike = [card for card in TEST_CARDS if len(card) == len(core)]
        same = [card for card in alike if card[:1] == core[:1]]
        others = [card for card in alike if card not in same]
        for cards in (same, others):
            start = scope.number(max(1, len(cards)), "card", core)
            yield from (card for card in chain(cards[start:], cards[:start]) if card != core)
        kinds = [*CARD_HEAD, *[DIGITS] * (len(core) - len(CARD_HEAD) - 1)]
        for rest in draw_characters(core, kinds, scope, "card"):
            yield f"{rest}{luhn.calc_check_digit(rest)}"


class Ibans(Codes):
    """Replaces international bank account numbers, with right check digits. A Swedish one gets a bank
    code that no bank has; another one keeps its country, and may be somebody's.
    """

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        country, rest = core[:2], core[4:]
        if not (core.isascii() and 0 < len(rest) <= LONGEST):
            return
        kinds = [DIGITS if char.isdigit() else LETTERS for char in rest]
        if country == "SE" and len(core) == SWEDISH_IBAN:
            kinds[: len(NO_BANK)] = NO_BANK
        for new in draw_characters(rest, kinds, scope, "iban", country):
            yield f"{country}{mod_97_10.calc_check_digits(new + country)}{new}"
