"""Surrogates of numbers and codes: letters and digits of which each stands in its place."""

import string
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from math import prod
from types import MappingProxyType

from stdnum import luhn

from ...text.casing import fold
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope

DIGITS, LETTERS = string.digits, string.ascii_uppercase
LEADING = DIGITS[1:]  # a first digit that is no zero
LONGEST = 100  # a longer code is replaced piece by piece
MOST_TRIES = 5000  # so many surrogates are tried before two entities share one
# What may stand for that in which there is nothing to be read.
MADE = Pool(f"{n:04d}" for n in range(1100, 1300))


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
        """Read what of a mention is replaced: its letters, in capitals, and digits; "" if it has none."""
        return get_characters(text)

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        """Draw surrogates by key: where nothing else is known, a letter for each letter and a digit for each
        digit."""
        return draw_like(core, scope, self.label)

    def write(self, text: str, core: str, new: str) -> str:
        """Write a surrogate as its original is written."""
        return write_into(text, new)


class HeadedCodes(Codes):
    """Replaces codes by such as begin with what no code of the class begins with.

    label (str): The class.
    first (str): The characters of which one comes first.
    letters (str), last (str): The letters, and those of the last place.
    """

    def __init__(self, label: str, first: str, letters: str = LETTERS, last: str = LETTERS) -> None:
        super().__init__(label)
        self.first, self.letters, self.last = first, letters, last

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        if len(core) == len(self.first) == 1:
            return iter(())
        kinds = [DIGITS if char.isdigit() else self.letters for char in core]
        if not core[-1].isdigit():
            kinds[-1] = self.last
        kinds[0] = self.first
        return draw_characters(core, kinds, scope, self.label.lower())


class LuhnCodes(Codes):
    """Replaces numbers whose last digit is a check digit by Luhn. What was wrong is as wrong after.

    label (str): The class.
    heads (Mapping[int, str]): By length the digits in front that no such number has.
    """

    def __init__(self, label: str, heads: Mapping[int, str] = MappingProxyType({})) -> None:
        super().__init__(label)
        self.heads = heads

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
    """Get the letters of a text, in capitals, and its digits, as ASCII."""
    return "".join(_get_character(char) for char in text if char.isalnum())


def _get_character(char: str) -> str:
    if char.isdecimal():
        return str(int(char))
    # A letter that becomes two in capitals stays one.
    return char.upper() if len(char.upper()) == 1 else char


def write_into(text: str, new: str) -> str:
    """Put characters into the places of the letters and digits of a text."""
    left = iter(new)
    pairs = ((char, next(left) if char.isalnum() else char) for char in text)
    return "".join(new.lower() if old.islower() else new for old, new in pairs)


def draw_like(core: str, scope: Scope, *parts: str) -> Iterator[str]:
    """Draw other codes of the same form: a permutation without fixed points, for letters from A to Z."""
    kinds = [DIGITS if char.isdigit() else LETTERS if char.isalpha() else char for char in core]
    if core[:1] in LEADING:
        kinds[0] = LEADING
    return draw_characters(core, kinds, scope, *parts)


def draw_characters(core: str, kinds: Sequence[str], scope: Scope, *parts: str) -> Iterator[str]:
    """Draw characters for each place, by key: a permutation without fixed points, if those of the
    original are among them."""
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
