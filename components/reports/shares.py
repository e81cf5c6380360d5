"""What follows from the counts of a run: shares and lengths."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ..text.languages import HOME
from .summary import LENGTHS, UNKNOWN, Summary

# Under it an entity counts as doubtful, from it on as sure.
DOUBTFUL, SURE = 0.5, 0.9


def get_figures(summary: Summary) -> dict[str, float | None]:
    """Work out the figures of a run.

    RETURNS (dict[str, float | None]): Shares from 0 to 1, lengths in characters; None where there is
        nothing to count.
    """
    confidence = sum(summary.confidence.values(), Counter())
    n_found = confidence.total()
    n_told = summary.languages.total()
    messages = summary.messages
    quantiles = {
        f"length_{name}": get_quantile(summary.lengths, LENGTHS, share)
        for name, share in (("p10", 0.1), ("median", 0.5), ("p90", 0.9), ("p99", 0.99))
    }
    return {
        "rejected_share": _divide(
            summary.rejected.total(), summary.rows + summary.rejected.total()
        ),
        "failed_share": _divide(summary.failed.total(), messages),
        "withheld_share": _divide(summary.withheld.total(), messages),
        "empty_share": _divide(summary.empty, messages),
        "touched_share": _divide(summary.touched, messages - summary.empty),
        "foreign_share": _divide(count_foreign(summary), n_told),
        "unknown_language_share": _divide(summary.languages[UNKNOWN], n_told),
        "doubtful_share": _divide(_count_between(confidence, 0, DOUBTFUL), n_found),
        "sure_share": _divide(_count_between(confidence, SURE, 1), n_found),
        "entities_per_message": _divide(n_found, summary.entities.total()),
        "length_mean": _divide(summary.characters, messages),
        **quantiles,
    }


def count_foreign(summary: Summary) -> int:
    """Count the messages in another language than those that are read (`HOME`)."""
    return summary.languages.total() - sum(summary.languages[each] for each in (*HOME, UNKNOWN))


def turn(table: dict[str, Counter[str]]) -> dict[str, Counter[str]]:
    """Turn a table: its columns become its rows."""
    turned: dict[str, Counter[str]] = {}
    for row, counter in table.items():
        for column, count in counter.items():
            turned.setdefault(column, Counter())[row] += count
    return turned


def get_quantile(counts: Counter[str], bounds: Sequence[int], share: float) -> float | None:
    """Estimate a quantile from a histogram, as if each bin were filled evenly."""
    below, wanted = 0, share * counts.total()
    for low, high in pairwise([*bounds, bounds[-1] + 1]):
        inside = counts[str(low)]
        if inside and below + inside >= wanted:
            # Values are whole numbers: the greatest of a bin is one less than the next begins with.
            return low + (high - 1 - low) * (wanted - below) / inside
        below += inside
    return None


def _count_between(confidence: Counter[str], low: float, high: float) -> int:
    return sum(count for tenth, count in confidence.items() if low <= float(tenth) < high)


def _divide(part: int, whole: int) -> float | None:
    return part / whole if whole else None
