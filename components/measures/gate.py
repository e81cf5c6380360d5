"""Limits that a pipeline must keep on annotated messages."""

from collections.abc import Mapping, Sequence
from math import exp, lgamma, log, log1p
from typing import Any, NamedTuple

from .evaluation import Evaluation

# Halvings of an interval, until its ends are neighbouring floats.
STEPS = 60


def get_upper_bound(hits: int, units: int, delta: float) -> float:
    """Bound a share from above: with at least 1 - delta of all samples the bound lies above the true
    share.

    RETURNS (float): The bound; with no hit it is about 3 / units for a delta of .05 (the rule of
        three, Hanley and Lippman-Hand 1983).

    Clopper and Pearson (1934): The use of confidence or fiducial limits, one side.
    """
    if hits >= units:
        return 1.0
    low, high = hits / units, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        if middle >= 1 or _get_tail(hits, units, middle) <= delta:
            high = middle
        else:
            low = middle
    return high


def _get_tail(hits: int, units: int, share: float) -> float:
    """How likely so many hits or fewer are. SciPy would tell, but the wheel does not need it else."""
    if not share:
        return 1.0
    odds = log(share), log1p(-share)
    ways = lgamma(units + 1)
    return sum(
        exp(ways - lgamma(k + 1) - lgamma(units - k + 1) + k * odds[0] + (units - k) * odds[1])
        for k in range(hits + 1)
    )


# The measures that have a least value, by the name of their limit.
LEAST = {"redact": "redact", "full": "full", "clean": "clean", "f1": "strict.f"}
LEAK = "leak"
# How often the bound of the leaks may be wrong.
DELTA = 0.05


class Check(NamedTuple):
    """A limit (of `LEAK` the greatest value, else the least), what is compared with it, None for
    nothing, and the same for people, with its interval.
    """

    name: str
    limit: float
    value: float | None
    measured: str

    @property
    def passed(self) -> bool:
        """RETURNS (bool): Whether the limit is kept. Where there is nothing to count, it is not."""
        if self.value is None:
            return False
        return self.value <= self.limit if self.name == LEAK else self.value >= self.limit

    @property
    def asked(self) -> str:
        """RETURNS (str): What is asked, for people."""
        return f"at {'most' if self.name == LEAK else 'least'} {self.limit:g}"


def check_limits(evaluation: Evaluation, limits: Mapping[str, float]) -> list[Check]:
    """Compare what was measured with limits by name, of `LEAST` and `LEAK`."""
    checks = []
    for name, limit in limits.items():
        if name == LEAK:
            leaks = count_leaks(evaluation)
            measured = "{leaking} of {units} leak, upper bound {upper_bound:.4f}".format(**leaks)
            checks.append(Check(name, limit, leaks["upper_bound"], measured))
        else:
            share = evaluation.shares[LEAST[name]]
            checks.append(Check(name, limit, share, evaluation.write(LEAST[name])))
    return checks


CHECKS = ("limit", "measured", "asked", "kept")


def tabulate_checks(checks: Sequence[Check]) -> list[list[str]]:
    """RETURNS (list[list[str]]): Of each check the cells of `CHECKS`."""
    return [[c.name, c.measured, c.asked, "yes" if c.passed else "NO"] for c in checks]


def count_leaks(evaluation: Evaluation) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): How many conversations, and messages of none, there are (`units`), in how
    many something is left (`leaking`), their `share`, and its `upper_bound` with a `confidence`.
    """
    leaking, units = evaluation.n_leaky, evaluation.n_units
    return {
        "units": units,
        "leaking": leaking,
        "share": leaking / units,
        "upper_bound": get_upper_bound(leaking, units, DELTA),
        "confidence": 1 - DELTA,
    }
