"""Entity linking: which mentions in a conversation are of one person, place, date, number."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from rapidfuzz.distance import OSA

from .surrogates.date import parse
from .surrogates.keyed import Mention

FUZZY_MIN = 5  # shorter names are too close to one another
LONG = 12  # from this length on two slips are allowed
LAST = 4  # digits of a personnummer that may stand alone
DATE_PARTS = ("y", "m", "d", "w")
WORD = re.compile(r"[^\W_]+")
LEAST_STEM = 4  # of a place's name, before `bo` or `tåget`


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
    parent: dict[str, str] = {}
    for i, name in enumerate(ranked):
        found = [other for other in ranked[:i] if same(name, other)]
        roots = {parent.get(other, other) for other in found}
        if len(roots) == 1:
            parent[name] = roots.pop()
    return parent


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
            read = {part: reading.number(part) for part in DATE_PARTS}
            parts[name] = {part: value for part, value in read.items() if value is not None}
    by_value: dict[tuple[tuple[str, int], ...], list[str]] = defaultdict(list)
    parent: dict[str, str] = {}
    for name, values in parts.items():
        by_value[tuple(sorted(values.items()))].append(name)
    for same in by_value.values():
        parent.update((name, same[0]) for name in same[1:])
    for name, values in parts.items():
        if name in parent or not {"d", "w"} & values.keys():
            continue
        fuller = [
            other
            for other, more in parts.items()
            if other not in parent and len(more) > len(values) and values.items() <= more.items()
        ]
        # `3 maj` of `3 maj 2024` is a part of the same, not another.
        top = [o for o in fuller if not any(parts[o].items() < parts[p].items() for p in fuller)]
        if len(top) == 1:
            parent[name] = top[0]
    return parent
