"""Surrogates of phone and fax numbers."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, count
from typing import NamedTuple

import phonenumbers

from ...text.casing import fold
from ...text.numbers import MOBILE, Number, read_phone
from ...text.validators import LINE_END, get_spoken_digits
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope
from .pid_forms import is_spoken, write_spoken

Row = Mapping[str, str]

# The series that PTS has set aside for books and films, by the first digits: mobiles, and the area
# codes without their zero.
SERIES = {
    "mobile": [f"701740{n}" for n in range(605, 700)],
    "31": [f"313900{n}" for n in range(600, 700)],
    "40": [f"406280{n}" for n in range(400, 500)],
    "8": [f"846500{n}" for n in range(400, 500)],
    "980": [f"980319{n}" for n in range(200, 300)],
}
AREAS = [area for area in SERIES if area != "mobile"]
POOLS = {
    "mobile": Pool(SERIES["mobile"]),
    "": Pool(number for area in AREAS for number in SERIES[area]),
    # Numbers of one of these areas become those of another.
    **{own: Pool(n for area in AREAS if area != own for n in SERIES[area]) for own in AREAS},
}
MADE = Pool(f"0{n[:2]}-{n[2:5]} {n[5:7]} {n[7:]}" for n in SERIES["mobile"])
# Area codes of two digits without their zero; all others but 08 have three.
TWO_DIGITS = frozenset(
    "11 13 16 18 19 21 23 26 31 33 35 36 40 42 44 46 54 60 63 90".split()  # noqa: SIM905
)
SERVICES = ("10", "20")  # numbers of no area
MOBILE_CODES = "02369"  # the second digit of mobile numbers
LOCAL = range(5, 9)  # digits of a number without its area code
MAX_DIGITS = 15  # of any number in the world
TRIES = 12
# What stands behind a whole number: `ankn 4512`.
EXTENSION = re.compile(
    r"[\s,;(/]+(?:ankn(?:ytning)?|ext|vx|växel|int)\b[\s.:]*\d{1,6}\W*$", re.IGNORECASE
)
DIGITS = re.compile(r"\d+")
ABROAD = re.compile(r"\+|plus", re.IGNORECASE)
GROUPS = {4: (2, 2), 5: (3, 2), 6: (2, 2, 2), 7: (3, 2, 2), 8: (3, 3, 2)}


class Chosen(NamedTuple):
    """A surrogate, and how many digits of the original and of it are the area code."""

    digits: str
    old_area: int = 0
    area: int = 0


class PhoneSurrogates(Replacer):
    """Replaces Swedish phone numbers by those that PTS has set aside for fiction, a mobile number
    by a mobile one, a landline by one of another area, in the grouping of the original. There are
    95 mobile numbers and 400 others. When a conversation has used them up, its numbers get a digit
    more, which makes them nobody's still: who dials one reaches the number set aside. Where the
    messages are not at hand at once, two numbers may meet that never stand in one message.

    A number of another country keeps its country code and becomes one that the country's plan
    does not know. A number without area code follows the whole number that ends with it; else
    its digits are permuted by key, as are those of extensions. Numbers that are the same for the
    whole country stay (`112`: the list `nationwide`).

    Readers may know the numbers of fiction, and so what was replaced. `mode="plausible"` gives
    any number of another area instead: mostly that of somebody who has nothing to do with it. It is
    only for sets that never leave the house.

    What is spoken stays in words where it is (`noll sju tre 915 22 18`).

    chooser (type[PhoneChooser] | None): Chooses the numbers; by default what `mode` says.
    nationwide (Sequence[Row]): The list `nationwide`, in which the rows of digits count.
    mode (str): "reserved" or "plausible".
    """

    def __init__(
        self,
        chooser: "type[PhoneChooser] | None" = None,
        nationwide: Sequence[Row] = (),
        mode: str = "reserved",
    ) -> None:
        self.chooser = chooser
        self.mode = mode
        names = (row["name"] for row in nationwide)
        self.nationwide = frozenset(
            _get_key(read_phone(name)) for name in names if not any(map(str.isalpha, name))
        )

    def keeps(self, mention: Mention, scope: Scope) -> bool:
        """A number that is the same for the whole country stays."""
        return _get_key(read_phone(_get_plain(mention.text))) in self.nationwide

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        texts = [_split(_get_plain(mention.text)) for mention in mentions]
        numbers = [read_phone(text) for text, _ in texts]
        scope.ledger.originals.update(number.digits for number in numbers if number.digits)
        scope.ledger.forbid(
            read_phone(value).digits for value in scope.ledger.known.get("PHONE", ())
        )
        known = {_get_key(number) for number in numbers} - self.nationwide
        default = PlausiblePhoneChooser if self.mode == "plausible" else PhoneChooser
        chooser = (self.chooser or default)(scope)
        # Whole numbers first; in an order of their own, as numbers may get scarce.
        chosen = {
            number: chooser.choose(*number)
            for number in sorted(known, key=lambda number: (not number[0], number))
        }
        out = []
        for mention, (text, extension), number in zip(mentions, texts, numbers):
            key = _get_key(number)
            new = _write_like(text, number, chosen[key]) if key in chosen else text
            if is_spoken(mention.text):
                out.append(write_spoken(mention.text, "".join(DIGITS.findall(new))))
                continue
            rest = DIGITS.sub(lambda match: scope.digits(match[0], "extension"), extension)
            out.append(new + rest)
        return out

    def _get_pool(self) -> Pool:
        return MADE

    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        numbers = [read_phone(_split(_get_plain(mention.text))[0]) for mention in mentions]
        return [
            f"{n.country}-{n.digits}" if n.digits else fold(m.text)
            for m, n in zip(mentions, numbers)
        ]


class PhoneChooser:
    """Chooses numbers, each another one."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._taken: set[str] = set()
        # By number of a series: what to put behind it, when the series is used up.
        self._more: dict[str, Iterator[int]] = defaultdict(count)
        # By Swedish number without area code.
        self._local: dict[str, str] = {}

    def choose(self, country: int, digits: str) -> Chosen:
        """Choose another number. One without area code has the country 0, and follows the whole
        number that ends with it."""
        if not digits:
            return Chosen("")
        if country == 46 and len(digits) <= MAX_DIGITS:
            new = self.choose_swedish(digits)
            if len(digits) - new.old_area in LOCAL:
                self._local.setdefault(digits[new.old_area :], new.digits[new.area :])
        elif country and len(digits) <= MAX_DIGITS:
            new = Chosen(self._choose_foreign(country, digits))
        elif not country and self._local.get(digits, digits) != digits:
            new = Chosen(self._local[digits])
        else:
            new = Chosen(self.scope.digits(digits, "phone"))
        self._taken.add(new.digits)
        return new

    def choose_swedish(self, digits: str) -> Chosen:
        """Choose another Swedish number, with its area code."""
        if MOBILE.match(digits):
            old, kind = 2, "mobile"
        else:
            old = _area(digits)
            kind = digits[:old] if digits[:old] in SERIES else ""
        new = self.scope.ledger.pick("phone", digits, POOLS[kind])
        if new in self._taken:
            longer = (f"{new}{more}" for more in self._more[new])
            new = next(
                n for n in longer if n not in self._taken and n not in self.scope.ledger.originals
            )
        return Chosen(new, old, 2 if kind == "mobile" else _area(new))

    def _choose_foreign(self, country: int, digits: str) -> str:
        """A number that is not in the plan of its country; one with the same first digit if such a
        one is found soon."""
        for kept in (1, 0):
            size = 10 ** max(1, len(digits) - kept)
            parts = "phone", str(country), digits[:kept]
            steps = self.scope.cycle(size, int(digits[kept:] or 0), *parts)
            for _, step in zip(range(TRIES), steps):
                new = (digits[:kept] + str(step).zfill(len(digits) - kept))[: len(digits)]
                number = phonenumbers.PhoneNumber(
                    country_code=country, national_number=int(new or 0)
                )
                free = new not in self._taken and new != digits
                if free and not phonenumbers.is_valid_number(number):
                    return new
        return new


