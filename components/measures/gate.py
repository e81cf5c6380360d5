"""Limits that a pipeline must keep on annotated messages."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .bounds import get_upper_bound
from .evaluation import Evaluation

# The measures that have a least value, by the name of their limit.
LEAST = {"redact": "redact", "full": "full", "clean": "clean", "f1": "strict.f"}
LEAK = "leak"
# How often the bound of the leaks may be wrong.
DELTA = 0.05


class Check(NamedTuple):
    """A limit, and what was measured.

    name (str): The limit: one of `LEAST`, or `LEAK`.
    limit (float): The least value that passes; of `LEAK` the greatest.
    value (float | None): What is compared with it; None where there is nothing to count.
    measured (str): The same for people, with its interval.
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


def tabulate_checks(checks: Sequence[Check]) -> list[list[str]]:
    """RETURNS (list[list[str]]): Of each check its name, what was measured, what is asked, whether it is kept."""
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
