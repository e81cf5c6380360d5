"""Scores of a pipeline as counts that can be kept, pooled and compared."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from components.measures.bootstrap import count_units, get_middle, get_middle_ratio, resample
from components.measures.figures import write_share
from components.measures.gold import Row, demand_sound, make_docs
from components.measures.spans import CharSpan, get_entities

# The measures of the workbench, as tables call them, by the names of `Scores.get_ratios`.
MEASURES = {
    "strict P": "strict.p",
    "strict R": "strict.r",
    "strict F1": "strict.f",
    "one class P": "strict_one_class.p",
    "one class R": "strict_one_class.r",
    "one class F1": "strict_one_class.f",
    "redact": "redact",
    "full": "full",
    "clean": "clean",
}
MAIN = ("strict F1", "redact", "full", "clean")

Counts = list[list[list[int]]]
"""For each unit (a conversation, or a message of none) part and whole of each of `MEASURES`."""


class Share(NamedTuple):
    """A measure, or the difference of two, with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def is_sure(self) -> bool:
        """RETURNS (bool): Whether a difference is one: its interval is apart from zero."""
        return self.low > 0 or self.high < 0


Shares = dict[str, Share]


def score(nlp: Language, rows: Sequence[Row], *, context: bool = False) -> Counts:
    """Score a pipeline on annotated messages.

    nlp (Language): The pipeline.
    rows (Sequence[Row]): The messages.
    context (bool): Whether a message is read with what was said before it.
    RETURNS (Counts): The counts.
    """
    docs = [*nlp.pipe(make_docs(nlp, rows, context))]
    demand_sound(docs)
    return count(rows, docs)


def count(rows: Sequence[Row], docs: Sequence[Doc]) -> Counts:
    """Count what a pipeline found in messages.

    rows (Sequence[Row]): The messages with their gold spans.
    docs (Sequence[Doc]): What the pipeline made of each.
    RETURNS (Counts): The counts.
    """
    return count_spans(rows, [get_entities(doc) for doc in docs])


def count_spans(rows: Sequence[Row], found: Sequence[Sequence[CharSpan]]) -> Counts:
    """Count what was found in messages.

    rows (Sequence[Row]): The messages with their gold spans.
    found (Sequence[Sequence[CharSpan]]): The spans found in each.
    RETURNS (Counts): The counts.
    """
    ratios = [unit.get_ratios(()) for unit in count_units(rows, found)]
    return [[list(counted[key]) for key in MEASURES.values()] for counted in ratios]


def pool(runs: Sequence[Counts]) -> Counts:
    """Add up the counts of several runs (seeds) on the same messages.

    runs (Sequence[Counts]): The counts of each.
    RETURNS (Counts): Their sum, unit by unit: a message counts once for each run, and is drawn with
        all of them when intervals are estimated.
    """
    return np.sum([np.array(run) for run in runs], axis=0).tolist()


def get_shares(counts: Counts) -> Shares:
    """Turn counts into measures.

    counts (Counts): The counts.
    RETURNS (Shares): By the names of `MEASURES`; those that nothing can be counted for are left
        out.
    """
    array = _to_array(counts)
    samples = resample(array)
    shares = {}
    for number, name in enumerate(MEASURES):
        part, whole = array[:, number].sum(axis=0)
        interval = get_middle_ratio(*samples[:, number].T)
        if interval is not None:
            shares[name] = Share(part / whole, *interval)
    return shares


def get_gains(counts: Counts, base: Counts) -> Shares:
    """Compare two systems on the same messages: how much higher each measure is, on the same
    samples of the messages (paired bootstrap).

    counts (Counts): The counts of one.
    base (Counts): Those of the other.
    RETURNS (Shares): By the names of `MEASURES`; those that nothing can be counted for are left
        out.
    RAISES (ValueError): If they were not scored on the same messages.
    """
    one, other = _to_array(counts), _to_array(base)
    if one.shape != other.shape:
        raise ValueError("Only what was scored on the same messages can be compared.")
    samples, others = resample(one), resample(other)
    gains = {}
    for number, name in enumerate(MEASURES):
        part, whole = one[:, number].sum(axis=0)
        part_before, whole_before = other[:, number].sum(axis=0)
        if whole and whole_before:
            parts, wholes = samples[:, number].T
            parts_before, wholes_before = others[:, number].T
            counted = (wholes > 0) & (wholes_before > 0)
            drawn = (
                parts[counted] / wholes[counted] - parts_before[counted] / wholes_before[counted]
            )
            gains[name] = Share(part / whole - part_before / whole_before, *get_middle(drawn))
    return gains


def _to_array(counts: Counts) -> np.ndarray:
    return np.array(counts, dtype="f8").reshape(-1, len(MEASURES), 2)


def write_cells(shares: Mapping[str, Share], names: Sequence[str] = MAIN) -> list[str]:
    """Write measures for a table.

    shares (Mapping[str, Share]): The measures.
    names (Sequence[str]): Which of them.
    RETURNS (list[str]): Each with its interval; a dash where nothing can be counted.
    """
    found = [shares.get(name) for name in names]
    return [write_share(share[0], share[1:]) if share else write_share(None) for share in found]


def write_gain(gain: Share) -> str:
    """Write a difference in points.

    gain (Share): The difference of two shares.
    RETURNS (str): `+1.2 (-0.3 to +2.7)`.
    """
    value, low, high = (f"{100 * number:+.1f}" for number in gain)
    return f"{value} ({low} to {high})"
