"""Which threshold to take: by the best F-beta, by what it may cost, by what must be found."""

from collections.abc import Callable, Mapping, Sequence

from components.pipes.phi_ner import BALANCED, CAREFUL, DEFAULT
from corpus_tools.measures.thresholds.counts import Counts
from corpus_tools.measures.thresholds.sweep import THRESHOLDS, Thresholds

# Differences in F-beta that another draw of the training turns round.
NOISE = 0.002
# What shares differ in by rounding alone.
ROUNDING = 1e-9

Measure = Callable[[Thresholds], Counts]
Row = Mapping[str, float]


def choose(curve: Sequence[Row]) -> Row:
    """Choose the threshold with the best F-beta. Among those that are as good but for noise, that
    with the best redact, then the best strict F1, then the lowest: it misses least.

    curve (Sequence[Row]): The measures at each threshold.
    RETURNS (Row): Those of the chosen one.
    """
    least = max(row["f_beta"] for row in curve) - NOISE
    as_good = [row for row in curve if row["f_beta"] >= least]
    return max(as_good, key=lambda row: (row["redact"], row["strict_f"], -row["threshold"]))


def choose_modes(curve: Sequence[Row]) -> dict[str, float]:
    """Choose the thresholds of the modes: the one with the best F-beta, of several the lowest
    (balanced), and of those that are as good but for noise the one that misses least (careful).

    curve (Sequence[Row]): The measures at each threshold.
    RETURNS (dict[str, float]): The threshold of each mode.
    """
    balanced = max(curve, key=lambda row: (row["f_beta"], -row["threshold"]))
    return {BALANCED: balanced["threshold"], CAREFUL: choose(curve)["threshold"]}


def choose_by_recall(curve: Sequence[Row], recall: float) -> Row:
    """Choose the threshold with the best precision among those with which enough is found; of several
    the lowest.

    curve (Sequence[Row]): The measures at each threshold.
    recall (float): The least recall over tokens.
    RETURNS (Row): The measures at the chosen one.
    RAISES (ValueError): If with none enough is found.
    """
    enough = [row for row in curve if row["r"] >= recall - ROUNDING]
    if not enough:
        best = max(row["r"] for row in curve)
        raise ValueError(
            f"With no threshold the recall is {recall:g}: the best is {best:.4f}. Give a lower "
            "--min-recall, or train on more messages."
        )
    return max(enough, key=lambda row: (row["p"], -row["threshold"]))


def raise_f_beta(thresholds: Thresholds, measure: Measure, beta: float) -> Thresholds:
    """Give each class in turn the threshold with which F-beta over tokens is best, the lowest of
    several, until none is better than what it has.

    thresholds (Thresholds): Where to begin.
    measure (Measure): Measures thresholds.
    beta (float): How many times as much recall counts.
    RETURNS (Thresholds): The thresholds.
    """
    best = measure(thresholds).get_figures(beta)["f_beta"]
    before = None
    while thresholds != before:
        before = thresholds
        for label in _get_classes(thresholds):
            for value in THRESHOLDS:
                changed = {**thresholds, label: value}
                f_beta = measure(changed).get_figures(beta)["f_beta"]
                if f_beta > best + ROUNDING:
                    best, thresholds = f_beta, changed
    return thresholds


def raise_to_recall(
    thresholds: Thresholds,
    get_recall: Callable[[Thresholds], Mapping[str, float]],
    recall: float,
) -> Thresholds:
    """Give each class in turn the highest threshold with which enough of every class is found,
    beginning with the lowest of all. A class that is not annotated keeps what it had.

    thresholds (Thresholds): The thresholds of classes that are not annotated.
    get_recall (Callable[[Thresholds], Mapping[str, float]]): Measures the recall of each class.
    recall (float): The least recall over the tokens of each class.
    RETURNS (Thresholds): The thresholds.
    RAISES (ValueError): If with the lowest thresholds not enough of a class is found.
    """
    labels = _get_classes(thresholds)
    lowest = {**thresholds, **dict.fromkeys(labels, THRESHOLDS[0])}
    reached = get_recall(lowest)
    short = [f"{of} {share:.4f}" for of, share in reached.items() if share < recall - ROUNDING]
    if short:
        raise ValueError(
            f"With no threshold the recall of each class is {recall:g}; the best: "
            f"{', '.join(short)}. Give a lower --min-recall, or train on more messages."
        )
    chosen = {**thresholds, **dict.fromkeys(reached, THRESHOLDS[0])}
    for label in [label for label in labels if label in reached]:
        for value in reversed(THRESHOLDS):
            changed = {**chosen, label: value}
            if min(get_recall(changed).values()) >= recall - ROUNDING:
                chosen = changed
                break
    return chosen


def lower(thresholds: Thresholds, measure: Measure, max_clean_loss: float) -> Thresholds:
    """Lower the thresholds of the classes step by step, each time that of the class with which most
    entities are covered then, of several the one with which most messages without PHI are left
    untouched, as long as no more of these are lost than allowed.

    thresholds (Thresholds): Where to begin.
    measure (Measure): Measures thresholds.
    max_clean_loss (float): The most that the share of messages without PHI left untouched may fall.
    RETURNS (Thresholds): The thresholds.
    RAISES (ValueError): If there are no messages without PHI.
    """
    counts = measure(thresholds)
    if not counts.without_phi:
        raise ValueError(
            "--max-clean-loss needs messages without PHI among those of the dev split."
        )
    least = counts.get_clean() - max_clean_loss - ROUNDING
    while True:
        steps = []
        for label in _get_classes(thresholds):
            below = [value for value in THRESHOLDS if value < thresholds[label]]
            if below:
                changed = {**thresholds, label: below[-1]}
                outcome = measure(changed)
                if outcome.get_clean() >= least and outcome.redacted >= counts.redacted:
                    steps.append((outcome, changed))
        if not steps:
            return thresholds
        counts, thresholds = max(steps, key=lambda step: (step[0].redacted, step[0].clean))


def _get_classes(thresholds: Thresholds) -> list[str]:
    return [label for label in thresholds if label != DEFAULT]
