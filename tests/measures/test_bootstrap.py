"""Intervals, on samples whose spread is known."""

import math

import numpy as np
import pytest

from components.measures import bootstrap
from components.measures.bootstrap import average_classes, get_intervals, get_shares, number_units
from components.measures.scores import Ratio, Scores
from tests.cases import cases

TEXT = "Anna Berg"
GOLD = [(0, 9, "PERSON")]


def score(found, gold=GOLD, times=1):
    scores = Scores()
    for _ in range(times):
        scores.add(TEXT, gold, GOLD if found else [])
    return scores


# A name that was found, or missed; a message without any in which nothing was found.
UNITS = {"+": score(True), "-": score(False), ".": score(False, gold=[])}


@cases
def test_intervals(units, intervals):
    found = get_intervals([UNITS[unit] for unit in units], ["PERSON", "DATE"])
    assert {name: found.get(name) for name in intervals} == intervals


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_width_is_that_of_a_share(share):
    n = 400
    units = [score(index < share * n) for index in range(n)]
    low, high = get_intervals(units, ["PERSON"])["full"]
    error = math.sqrt(share * (1 - share) / n)
    assert low < share < high
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.15)


def test_conversations_are_resampled_whole():
    """Ten messages of one conversation tell no more than one."""
    n = 60
    singles = [score(index % 2) for index in range(n)]
    conversations = [score(index % 2, times=10) for index in range(n)]
    apart = [score(index % 2) for index in range(n) for _ in range(10)]
    low, high = get_intervals(singles, ["PERSON"])["full"]
    assert get_intervals(conversations, ["PERSON"])["full"] == (low, high)
    narrow = get_intervals(apart, ["PERSON"])["full"]
    assert narrow.high - narrow.low < 0.5 * (high - low)


@cases
def test_numbers_of_units(conversations, numbers):
    messages = [{"text": "x", "conversation": name} if name is not None else {"text": "x"}
                for name in conversations]  # fmt: skip
    assert number_units(messages) == numbers


def test_same_seed_same_numbers_and_another_level_others(monkeypatch):
    units = [score(index % 2) for index in range(100)]
    first, second = (get_intervals(units, ["PERSON"], seed=seed) for seed in (0, 0))
    assert first == second
    assert get_intervals(units, ["PERSON"], seed=1, resamples=37)["full"] != first["full"]
    monkeypatch.setattr(bootstrap, "LEVEL", 0.5)
    narrow = get_intervals(units, ["PERSON"])["full"]
    assert first["full"].low < narrow.low <= 0.5 <= narrow.high < first["full"].high


def test_averages_over_classes():
    """One class of three spans all right, another of one that is wrong, a third found only."""
    sums = {
        f"per_class.{label}.{prefix}{name}": np.array([ratio])
        for label, true, found, gold in [
            ("PERSON", 3, 3, 3), ("AGE", 0, 1, 1), ("DATE", 0, 2, 0), ("PID", 0, 0, 0),
        ]
        for prefix in ("", "token.")
        for name, ratio in {
            "p": (true, found), "r": (true, gold), "f": (2 * true, found + gold)
        }.items()
    }  # fmt: skip
    averages = average_classes(sums, ["PERSON", "AGE", "DATE", "PID"])
    assert averages["strict_macro.f"] == pytest.approx(1 / 3)
    assert averages["strict_weighted.f"] == pytest.approx(3 / 4)
    assert averages["token_weighted.p"] == pytest.approx(3 / 4)


def test_averages_have_intervals_and_nothing_is_none():
    units = [score(index % 2) for index in range(50)]
    intervals = get_intervals(units, ["PERSON", "DATE"])
    # Of one class the average is its own.
    assert intervals["strict_macro.f"] == intervals["per_class.PERSON.f"]
    shares = get_shares(UNITS["."].get_ratios(["PERSON"]), ["PERSON"])
    assert shares["strict_macro.f"] is None and shares["strict.f"] is None and shares["clean"] == 1
    assert get_shares({"a": Ratio(1, 4)}, ()) == {"a": 0.25}
