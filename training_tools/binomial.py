"""Shares that were counted: what they say of the next units, exactly, by the binomial distribution."""

from collections.abc import Mapping

from scipy.stats import binom, binomtest, nbinom

from components.measures.bootstrap import LEVEL, Interval


def demand_shares(shares: Mapping[str, float]) -> None:
    """Complain of options that are no shares."""
    for option, value in shares.items():
        if not 0 < value < 1:
            raise ValueError(f"{option} must lie between 0 and 1, e.g. 0.05.")


def get_exact_interval(hits: int, units: int, level: float = LEVEL) -> Interval:
    """Give the interval of a share from both sides (Clopper and Pearson); anything may be true of none."""
    if not units:
        return Interval(0.0, 1.0)
    return Interval(*binomtest(hits, units).proportion_ci(level, method="exact"))


def get_p_value(hits: int, units: int, share: float) -> float:
    """Test the hypothesis that the true share is above a limit."""
    return float(binom.cdf(hits, units, share))


def count_for_bound(bound: float, hits: int, delta: float) -> int:
    # So many that one more hit would come among them, if the share was the bound.
    return int(nbinom.ppf(1 - delta, hits + 1, bound)) + hits + 1
