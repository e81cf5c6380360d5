"""The numbers of an address: houses, entrances, floors, flats, roads."""

import re
from collections.abc import Collection

from .keyed import Pools, Scope

EUROPE_ROADS = Pools({f"E{n}": ("",) for n in (4, 6, 10, 12, 14, 16, 18, 20, 22, 45, 65)})
# Numbers stay within these.
BANDS = ((1, 20), (20, 60), (60, 200), (200, 1000), (1000, 10000))
FLOORS = 5  # numbers of floors stay within
FLATS = 6  # and of flats on a floor
MAX_DIGITS = 4
LETTERS = "abcdefgh"
NUMBER = re.compile(r"\d+")
# What stands behind the number of a house: `B`, `lgh 1102`, `3 tr`, `uppg. B`.
DETAIL = re.compile(
    r"(?P<flat>(?<=lgh)\W*(?P<first>1)(?P<level>\d)(?P<door>\d\d)\b)"
    r"|(?P<floor>\d+)(?=[\s:]*(?:tr\b|trappor|vån))|(?<=tr|ån)[\s.]*(?P<upper>\d+)"
    r"|(?<=ing)[\s.]*(?P<stairs>\d+)|(?<=an)\s*(?P<plan>\d+)"
    r"|(?P<number>\d+)|(?P<letter>(?<![^\W\d_])[a-h](?![^\W_]))",
    re.IGNORECASE,
)


def other_number(text: str, scope: Scope, *parts: str, but: Collection[str] = ()) -> str:
    """Choose another house or road number of about the same size: a permutation.

    text (str): The number.
    scope (Scope): The conversation or message.
    parts (str): What the number is of.
    but (Collection[str]): Numbers to avoid as long as there are others.
    RETURNS (str): Another number.
    """
    if len(text) > MAX_DIGITS:
        return scope.digits(text, *parts)
    low, high = next(band for band in BANDS if int(text) < band[1])
    number = max(int(text), low)
    others = [str(low + n) for n in _take(scope, high - low, number - low, len(but) + 1, *parts)]
    return next((other for other in others if other not in but), others[0])


def _take(scope: Scope, size: int, index: int, count: int, *parts: str) -> list[int]:
    cycle = scope.cycle(size, index, "number", *parts)
    return [number for _, number in zip(range(count), cycle)]


def other_details(text: str, scope: Scope, street: str, house: str) -> str:
    """Change what stands behind the number of a house: an entrance becomes another, as do the floor
    and the flat; a flat's number tells its floor (`lgh 1301`: three stairs up), and goes on to.

    text (str): What stands behind the number: `B`, `lgh 1102`, `3 tr`, `uppg. B`.
    scope (Scope): The conversation or message.
    street (str): The folded name of the street.
    house (str): The number of the house, which no floor becomes.
    RETURNS (str): The same with other letters and numbers.
    """

    def change(match: re.Match[str]) -> str:
        whole = match[0]
        if match["letter"]:
            index = LETTERS.index(whole.lower())
            other = LETTERS[next(scope.cycle(len(LETTERS), index, "entrance", street))]
            return other.upper() if whole.isupper() else other
        if match["flat"]:
            level = _change_small(match["level"], FLOORS, house, scope, "floor", street)
            door = _change_small(match["door"], FLATS, "", scope, "door", street)
            head = whole[: match.start("first") - match.start()]
            return f"{head}{match['first']}{level}{door.zfill(2)}"
        if match["number"]:
            return other_number(whole, scope, "stairs")
        digits = next(m for m in NUMBER.finditer(whole))
        return whole[: digits.start()] + _change_small(
            digits[0], FLOORS, house, scope, "floor", street
        )

    return DETAIL.sub(change, text)


def _change_small(text: str, most: int, but: str, scope: Scope, *parts: str) -> str:
    """Another number from 1 on, but one; the ground floor stays."""
    number = int(text)
    if number == 0:
        return text
    if number > most:
        return other_number(text, scope, *parts)
    others = (str(1 + other) for other in scope.cycle(most, number - 1, *parts))
    return next(other for other in others if other != but)
