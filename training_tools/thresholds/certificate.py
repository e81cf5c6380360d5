"""What can be promised of a threshold: with it at most a share alpha of messages leaks, and the promise
is wrong at most delta of the times that it is made.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from components.measures.gate import get_upper_bound
from training_tools.binomial import get_p_value
from training_tools.thresholds.sweep import THRESHOLDS

# Promises are tested from the lowest on, so it begins where hardly anything can be missed.
GRID = (0.001, 0.002, 0.005, 0.01, *THRESHOLDS)


class Tested(NamedTuple):
    """A threshold, how many of its units leak, and the p-value of more than alpha of all units leaking."""

    threshold: float
    leaks: int
    units: int
    p_value: float


class Certificate(NamedTuple):
    """What can be promised: the thresholds tested, from the lowest on; those that the promise holds of, all
    at once; and the smallest alpha that the lowest one can be certified for with these units, and with
    as many of which none leaks.
    """

    alpha: float
    delta: float
    tested: Sequence[Tested]
    certified: Sequence[float]
    least: float
    least_without_leaks: float

    def describe(self, chosen: float | None) -> str:
        lowest = self.tested[0]
        confidence = f"with confidence {1 - self.delta:g}"
        if chosen is None:
            text = (
                f"A leak rate of at most {self.alpha:g} cannot be certified {confidence}: "
                f"{lowest.leaks} of {lowest.units} units leak at the lowest threshold. "
            )
        else:
            text = (
                f"At the threshold {chosen:g} at most {self.alpha:g} of such units leak, "
                f"{confidence}, as far as they are exchangeable with these {lowest.units}, and nothing "
                "was trained or chosen on them. "
            )
        return (
            f"{text}The smallest rate that the lowest threshold can be certified for is "
            f"{self.least:.4f} (without any leak among so many: {self.least_without_leaks:.4f}). A unit "
            "is a conversation, or a message of none; it leaks if any letter or digit of what is "
            "annotated is left uncovered."
        )


def certify(
    count_leaks: Callable[[float], tuple[int, int]],
    alpha: float,
    delta: float,
    grid: Sequence[float] = GRID,
) -> Certificate:
    """Find the thresholds with which, with confidence 1 - delta, at most a share alpha of units leaks.

    The thresholds are tested from low to high, each at delta, until a test fails. The order was fixed
    before the units were seen, so any of those that passed may be chosen by the same units. The units
    must be exchangeable with those that the promise is made of, and neither the model nor the grid
    chosen by them.

    Angelopoulos, Bates, Candès, Jordan and Lei (2021): Learn then Test, section 2, with fixed
    sequence testing (algorithm 1); losses are 0 or 1, so the p-values are binomial tails.
    """
    tested: list[Tested] = []
    certified: list[float] = []
    for threshold in sorted(grid):
        leaks, units = count_leaks(threshold)
        tested.append(Tested(threshold, leaks, units, get_p_value(leaks, units, alpha)))
        if tested[-1].p_value > delta:
            break
        certified.append(threshold)
    leaks, units = tested[0].leaks, tested[0].units
    least, without_leaks = get_upper_bound(leaks, units, delta), get_upper_bound(0, units, delta)
    return Certificate(alpha, delta, tested, certified, least, without_leaks)
