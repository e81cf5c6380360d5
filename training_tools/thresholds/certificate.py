"""What can be promised of a threshold: with it at most a share alpha of messages leaks, and the promise
is wrong at most delta of the times that it is made.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from training_tools.binomial import get_p_value, get_upper_bound
from training_tools.thresholds.sweep import THRESHOLDS

# Promises are tested from the lowest on, so it begins where hardly anything can be missed.
GRID = (0.001, 0.002, 0.005, 0.01, *THRESHOLDS)


class Tested(NamedTuple):
    """A threshold that was tested.

    threshold (float): The threshold.
    leaks (int): In how many units something annotated is left uncovered.
    units (int): How many there are.
    p_value (float): Of the hypothesis that more than alpha of all units leak.
    """

    threshold: float
    leaks: int
    units: int
    p_value: float


class Certificate(NamedTuple):
    """What can be promised.

    alpha (float): The share of units that leak, at most.
    delta (float): How often the promise is wrong, at most.
    tested (Sequence[Tested]): What was tested, from the lowest threshold on. The last may be the one
        at which the tests ended.
    certified (Sequence[float]): The thresholds that the promise holds of, all of them at once.
    least (float): The smallest alpha that the lowest threshold can be certified for with these units.
    least_without_leaks (float): The same if none of so many units leaked.
    """

    alpha: float
    delta: float
    tested: Sequence[Tested]
    certified: Sequence[float]
    least: float
    least_without_leaks: float


def certify(
    count_leaks: Callable[[float], tuple[int, int]],
    alpha: float,
    delta: float,
    grid: Sequence[float] = GRID,
) -> Certificate:
    """Find the thresholds with which, with confidence 1 - delta, at most a share alpha of units leaks.
    The thresholds are tested from low to high, each at delta, until a test fails: the order was
    fixed before the units were seen, so the chance that any of those before the end is wrong is delta
    at most, and of them any may be chosen, by the same units. Leaks need not grow with the
    threshold. The units must be exchangeable with those that the promise is made of, and neither
    the model nor the grid chosen by them.

    count_leaks (Callable[[float], tuple[int, int]]): With a threshold, how many units leak of how
        many.
    alpha (float): The share, between 0 and 1.
    delta (float): How often the promise may be wrong, between 0 and 1.
    grid (Sequence[float]): The thresholds.
    RETURNS (Certificate): What can be promised.

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
    lowest = tested[0]
    return Certificate(
        alpha,
        delta,
        tested,
        certified,
        get_upper_bound(lowest.leaks, lowest.units, delta),
        get_upper_bound(0, lowest.units, delta),
    )


def demand_certified(certificate: Certificate) -> None:
    """Complain if nothing can be promised.

    certificate (Certificate): What can be promised.
    RAISES (ValueError): If no threshold is certified. Names the smallest alpha that can be.
    """
    if certificate.certified:
        return
    lowest = certificate.tested[0]
    raise ValueError(
        f"A leak rate of {certificate.alpha:g} cannot be certified with confidence "
        f"{1 - certificate.delta:g}: of {lowest.units} conversations or single messages "
        f"{lowest.leaks} leak at the threshold {lowest.threshold:g}. The smallest that can be is "
        f"{certificate.least:.4f}; with no leak it were {certificate.least_without_leaks:.4f}. "
        "Give a higher --max-leak, or more messages."
    )
