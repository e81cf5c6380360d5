"""Surrogates of numbers and codes: letters and digits of which each stands in its place."""

import string
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from math import prod
from types import MappingProxyType
from typing import TypeVar

from stdnum import luhn

from ...text.casing import fold
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope

Maker = TypeVar("Maker", bound="Callable[[str], Codes]")

DIGITS, LETTERS = string.digits, string.ascii_uppercase
LEADING = DIGITS[1:]  # a first digit that is no zero
# So many surrogates are tried before two entities share one.
# No code is longer: what is, is replaced piece by piece.
LONGEST = 100
MOST_TRIES = 5000
# What may stand for that in which there is nothing to be read.
MADE = Pool(f"{n:04d}" for n in range(1100, 1300))


# What replaces an optional class, by label: `@replaces("PLATE")` enters it.
SURROGATES: dict[str, "Callable[[str], Codes]"] = {}


def replaces(label: str) -> Callable[[Maker], Maker]:
    """Let a class of `Codes`, or a function that makes one, replace an optional class."""

    def enter(make: Maker) -> Maker:
        SURROGATES[label] = make
        return make

    return enter


class Codes(Replacer):
    """Replaces codes: their letters and digits, in whatever grouping and casing, which stay. Different
    ones get different surrogates, as long as there are any, and none gets an original as its own.

    label (str): The class.
    """

    def __init__(self, label: str) -> None:
        self.label = label

    def _replace_all(self, mentions: Sequence[Mention], scope: Scope) -> list[str]:
        cores = [self.read(mention.text) for mention in mentions]
        known = {self.read(value) for value in scope.ledger.known.get(self.label, ())}
        chosen: dict[str, str] = {}
        taken = {*cores, *known}
        # In an order of their own, as the later give way to the earlier.
        for core in sorted({*cores} - {""}):
            chosen[core] = self._choose(core, scope, taken)
            taken.add(chosen[core])
        return [
            self.write(mention.text, core, chosen[core])
            if chosen.get(core)
            else self._replace_unread(mention.text, scope)
            for mention, core in zip(mentions, cores)
        ]

    def _choose(self, core: str, scope: Scope, taken: set[str]) -> str:
        second_best = None
        for new in islice(self._draw(core, scope), MOST_TRIES):
            if new not in taken:
                return new
            if second_best is None and new != core:
                second_best = new
        # All are in use: two share one, but none stays.
        return core if second_best is None else second_best

    def _draw(self, core: str, scope: Scope) -> Iterator[str]:
        """Draw surrogates, of what cannot be read codes of the same form."""
        drawn = self.draw(core, scope)
        first = next(drawn, None)
        return draw_like(core, scope, self.label) if first is None else chain((first,), drawn)

    def identities(self, mentions: Sequence[Mention]) -> list[str]:
        return [self.read(mention.text) or fold(mention.text) for mention in mentions]

    def _get_pool(self) -> Pool:
        return MADE

    def read(self, text: str) -> str:
        """Read what of a mention is replaced.

        RETURNS (str): Its letters, in capitals, and digits; "" if there are none.
        """
        return get_characters(text)

    @abstractmethod
    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        """Draw surrogates by key."""

    def write(self, text: str, core: str, new: str) -> str:
        """Write a surrogate as its original is written."""
        return write_into(text, new)


class AnyCodes(Codes):
    """Replaces codes of which nothing is known: each letter becomes a letter, each digit a digit, by a
    permutation of all codes of that form without fixed points.
    """

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        return draw_like(core, scope, self.label)


class LuhnCodes(Codes):
    """Replaces numbers whose last digit is a check digit by Luhn. What was wrong is as wrong after."""

    # By length: digits in front that no such number has.
    heads: Mapping[int, str] = MappingProxyType({})

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        if not core.isdecimal() or len(core) < 2:
            return
        slip = (int(core[-1]) - int(luhn.calc_check_digit(core[:-1]))) % 10
        head = self.heads.get(len(core), "")
        kinds = [*head, *self.get_kinds(core[:-1])[len(head) :]]
        for payload in draw_characters(core[:-1], kinds, scope, self.label):
            yield f"{payload}{(int(luhn.calc_check_digit(payload)) + slip) % 10}"

    def get_kinds(self, payload: str) -> list[str]:
        return [LEADING if i == 0 and payload[0] != "0" else DIGITS for i in range(len(payload))]


def get_characters(text: str) -> str:
    """text (str): Any text.
    RETURNS (str): Its letters, in capitals, and its digits, as ASCII.
    """
    return "".join(_get_character(char) for char in text if char.isalnum())


def _get_character(char: str) -> str:
    if char.isdecimal():
        return str(int(char))
    # A letter that becomes two in capitals stays one.
    return char.upper() if len(char.upper()) == 1 else char


def write_into(text: str, new: str) -> str:
    """Put characters into the places of the letters and digits of a text."""
    characters = iter(new)
    return "".join(
        (next(characters).lower() if char.islower() else next(characters))
        if char.isalnum()
        else char
        for char in text
    )


def draw_like(core: str, scope: Scope, *parts: str) -> Iterator[str]:
    """Draw other codes of the same form: a permutation without fixed points, for letters from A to Z."""
    kinds = [DIGITS if char.isdigit() else LETTERS if char.isalpha() else char for char in core]
    if core[:1] in LEADING:
        kinds[0] = LEADING
    return draw_characters(core, kinds, scope, *parts)


def draw_characters(core: str, kinds: Sequence[str], scope: Scope, *parts: str) -> Iterator[str]:
    """Draw characters for each place, by key. If those of the original are among them, the first ones are
    a permutation without fixed points."""
    if len(kinds) > LONGEST:
        starts = range(0, len(kinds), LONGEST)
        pieces = [
            draw_characters(core[i : i + LONGEST], kinds[i : i + LONGEST], scope, *parts, str(i))
            for i in starts
        ]
        yield from map("".join, zip(*pieces))
        return
    size = prod(map(len, kinds))
    form = "".join(kind[0] + kind[-1] for kind in kinds)
    if all(char in kind for char, kind in zip(core, kinds)):
        index = 0
        for char, kind in zip(core, kinds):
            index = index * len(kind) + kind.index(char)
    else:
        index = scope.number(size, *parts, form, core)
    for number in scope.cycle(size, index, *parts, form):
        out = []
        for kind in reversed(kinds):
            number, place = divmod(number, len(kind))
            out.append(kind[place])
        yield "".join(reversed(out))
