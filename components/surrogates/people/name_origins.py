"""Telling where names of people and places come from that are not listed."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import inf, log

import numpy as np
import numpy.typing as npt

from ...shared.words import read_words
from ..core.resemblance import get_runs

Row = Mapping[str, str]
Scores = npt.NDArray[np.float64]  # one for each origin

HOME = "sv"
REGIONS = {
    origin: region
    for region, origins in read_words(__file__, "regions.txt").items()
    for origin in origins
}
RUN = 3  # letters in a row
LETTERS = 35  # that names are written with
BACK = 4.0  # so often must a run be seen to count as much as what the shorter one tells
LEAST = 12  # names that an origin must have to be told
SEEN = 0.5  # such a share of its pairs of letters must be known there
SURE = 5.0  # of people: most who live here have a name from here
# Of those who belong together: most have names of one origin, and who has one from here rather has another.
NEAR, NEAR_HOME = 10.0, 2.0
# What tells which language somebody speaks, or where somebody is from: `talar dari`, `dari-tolk`.
TOLD = re.compile(
    r"\b(?:tala|prata|snacka|tolk|språk|modersmål|förstå|kan|på|är|kommer|flydde|flytta|född|uppvuxen|ursprung|"
    r"rötter|familj|släkt)\w*\W+(?:(?:en|på|är|från|i|bara|bäst|lite|dålig|som)\W+){0,3}([^\W\d_]{3,})|"
    r"\b([^\W\d_]{3,}?)-?\s?(?:tolk|tala(?:r|nde))"
)
TELLING = 6  # letters of a word that tell it from others


class ToldOrigins:
    """Reads what messages tell of origins by languages and countries, of the list `languages`."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._origins = {row["word"][:TELLING]: row["origin"] for row in rows}

    def read(self, texts: Iterable[str]) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): The origins that are told, each once."""
        words = (match[match.lastindex or 0] for t in texts for match in TOLD.finditer(t.lower()))
        found = (self._origins.get(word[:TELLING]) for word in words)
        return tuple(dict.fromkeys(filter(None, found)))


class Origins:
    """What the letters of the listed names tell of the origin of others: how likely each letter is
    behind the two before it, among the names of each origin.

    names (Mapping[str, Row]): The listed names, by folded form, each with its `origin`.
    sure (float): By how much, as a logarithm, a name must be likelier abroad than at home.
    """

    def __init__(self, names: Mapping[str, Row], sure: float = SURE) -> None:
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        listed = Counter(row["origin"] for row in names.values() if row["origin"])
        most = max((listed[origin] for origin in listed if origin != HOME), default=1)
        for form, row in names.items():
            if listed[row["origin"]] >= LEAST:
                counts = self._counts[row["origin"]]
                for length in range(1, RUN + 1):
                    counts.update(_get_runs(form, length))
                counts[""] += len(form) + 1
        # Whose names many people here have.
        self._origins = [*self._counts]
        self._weights = np.array(
            [sure if origin == HOME else log(listed[origin] / most) for origin in self._origins]
        )
        # By run that is known anywhere, how likely it is in each origin.
        self._known = set().union(*self._counts.values())
        self._likely: dict[str, Scores] = {}

    def guess(self, form: str, near: Collection[str] = ()) -> str:
        """Guess an origin, "" where it may well be a Swedish name.

        near (Collection[str]): The origins of the names around it, such as those of a family: it is of one of
            them if they are from abroad, or from here.
        """
        if HOME not in self._counts:
            return ""
        scores = sum(map(self._get_likely, _get_runs(form, RUN)), self._weights)
        if near:
            scores = scores + self._get_bonus(near)
        best = self._origins[scores.argmax()]
        if best == HOME:
            return ""
        seen = [run in self._counts[best] for run in _get_runs(form, 2)]
        return best if sum(seen) >= SEEN * len(seen) else min(near, default="")  # unheard of

    def _get_bonus(self, near: Collection[str]) -> Scores:
        bonus = {origin: NEAR_HOME if origin == HOME else NEAR for origin in near}
        others = -inf if bonus.keys() - {HOME} else 0
        bonus.setdefault(HOME, 0)
        return np.array([bonus.get(origin, others) for origin in self._origins])

    def _get_likely(self, run: str) -> Scores:
        """How likely the last letter of a run is behind the others, in each origin, as a logarithm."""
        if run in self._likely:
            return self._likely[run]
        likely = []
        for counts in self._counts.values():
            share = 1 / LETTERS
            for length in range(1, RUN + 1):
                end = run[-length:]
                share = (counts[end] + BACK * share) / (counts[end[:-1]] + BACK)
            likely.append(log(share))
        if run in self._known:
            self._likely[run] = np.array(likely)
        return np.array(likely)


def _get_runs(form: str, length: int) -> Iterator[str]:
    return get_runs(f"^^{form}$", length)