class PlausiblePhoneChooser(PhoneChooser):
    """Chooses any number: a mobile number, or one of another area. It may well be somebody's."""

    def choose_swedish(self, digits: str) -> Chosen:
        old = 2 if MOBILE.match(digits) else _area(digits)
        area = self._choose_area(digits[:old])
        rest = digits[old:]
        others = self.scope.cycle(10 ** len(rest), int(rest or 0), "plausible", str(len(rest)))
        for _, other in zip(range(TRIES), others):
            new = area + str(other).zfill(len(rest))
            number = phonenumbers.PhoneNumber(country_code=46, national_number=int(new))
            if new not in self._taken and phonenumbers.is_valid_number(number):
                return Chosen(new, old, old)
        return Chosen(area + self.scope.digits(rest, "phone"), old, old)

    def _choose_area(self, area: str) -> str:
        if MOBILE.match(area):
            return "7" + MOBILE_CODES[self.scope.number(len(MOBILE_CODES), "mobile", area)]
        codes = _get_areas(len(area))
        return self.scope.ledger.pick(f"area {len(area)}", area, codes) if len(area) > 1 else area


@lru_cache
def _get_areas(length: int) -> Pool:
    """The area codes of two or three digits."""
    if length == 2:
        return Pool(TWO_DIGITS)
    codes = (str(code) for code in range(100, 1000))
    # Any number of the usual length tells.
    return Pool(code for code in codes if _is_area(code))


