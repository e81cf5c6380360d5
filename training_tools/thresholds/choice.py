"""Which threshold to take: by the best F-beta, by what must be found, or by what can be promised."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from components.model.phi_ner import BALANCED, CAREFUL, DEFAULT
from training_tools.binomial import demand_shares
from training_tools.thresholds.certificate import Certificate, certify
from training_tools.thresholds.sweep import THRESHOLDS, Sweep, Thresholds

# Differences in F-beta that another draw of the training turns round.
NOISE = 0.002
# Differences that nobody would tell from none: a quarter of that.
TIE = 0.0005
# What shares differ in by rounding alone.
ROUNDING = 1e-9

Measure = Callable[[Thresholds], Mapping[str, float]]
Row = Mapping[str, Any]
"""A threshold, and the measures with it."""


class Choice(NamedTuple):
    """A threshold, None if none gives what is wished; and what is to be said of it."""

    threshold: float | Thresholds | None
    says: str
    certificate: Certificate | None = None


class Goal(NamedTuple):
    """What the threshold is to give, by the options of `scripts.tune_threshold`."""

    beta: float = 2.0
    by_class: bool = False
    min_recall: float | None = None
    max_leak: float | None = None
    delta: float = 0.05

    def check(self) -> None:
        """RAISES (ValueError): If options exclude each other, or a share is none."""
        given = {
            "--by-class": self.by_class,
            "--min-recall": self.min_recall is not None,
            "--max-leak": self.max_leak is not None,
        }
        if sum(given.values()) > 1:
            names = [name for name, is_given in given.items() if is_given]
            raise ValueError(f"Give {' or '.join(names)}, not both.")
        if self.max_leak is not None:
            demand_shares({"--max-leak": self.max_leak, "--delta": self.delta})

    def choose(self, curve: Sequence[Row], sweep: Sweep) -> Choice:
        """Choose among the thresholds of the curve; the sweep measures any other.

        RAISES (ValueError): If no threshold has the recall.
        """
        if self.max_leak is not None:
            certificate = certify(sweep.count_leaks, self.max_leak, self.delta)
            rows = [sweep.get_row(value) for value in certificate.certified]
            promised = choose(rows)["threshold"] if rows else None
            return Choice(promised, certificate.describe(promised), certificate)
        if self.min_recall is not None:
            value = choose_by_recall(curve, self.min_recall)["threshold"]
            says = f"The best precision with a recall of {self.min_recall:g} over tokens is at"
            return Choice(value, f"{says} the threshold {value:g}.")
        best: float = choose(curve)["threshold"]
        if self.by_class:
            says = f"The best F{self.beta:g} over tokens is at the threshold {best:g}."
            one: Thresholds = {label: best for label in (*sweep.phi_ner.labels, DEFAULT)}
            chosen = raise_f_beta(one, sweep.measure)
            return Choice(chosen, f"{says} Each class has the one that is best for it.")
        threshold = choose_modes(curve)[BALANCED]
        says = f"The best F{self.beta:g} over tokens is at the threshold {threshold:g}."
        says += f" The mode careful has {best:g}, which is as good and misses less."
        return Choice(threshold, says)


def choose_modes(curve: Sequence[Row]) -> dict[str, float]:
    """Choose the thresholds of the modes: the lowest of those with the best F-beta, but for a tie
    (balanced: near its top the curve is flat), and of those that are as good but for noise the one that misses least (careful).
    """
    least = max(row["f_beta"] for row in curve) - TIE
    balanced = min(row["threshold"] for row in curve if row["f_beta"] >= least)
    return {BALANCED: balanced, CAREFUL: choose(curve)["threshold"]}


def choose(curve: Sequence[Row]) -> Row:
    """Choose the threshold with the best F-beta; of those as good but for noise the one that misses least."""
    least = max(row["f_beta"] for row in curve) - NOISE
    as_good = [row for row in curve if row["f_beta"] >= least]
    return max(as_good, key=lambda row: (row["redact"], row["strict_f"], -row["threshold"]))


def choose_by_recall(curve: Sequence[Row], recall: float) -> Row:
    """Choose the lowest threshold with the best precision among those with a recall."""
    enough = [row for row in curve if row["r"] >= recall - ROUNDING]
    if not enough:
        best = max(row["r"] for row in curve)
        raise ValueError(
            f"With no threshold the recall is {recall:g}: the best is {best:.4f}. Give a lower "
            "--min-recall, or train on more messages."
        )
    return max(enough, key=lambda row: (row["p"], -row["threshold"]))


def raise_f_beta(thresholds: Thresholds, measure: Measure) -> Thresholds:
    """Give each class in turn the threshold with the best F-beta over tokens, until none is better."""
    best = measure(thresholds)["f_beta"]
    before = None
    while thresholds != before:
        before = thresholds
        for label in [label for label in thresholds if label != DEFAULT]:
            for value in THRESHOLDS:
                changed = {**thresholds, label: value}
                f_beta = measure(changed)["f_beta"]
                if f_beta > best + ROUNDING:
                    best, thresholds = f_beta, changed
    return thresholds
