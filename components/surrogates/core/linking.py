"""Entity linking: which mentions in a conversation are of one person, place, date, number."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Protocol

from rapidfuzz.distance import OSA

from ...swedish.neighbours import FUZZY_MIN, Neighbours
from ..time.date import parse
from .scope import Mention

LONG = 12  # from this length on two slips are allowed
LAST = 4  # digits of a personnummer that may stand alone
DATE_PARTS = ("y", "m", "d", "w")
WORD = re.compile(r"[^\W_]+")
LEAST_STEM = 4  # of a place's name, before `bo` or `tåget`

Values = tuple[tuple[str, int], ...]  # parts of a date and their numbers


class Reader(Protocol):
    """Knows the mentions of one class."""

    def identities(self, mentions: Sequence[Mention], conversation: bool) -> list[str]:
        """Tell which mentions are the same."""


class Linker:
    """Links mentions of one class that are of one entity. What the classes of surrogates take for
    the same is the same: another casing, spelling or genitive. Beyond that:

    - PERSON: see `surrogates.person_linker.PeopleLinker`.
    - DATE: a part of a date belongs to the one date that has it: `3 maj` to `3 maj 2024`.
    - LOCATION: a misspelled place, a compound (`Hotingbor`), the last word of a longer name.
    - ORGANISATION: a misspelled name, and the beginning of one longer name.
    - PID: the last four digits, a slip in a number of the same birth date.

    A mention that fits several entities is linked with none of them.

    classes (Mapping[str, Reader]): The classes of surrogates, by label.
    """

    def __init__(self, classes: Mapping[str, Reader]) -> None:
        self.classes = classes
        self.tests: dict[str, Callable[[str, str], bool]] = {
            "LOCATION": _same_place,
            "ORGANISATION": _same_organisation,
            "PID": _same_pid,
        }

    def link(self, label: str, mentions: Sequence[Mention]) -> list[int]:
        """Link the mentions of a class.

        label (str): The class.
        mentions (Sequence[Mention]): The mentions of a message or a whole conversation.
        RETURNS (list[int]): The number of the entity that each mention is of, from 0.
        """
        names = self.classes[label].identities(mentions, False)
        parent = {name: name for name in names}
        if label == "DATE":
            parent |= _link_dates(dict(zip(names, mentions)))
        elif label in self.tests:
            parent |= _link_alike(Counter(names), self.tests[label])
        numbers: dict[str, int] = {}
        out = []
        for name in names:
            while parent[name] != name:
                name = parent[name]
            out.append(numbers.setdefault(name, len(numbers)))
        return out


def _link_alike(names: Counter[str], same: Callable[[str, str], bool]) -> dict[str, str]:
    """Link each name to the one longer, or more frequent, name that it is a form of."""
    ranked = sorted(names, key=lambda name: (-len(name), -names[name], name))
    rank = {name: i for i, name in enumerate(ranked)}
    candidates = Candidates(ranked)
    parent: dict[str, str] = {}
    for name in ranked:
        root = None
        for other in candidates.find(name):
            if rank[other] < rank[name] and same(name, other):
                found = parent.get(other, other)
                if root not in (None, found):
                    break
                root = found
        else:
            if root is not None:
                parent[name] = root
    return parent


class Candidates:
    """Finds the names that another one may be a form of: that begin or end with it, as a whole or
    with a slip in the last four digits, or differ in a slip or two.

    names (Sequence[str]): The names.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._sorted = sorted(names)
        self._reversed = sorted(name[::-1] for name in names)
        self._near = Neighbours(names)
        self._far = Neighbours((name for name in names if len(name) >= LONG), slips=2)
        numbers: dict[str, list[str]] = defaultdict(list)
        for name in names:
            if len(name) > LAST and name.isdecimal():
                numbers[name[-LAST:]].append(name)
        self._numbers = numbers
        self._ends = Neighbours(numbers, shortest=LAST)

    def find(self, name: str) -> Iterator[str]:
        """Find names."""
        if len(name) == LAST:
            for end in self._ends.find(name):
                yield from self._numbers[end]
        for mark in (" ", "-"):
            yield from _beginning_with(name + mark, self._sorted)
        for other in _beginning_with(name[::-1] + " ", self._reversed):
            yield other[::-1]
        yield from self._near.find(name)
        if len(name) >= LONG:
            yield from self._far.find(name)


def _beginning_with(beginning: str, names: Sequence[str]) -> Iterator[str]:
    for i in range(bisect_left(names, beginning), len(names)):
        if not names[i].startswith(beginning):
            return
        yield names[i]


def _misspelled(one: str, other: str) -> bool:
    if min(len(one), len(other)) < FUZZY_MIN or not (one[:1].isalpha() and other[:1].isalpha()):
        return False
    if WORD.findall(one)[1:] and any(c.isdigit() for c in one + other):
        return False
    limit = 1 if len(one) < LONG else 2
    return OSA.distance(one, other, score_cutoff=limit) <= limit


def _same_place(one: str, other: str) -> bool:
    """`Lanta` and `Koh Lanta`, `hotingbor` and `hoting`, a slip."""
    short, long = sorted((one, other), key=len)
    if len(short) >= LEAST_STEM and (long.endswith(f" {short}") or long.startswith(f"{short}-")):
        return True
    return _misspelled(one, other)


def _same_organisation(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return (len(short) >= LEAST_STEM and long.startswith(f"{short} ")) or _misspelled(one, other)


def _same_pid(one: str, other: str) -> bool:
    """A number with one slip, the birth date of which is right, or the last four digits so."""
    short, long = sorted((one, other), key=len)
    if len(short) == LAST < len(long):
        return OSA.distance(short, long[-LAST:], score_cutoff=1) <= 1
    if len(one) != len(other) or len(one) <= LAST or one[:-LAST] != other[:-LAST]:
        return False
    return OSA.distance(one, other, score_cutoff=1) <= 1


def _link_dates(mentions: Mapping[str, Mention]) -> dict[str, str]:
    """Link each date to the one fuller date that has all its parts."""
    parts: dict[str, dict[str, int]] = {}
    for name, mention in mentions.items():
        reading = parse(mention.text)
        if reading and reading.number("d", True) is None and reading.number("w", True) is None:
            numbers = ((part, reading.number(part)) for part in DATE_PARTS)
            parts[name] = {part: number for part, number in numbers if number is not None}
    by_value: dict[Values, list[str]] = defaultdict(list)
    for name, read in parts.items():
        by_value[tuple(read.items())].append(name)
    parent = {name: same[0] for same in by_value.values() for name in same[1:]}
    within = {less for values in by_value for less in _get_less(values)}
    # By what they have in common, the dates that are part of no other: `3 maj` of `3 maj 2024` is a
    # part of the same, not another.
    fullest: dict[Values, list[str]] = defaultdict(list)
    for values in by_value.keys() - within:
        for less in _get_less(values):
            fullest[less].append(by_value[values][0])
    for values, (name, *_) in by_value.items():
        if {"d", "w"} & dict(values).keys() and len(fullest[values]) == 1:
            parent[name] = fullest[values][0]
    return parent


def _get_less(values: Values) -> Iterator[Values]:
    """Some of the parts of a date, but not all."""
    for n in range(1, len(values)):
        yield from combinations(values, n)
