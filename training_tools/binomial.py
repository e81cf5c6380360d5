"""Shares that were counted: what they tell of the next units, exactly, by the binomial distribution."""

import numpy as np
from scipy.stats import beta, binom

from components.measures.bootstrap import LEVEL, Interval


def get_upper_bound(hits: int, units: int, delta: float) -> float:
    """Bound a share from above: with at least 1 - delta of all samples the bound lies above the true
    share.

    hits (int): Units of the sample that were hit.
    units (int): All of the sample, drawn independently.
    delta (float): How often the bound may be wrong.
    RETURNS (float): The bound; with no hit it is about 3 / units for a delta of .05 (the rule of
        three, Hanley and Lippman-Hand 1983).

    Clopper and Pearson (1934): The use of confidence or fiducial limits, one side.
    """
    return 1.0 if hits >= units else float(beta.ppf(1 - delta, hits + 1, units - hits))


def get_exact_interval(hits: int, units: int, level: float = LEVEL) -> Interval:
    """Give the interval of a share from both sides.

    hits (int): Units of the sample that were hit.
    units (int): All of the sample, drawn independently.
    level (float): How often the interval holds the true share, at least.
    RETURNS (Interval): Clopper's and Pearson's interval.
    """
    half = (1 - level) / 2
    return Interval(
        1 - get_upper_bound(units - hits, units, half), get_upper_bound(hits, units, half)
    )


def get_p_value(hits: int, units: int, share: float) -> float:
    """Test the hypothesis that the true share is above a limit.

    hits (int): Units of the sample that were hit.
    units (int): All of the sample, drawn independently.
    share (float): The limit.
    RETURNS (float): How likely so few hits are at most, if the hypothesis holds.
    """
    return float(binom.cdf(hits, units, share))


def count_for_bound(bound: float, hits: int, delta: float) -> int:
    """Count the units that are needed for a bound.

    bound (float): The wanted upper bound of the share, between 0 and 1.
    hits (int): How many of them will be hit.
    delta (float): How often the bound may be wrong.
    RETURNS (int): The fewest units of which so many hits give no higher bound.
    """
    # As many that the bound holds, then half the gap at a time.
    low, high = hits, max(2 * hits, 1)
    while get_upper_bound(hits, high, delta) > bound:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if get_upper_bound(hits, middle, delta) > bound:
            low = middle
        else:
            high = middle
    return high


def count_for_width(share: float, width: float, level: float = LEVEL) -> int:
    """Count the units that are needed for an interval of a width.

    share (float): The share that is expected.
    width (float): How wide the interval may be, from end to end.
    level (float): How often the interval holds the true share.
    RETURNS (int): The fewest units from which on, at the expected share (hits rounded up), the
        interval is no wider.
    """

    high = 1
    while True:
        units = np.arange(1, 2 * high + 1)
        # Hits are whole, so the width jumps: the last that is too wide counts, and as many again
        # are looked at.
        hits = np.ceil(share * units - 1e-9)
        half = (1 - level) / 2
        tops = np.where(hits < units, beta.ppf(1 - half, hits + 1, units - hits), 1)
        ends = np.where(hits > 0, beta.ppf(half, hits, units - hits + 1), 0)
        wide = units[tops - ends > width]
        if not len(wide):
            return 1
        if wide[-1] <= high:
            return int(wide[-1]) + 1
        high *= 2
