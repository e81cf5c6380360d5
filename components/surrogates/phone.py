"""Surrogates of phone and fax numbers."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate, count
from typing import NamedTuple

import phonenumbers

from ..swedish.casing import fold
from ..swedish.phone_numbers import MOBILE, Number, read_phone
from .keyed import Mention, Pool, Scope
from .replacer import Replacer

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
MADE = Pool(f"0{n[:2]}-{n[2:5]} {n[5:7]} {n[7:]}" for n in SERIES["mobile"])
# By the length of the area code without its zero. The codes of two digits; all others but 08
# have three.
BY_AREA = {1: "8", 2: "2", 3: "980"}
TWO_DIGITS = frozenset(
    "11 13 16 18 19 21 23 26 31 33 35 36 40 42 44 46 54 60 63 90".split()  # noqa: SIM905
)
LOCAL = range(5, 9)  # digits of a number without its area code
MAX_DIGITS = 15  # of any number in the world
TRIES = 12
GROUPS = {4: (2, 2), 5: (3, 2), 6: (2, 2, 2), 7: (3, 2, 2), 8: (3, 3, 2)}


class Chosen(NamedTuple):
    """A surrogate.

    digits (str): The number proper.
    old_area (int), area (int): How many digits of the original and of the surrogate are the area
        code.
    """

    digits: str
    old_area: int = 0
    area: int = 0


class PhoneSurrogates(Replacer):
    """Replaces Swedish phone numbers by those that PTS has set aside for fiction, a mobile number
    by a mobile one, in the grouping of the original. There are only 95 to 200 of each sort. When
    a conversation has used them up, its numbers get a digit more, which makes them nobody's
    still: who dials one reaches the number set aside. Where the messages are not at hand at once,
    two numbers may meet that never stand in one message.

    A number of another country keeps its country code and becomes one that the country's plan
    does not know. A number without area code follows the whole number that ends with it; else
    its digits are permuted by key.

    chooser (type[Chooser] | None): Chooses the numbers; by default `Chooser`.
    """

    def __init__(self, chooser: "type[Chooser] | None" = None) -> None:
        self.chooser = chooser or Chooser

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        numbers = [read_phone(mention.text) for mention in mentions]
        scope.originals.update(number.digits for number in numbers if number.digits)
        scope.forbid(read_phone(value).digits for value in scope.known.get("PHONE", ()))
        known = {(number.country, number.digits) for number in numbers}
        chooser = self.chooser(scope)
        # Whole numbers first; in an order of their own, as numbers may get scarce.
        chosen = {
            number: chooser.choose(*number)
            for number in sorted(known, key=lambda number: (not number[0], number))
        }
        return [
            _write_like(mention.text, number, chosen[number.country, number.digits])
            for mention, number in zip(mentions, numbers)
        ]

    def _get_pool(self) -> Pool:
        return MADE

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same number.

        mentions (Sequence[Mention]): The mentions of a message.
        conversation (bool): Whether the names are to hold for other messages, too.
        RETURNS (list[str]): A name for each mention, the same for the same number.
        """
        numbers = [read_phone(mention.text) for mention in mentions]
        return [
            f"{n.country}-{n.digits}" if n.digits else fold(m.text)
            for m, n in zip(mentions, numbers)
        ]


class Chooser:
    """Chooses numbers, each another one.

    scope (Scope): The conversation or message.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._taken: set[str] = set()
        # By number of a series: what to put behind it, when the series is used up.
        self._more: dict[str, Iterator[int]] = defaultdict(count)
        # By Swedish number without area code.
        self._local: dict[str, str] = {}

    def choose(self, country: int, digits: str) -> Chosen:
        """Choose another number.

        country (int): The country, 0 for a number without area code: that follows the whole number
            that ends with it.
        digits (str): The number proper.
        RETURNS (Chosen): The surrogate.
        """
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
        """Choose another Swedish number.

        digits (str): The number proper, with its area code.
        RETURNS (Chosen): The surrogate.
        """
        if MOBILE.match(digits):
            area, kind = 2, "mobile"
        else:
            area = _area(digits)
            kind = next((k for k in ("31", "40") if digits.startswith(k)), BY_AREA[area])
        # The two area codes of two digits share their field, so that they never meet.
        new = self.scope.pick("phone", digits, POOLS[kind])
        if new in self._taken:
            longer = (f"{new}{more}" for more in self._more[new])
            new = next(n for n in longer if n not in self._taken and n not in self.scope.originals)
        return Chosen(new, area, area)

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


def _area(digits: str) -> int:
    """The length of the area code without its zero."""
    return 1 if digits.startswith("8") else 2 if digits[:2] in TWO_DIGITS else 3


def _write_like(text: str, number: Number, new: Chosen) -> str:
    if len(new.digits) == len(number.digits):
        return _write(text, number, new.digits)
    return _regroup(text, number, new.area, new.digits)


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
    head, separator = text[: places[0]], ""
    if area:
        head = _write(text[: places[min(area, len(places)) - 1] + 1], number, digits[:area])
    rest = digits[area:]
    if len(places) <= area:
        return head + rest
    if area:
        separator = text[places[area - 1] + 1 : places[area]]
    inner = re.findall(r"\D+", text[places[area] : places[-1] + 1])
    if inner:
        sizes = GROUPS.get(len(rest), (3, 2, 2, len(rest)))
        ends = [*accumulate(sizes)]
        rest = inner[0].join(rest[end - size : end] for size, end in zip(sizes, ends))
    return head + separator + rest + text[places[-1] + 1 :]
