"""Surrogates of numbers and codes: letters and digits of which each stands in its place."""

import string
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from math import prod
from types import MappingProxyType
from typing import NamedTuple

from stdnum import luhn

from ...text.casing import fold
from ..core.pools import Pool
from ..core.replacer import Replacer
from ..core.scope import Mention, Scope

DIGITS, LETTERS = string.digits, string.ascii_uppercase
LEADING = DIGITS[1:]  # a first digit that is no zero
# So many surrogates are tried before two entities share one.
# No code is longer: what is, is replaced piece by piece.
LONGEST = 100
MOST_TRIES = 5000
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
        """Read what of a mention is replaced: its letters, in capitals, and digits; "" if there are none."""
        return get_characters(text)

    @abstractmethod
    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        """Draw surrogates by key."""

    def write(self, text: str, core: str, new: str) -> str:
        """Write a surrogate as its original is written."""
        return write_into(text, new)


class Form(NamedTuple):
    """What the codes of a class look like that belong to nobody.

    heads (Mapping[int, Sequence[str]]): By length of the code what may stand in its first places, 0 for
        any other length.
    letters (str), last (str): The letters, and those of the last place.
    checked (bool): Whether the last digit is a check digit by Luhn. What was wrong is as wrong after.
    """

    heads: Mapping[int, Sequence[str]] = MappingProxyType({})
    letters: str = LETTERS
    last: str = LETTERS
    checked: bool = False


ANY_FORM = Form()


class FormedCodes(Codes):
    """Replaces codes by others of a form: each letter becomes a letter, each digit a digit, by a
    permutation of all codes of that form without fixed points.

    label (str): The class.
    form (Form): The form.
    """

    def __init__(self, label: str, form: Form = ANY_FORM) -> None:
        super().__init__(label)
        self.form = form

    def draw(self, core: str, scope: Scope) -> Iterator[str]:
        form = self.form
        head = [*form.heads.get(len(core), form.heads.get(0, ""))]
        if form.checked:
            if not core.isdecimal() or len(core) < 2:
                return
            slip = (int(core[-1]) - int(luhn.calc_check_digit(core[:-1]))) % 10
            kinds = [LEADING if core[0] != "0" else DIGITS, *[DIGITS] * (len(core) - 2)]
            kinds[: len(head)] = head
            for payload in draw_characters(core[:-1], kinds, scope, self.label):
                yield f"{payload}{(int(luhn.calc_check_digit(payload)) + slip) % 10}"
        elif not form.heads:
            yield from draw_like(core, scope, self.label)
        elif len(core) > len(head):
            kinds = [DIGITS if char.isdigit() else form.letters for char in core]
            if not core[-1].isdigit():
                kinds[-1] = form.last
            kinds[: len(head)] = head
            yield from draw_characters(core, kinds, scope, self.label.lower())


def get_characters(text: str) -> str:
    """The letters of a text, in capitals, and its digits, as ASCII."""
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