def _is_area(code: str) -> bool:
    number = phonenumbers.PhoneNumber(country_code=46, national_number=int(f"{code}23456"))
    return phonenumbers.length_of_geographical_area_code(number) == len(code)


def _get_key(number: Number) -> tuple[int, str]:
    return number.country, number.digits


def _get_plain(text: str) -> str:
    """A number in digits: that of a spoken one as it is written."""
    if not is_spoken(text):
        return text
    abroad = "+" if ABROAD.match(text) else ""
    return abroad + get_spoken_digits(text)


def _split(text: str) -> tuple[str, str]:
    """Part a number from its extension."""
    match = EXTENSION.search(text)
    return (text[: match.start()], match[0]) if match else (text, "")


def _area(digits: str) -> int:
    """The length of the area code without its zero."""
    if digits.startswith("8"):
        return 1
    return 2 if digits[:2] in TWO_DIGITS or digits.startswith(SERVICES) else 3


def _write_like(text: str, number: Number, new: Chosen) -> str:
    """Put digits into the places of the old ones if they fit these, else in groups of their own."""
    if len(new.digits) != len(number.digits) or new.area != new.old_area:
        return _regroup(text, number, new)
    out, seen, digits = [], 0, iter(new.digits)
    for c in text:
        if c.isdecimal():
            seen += 1
            c = next(digits, "") if seen > number.prefix else c
        out.append(c)
    return "".join(out)


def _regroup(text: str, number: Number, new: Chosen) -> str:
    """Write a number that is longer than the old one, or has a longer area code: the area code in
    its place, the rest in the usual groups if the old one was grouped."""
    places = [i for i, c in enumerate(text) if c.isdecimal()][number.prefix :]
    head, separator = text[: places[0]] + new.digits[: new.area], ""
    rest = new.digits[new.area :]
    # `0312-123 45` is written as if the area code were longer.
    group = next((n for n in (1, 2, 3) if places[n : n + 1] > [places[0] + n]), new.old_area)
    old = min(group if new.old_area else 0, len(places))
    if len(places) <= old:
        return head + rest
    if old:
        separator = text[places[old - 1] + 1 : places[old]]
    if inner := re.findall(r"\D+", text[places[old] : places[-1] + 1]):
        sizes = GROUPS.get(len(rest), (3, 2, 2, len(rest)))
        ends = [*accumulate(sizes)]
        groups = [rest[end - size : end] for size, end in zip(sizes, ends)]
        # A line ends once.
        usual = next((gap for gap in inner if not LINE_END.search(gap)), " ")
        gaps = [inner[0], *(usual for _ in groups)]
        rest = "".join(gap + group for gap, group in zip(["", *gaps], filter(None, groups)))
    return head + separator + rest + text[places[-1] + 1 :]
