"""A share that was counted: what it says of the next units, exactly."""

from math import exp, lgamma, log, log1p

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
