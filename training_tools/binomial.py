"""Shares that were counted: what they say of the next units, exactly, by the binomial distribution."""

import numpy as np
from scipy.stats import beta, binom, nbinom

from components.measures.bootstrap import LEVEL, Interval
from components.measures.bounds import get_upper_bound


def get_exact_interval(hits: int, units: int, level: float = LEVEL) -> Interval:
    """Give the interval of a share from both sides.

    level (float): How often the interval holds the true share, at least.
    RETURNS (Interval): Clopper's and Pearson's interval.
    """
    half = (1 - level) / 2
    return Interval(
        1 - get_upper_bound(units - hits, units, half), get_upper_bound(hits, units, half)
    )


def get_p_value(hits: int, units: int, share: float) -> float:
    """Test the hypothesis that the true share is above a limit."""
    return float(binom.cdf(hits, units, share))


def count_for_bound(bound: float, hits: int, delta: float) -> int:
    """Count the units that are needed for a bound."""
    # So many that one more hit would come among them, if the share was the bound.
    return int(nbinom.ppf(1 - delta, hits + 1, bound)) + hits + 1


def count_for_width(share: float, width: float) -> int:
    """Count the units that are needed for a 95 % interval of a width."""
    # With so many it is narrow enough at any share.
    units = np.arange(1, int(8 / width**2) + 100)
    # Hits are whole, so the width jumps: the last that is too wide counts.
    hits = np.ceil(share * units - 1e-9)
    half = (1 - LEVEL) / 2
    tops = np.where(hits < units, beta.ppf(1 - half, hits + 1, units - hits), 1)
    ends = np.where(hits > 0, beta.ppf(half, hits, units - hits + 1), 0)
    wide = units[tops - ends > width]
    return int(wide[-1]) + 1 if len(wide) else 1
