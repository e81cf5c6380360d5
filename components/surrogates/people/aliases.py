"""Names that somebody is introduced by: `Eskil, kallas Berra`."""

import re
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import itemgetter

from ..core.scope import Mention
from .profiles import Person, surnames_agree

# What stands between a name and another one of the same person.
ALIAS = re.compile(
    r"\b(?:kallas|kallad|kallar\s+\w+|säger|alias|smeknamn\w*|även\s+känd\s+som|called|aka)"
    r"(?:\s+(?:för|bara|oftast|alltid|mig|honom|henne|me|him|her))*[\s:\"'”]*$",
    re.IGNORECASE,
)


class Aliases:
    """Whose other name a name is introduced as: `Eskil, kallas Berra`.

    people (Iterable[Person]): Who is named so far.
    mentions (Sequence[Mention]): All mentions where they stand.
    """

    def __init__(self, people: Iterable[Person], mentions: Sequence[Mention]) -> None:
        self.mentions = mentions
        # By message, where a mention ends, which one it is, and of whom.
        self._named: dict[int, list[tuple[int, int, Person]]] = defaultdict(list)
        for person in people:
            self.add(person, person.names)

    def add(self, person: Person, names: Iterable[int]) -> None:
        """Add mentions of somebody."""
        for i in names:
            mention = self.mentions[i]
            end = mention.start + len(mention.text)
            insort(self._named[mention.message], (end, i, person), key=itemgetter(0, 1))

    def find(self, person: Person) -> list[Person]:
        """Find whose other name somebody goes by."""
        found = []
        for mention in (self.mentions[i] for i in person.names):
            if ALIAS.search(mention.before):
                named = self._named[mention.message]
                first = bisect_left(named, mention.start - len(mention.before), key=itemgetter(0))
                end = bisect_left(named, mention.start, key=itemgetter(0))
                ahead = {id(other): other for *_, other in named[first:end]}
                found += [other for other in ahead.values() if surnames_agree(other, person)]
        return found
