"""Telling where names of people and places come from that are not listed."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log

from ..core.resemblance import get_runs

Row = Mapping[str, str]

HOME = "sv"
RUN = 3  # letters in a row
LEAST = 20  # names that an origin must have to be told
SEEN = 0.5  # such a share of its runs must be known there
SURE = 4.0  # of people: most who live here have a name from here


class Origins:
    """What the letters of the listed names tell of the origin of others: how likely the runs of
    letters in a name are among the names of each origin (naive Bayes, each origin as likely).

    names (Mapping[str, Row]): The listed names, by folded form, each with its `origin`.
    sure (float): By how much, as a logarithm, a name must be likelier abroad than at home.
    """

    def __init__(self, names: Mapping[str, Row], sure: float = SURE) -> None:
        self.sure = sure
        self._runs: dict[str, Counter[str]] = defaultdict(Counter)
        listed: Counter[str] = Counter()
        for form, row in names.items():
            if row["origin"]:
                listed[row["origin"]] += 1
                self._runs[row["origin"]].update(_get_runs(form))
        self._totals = {
            origin: runs.total() for origin, runs in self._runs.items() if listed[origin] >= LEAST
        }
        self._kinds = len(set().union(*self._runs.values())) if self._runs else 0

    def guess(self, form: str) -> str:
        """Guess an origin.

        RETURNS (str): The origin; "" where it may well be a Swedish name.
        """
        found = [*_get_runs(form)]
        scores = {origin: self._score(found, origin) for origin in self._totals}
        best = max(scores, key=lambda origin: (scores[origin], origin), default="")
        if not best or best == HOME or scores[best] - scores.get(HOME, 0.0) < self.sure:
            return ""
        seen = [run in self._runs[best] for run in found]
        return best if sum(seen) >= SEEN * len(seen) else ""

    def _score(self, found: Sequence[str], origin: str) -> float:
        runs, total = self._runs[origin], self._totals[origin] + self._kinds
        return sum(log((runs[run] + 1) / total) for run in found)


def _get_runs(form: str) -> Iterator[str]:
    return get_runs(f"^{form}$", RUN)
