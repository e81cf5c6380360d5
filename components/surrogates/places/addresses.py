"""The numbers of an address: houses, entrances, floors, flats, roads."""

import re
from collections.abc import Collection
from itertools import islice

from ..core.pools import Pool
from ..core.scope import Scope

EUROPE_ROADS = Pool(f"E{n}" for n in (4, 6, 10, 12, 14, 16, 18, 20, 22, 45, 65))
# Numbers stay within these.
BANDS = ((1, 20), (20, 60), (60, 200), (200, 1000), (1000, 10000))
FLOORS = 5  # numbers of floors stay within
FLATS = 6  # and of flats on a floor
MAX_DIGITS = 4
LETTERS = "abcdefgh"
OTHER_LETTERS = "jklmnpqrsu"
NUMBER = re.compile(r"\d+")
# What stands behind the number of a house: `B`, `lgh 1102`, `3 tr`, `uppg. B`.
DETAIL = re.compile(
    r"(?P<flat>(?:(?<=lgh)|(?<=lägenhet)|(?<=lägenhetsnummer)|(?<=nr))\W*(?P<first>1)(?P<level>\d)(?P<door>\d\d)\b)"
    r"|(?P<floor>\d+(?P<ordinal>:?[ae])?)(?=[\s:]*(?:trp?\b|trapp|vån))|(?<=tr|ån)[\s.]*(?P<upper>\d+)"
    r"|(?<=ing)[\s.]*(?P<stairs>\d+)|(?<=an)\s*(?P<plan>\d+)"
    r"|(?P<number>\d+)|(?P<letter>(?<![^\W\d_])(?<!\w[./])[a-hj-np-su](?![^\W_]|[./]\w))",
    re.IGNORECASE,
)

# What makes a place an address: a number behind a name or a street, or a postal code.
ADDRESS = re.compile(
    r"[^\W\d_]{3}\D*\d|\d{3}\s?\d\d\b|(?:gatan|vägen|gränden?|stigen|torget|backen|allén)\b",
    re.IGNORECASE,
)
BETWEEN = re.compile(r"[\s,]{1,3}")
# Where somebody lives in the house, behind its address; the entrance is only read in front of it.
INSIDE = re.compile(
    r"(?i:\s?[a-hj-np-z]\b(?=[\s,]*(?:lgh|läg|vån|dörr|\d+\s?tr)))?"
    r"(?:[\s,;/(]{0,3}(?:(?i:"
    r"\b(?:lgh|lägenhet(?:snummer|snr)?|dörr|rum|port|(?:trapp)?uppgång|uppg|ingång|våning|vån|plan|hus)"
    r"[.:]?[^\S\n]?(?:(?:nr|nummer)\b[.:]?[^\S\n]?)?(?:\d{1,4}[a-z]?|[a-h])\b"
    r"|(?<!\d)\d{1,2}(?::?[ae])?[^\S\n]?(?:tr(?:p|appor|appa)?|vån(?:ing(?:en)?)?)\b(?:[^\S\n]upp\b)?"
    r")|\b[cC]/[oO][^\S\n]+[^\W\d_][\w'-]+(?:[^\S\n][A-ZÅÄÖ][\w'-]+){0,2}))+"
)
INSIDE_AT_END = re.compile(f"(?<=\\w){INSIDE.pattern}$")
CARE_OF = re.compile(r"\b([cC]/[oO]\s+)([^\W\d_][\w'-]+(?:\s[A-ZÅÄÖ][\w'-]+)*)")


def is_address(place: str) -> bool:
    """Whether a place is where somebody lives, and no town or country."""
    return ADDRESS.search(place) is not None


def find_inside(text: str, end: int, limit: int) -> int:
    """Find where what belongs to an address behind it ends: `lgh 1102`, `3 tr`, `c/o Ek`."""
    match = INSIDE.match(text, end, limit)
    return match.end() if match else end


def other_number(text: str, scope: Scope, *parts: str, but: Collection[str] = ()) -> str:
    """Choose another house or road number of about the same size: a permutation."""
    if len(text) > MAX_DIGITS:
        return scope.digits(text, *parts)
    low, high = next(band for band in BANDS if int(text) < band[1])
    number = max(int(text), low)
    cycle = scope.cycle(high - low, number - low, "number", *parts)
    others = [str(low + n) for n in islice(cycle, len(but) + 1)]
    return next((other for other in others if other not in but), others[0])


def other_details(text: str, scope: Scope, street: str, house: str) -> str:
    """Change what stands behind the number of a house: entrance, floor and flat (`B`, `3 tr`). The
    number of a flat tells its floor (`lgh 1301`: three stairs up), and goes on to."""

    def change(match: re.Match[str]) -> str:
        whole = match[0]
        if match["letter"]:
            own = LETTERS if whole.lower() in LETTERS else OTHER_LETTERS
            other = own[next(scope.cycle(len(own), own.index(whole.lower()), "entrance", street))]
            return other.upper() if whole.isupper() else other
        if match["flat"]:
            level = _change_small(match["level"], FLOORS, house, scope, "floor", street)
            door = _change_small(match["door"], FLATS, "", scope, "door", street)
            head = whole[: match.start("first") - match.start()]
            return f"{head}{match['first']}{level}{door.zfill(2)}"
        if match["number"]:
            return other_number(whole, scope, "stairs")
        digits = next(m for m in NUMBER.finditer(whole))
        new = _change_small(digits[0], FLOORS, house, scope, "floor", street)
        if match["ordinal"]:  # `2:a`, `3:e`
            new += match["ordinal"][:-1] + ("a" if new in ("1", "2") else "e")
        return whole[: digits.start()] + new

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
