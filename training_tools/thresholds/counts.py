"""What the measures of a threshold are made of: counts that can be summed up over messages."""

from typing import Any, NamedTuple

import numpy as np

from components.measures.bootstrap import RESAMPLES, Interval, get_middle_ratio, resample
from components.measures.scores import Ratio, Scores


class Counts(NamedTuple):
    """The counts of some messages; or of several samples of them, then each is an array."""

    token_true: Any = 0
    token_predicted: Any = 0
    token_gold: Any = 0
    true: Any = 0
    predicted: Any = 0
    gold: Any = 0
    redacted: Any = 0
    full: Any = 0
    with_phi: Any = 0
    clean: Any = 0
    without_phi: Any = 0

    @classmethod
    def from_scores(cls, scores: Scores) -> "Counts":
        redacted = sum(scores.counts["redacted"].values())
        messages = (scores.messages[name] for name in ("full", "phi", "clean", "no_phi"))
        return cls(*scores.token_one_class, *scores.entity(), redacted, *messages)

    def get_clean(self) -> float:
        """RETURNS (float): The share of messages without PHI that are left untouched."""
        return Ratio(self.clean, self.without_phi).value

    def get_ratios(self, beta: float) -> dict[str, Ratio]:
        """Give the measures before the division: `p`, `r` and `f_beta` over tokens, classes taken as
        one; `strict_f`, `redact`, `full` and `clean`. With t, p and g the tokens found and true, found,
        and true, F-beta is (1 + b²) t / (p + b² g).
        """
        weight = beta**2
        return {
            "p": Ratio(self.token_true, self.token_predicted),
            "r": Ratio(self.token_true, self.token_gold),
            "f_beta": Ratio(
                (1 + weight) * self.token_true,  # type: ignore[arg-type]
                self.token_predicted + weight * self.token_gold,
            ),
            "strict_f": Ratio(2 * self.true, self.predicted + self.gold),
            "redact": Ratio(self.redacted, self.gold),
            "full": Ratio(self.full, self.with_phi),
            "clean": Ratio(self.clean, self.without_phi),
        }

    def get_figures(self, beta: float) -> dict[str, float]:
        """RETURNS (dict[str, float]): The measures, 0 where nothing can be counted."""
        return {name: float(ratio.value) for name, ratio in self.get_ratios(beta).items()}


def get_intervals(
    units: np.ndarray, beta: float, *, resamples: int = RESAMPLES, seed: int = 0
) -> dict[str, Interval]:
    """Estimate the interval of each measure that can be counted, by bootstrap over units."""
    samples = Counts(*resample(units, resamples=resamples, seed=seed).T)
    intervals = {}
    for name, (part, whole) in samples.get_ratios(beta).items():
        interval = get_middle_ratio(np.asarray(part), np.asarray(whole))
        if interval is not None:
            intervals[name] = interval
    return intervals
