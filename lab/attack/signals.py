"""What an attacker compares: what a de-identified conversation tells with what the register says."""

import datetime as dt
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy as np

from lab.attack.facts import UNLISTED, Facts

# An age is moved by so many years at most, a date by so many months of the year.
NEAR_AGE = 2
NEAR_MONTHS = 2
# So many of the dates must be visits; where only their distances count, two at least.
ALIGNED = 0.7
YEAR = 365

# Of everybody in the register, whether what is said fits; None where nothing is said.
Fit = np.ndarray | None
Signal = Callable[[Facts, Sequence[Facts]], Fit]


def _is_same(name: str) -> Signal:
    def compare(told: Facts, register: Sequence[Facts]) -> Fit:
        value = getattr(told, name)
        if not value or value == UNLISTED:
            return None
        return np.array([getattr(one, name) == value for one in register])

    return compare


def _compare_ages(told: Facts, register: Sequence[Facts]) -> Fit:
    age = told.age
    if age is None:
        return None
    return np.array([one.age is not None and abs(one.age - age) <= NEAR_AGE for one in register])


def _compare_seasons(told: Facts, register: Sequence[Facts]) -> Fit:
    month = told.month
    if month is None:
        return None
    return np.array(
        [
            one.month is not None and _get_gap(one.month - month, 12) <= NEAR_MONTHS
            for one in register
        ]
    )


def _compare_numbers(told: Facts, register: Sequence[Facts]) -> Fit:
    if not told.numbers:
        return None
    return np.array([bool(one.numbers & told.numbers) for one in register])


def _compare_dates(told: Facts, register: Sequence[Facts]) -> Fit:
    dates = {*told.dates}
    if not dates:
        return None
    return np.array([len(dates & {*one.dates}) >= ALIGNED * len(dates) for one in register])


def _compare_distances(told: Facts, register: Sequence[Facts]) -> Fit:
    dates = {*told.dates}
    if len(dates) < 2:
        return None
    return np.array([count_aligned(dates, one.dates) >= _get_least(dates) for one in register])


def _compare_days(told: Facts, register: Sequence[Facts]) -> Fit:
    days = {*told.days}
    if len(days) < 2:
        return None
    return np.array([count_aligned(days, one.days, YEAR) >= _get_least(days) for one in register])


def _get_least(dates: set[dt.date]) -> int:
    return max(2, math.ceil(ALIGNED * len(dates)))


def _get_gap(difference: int, around: int) -> int:
    return min(difference % around, -difference % around)


def count_aligned(dates: Iterable[dt.date], visits: Iterable[dt.date], around: int = 0) -> int:
    """Count the dates that are visits if all are moved by the same number of days, the best of any.

    dates (Iterable[dt.date]): The dates.
    visits (Iterable[dt.date]): The visits.
    around (int): After how many days a year begins again, if the years are not given; a day is lost in
        leap years, so one more or less is the same. 0 if they are told.
    RETURNS (int): How many.
    """
    days = {date.toordinal() for date in dates}
    goals = {visit.toordinal() for visit in visits}
    slack = 1 if around else 0
    best = 0
    for day, goal in product(days, goals):
        move = goal - day
        hits = 0
        for one in days:
            moved = one + move
            if around:
                hits += any(_get_gap(moved - other, around) <= slack for other in goals)
            else:
                hits += moved in goals
        best = max(best, hits)
    return best


SIGNALS: dict[str, Signal] = {
    "first name": _is_same("first"),
    "surname": _is_same("last"),
    "initials": _is_same("initials"),
    "gender": _is_same("gender"),
    "origin of the name": _is_same("origin"),
    "years of the name": _is_same("era"),
    "commonness of the name": _is_same("common"),
    "place": _is_same("place"),
    "county or continent": _is_same("region"),
    "age": _compare_ages,
    "season": _compare_seasons,
    "dates": _compare_dates,
    "distances of dates": _compare_distances,
    "distances without years": _compare_days,
    "numbers and addresses": _compare_numbers,
}


def compare_all(
    told: Sequence[Facts], register: Sequence[Facts]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Compare every conversation with everybody.

    told (Sequence[Facts]): What each conversation tells.
    register (Sequence[Facts]): The people.
    RETURNS (tuple[np.ndarray, dict[str, np.ndarray]]): Of each signal, in the order of `SIGNALS`,
        conversation and person how much likelier a person is whose fact it is than another one of
        whom it is true, too: 0 if it does not fit, one by the share of people whom it fits if it
        does, and 1 where nothing is said, shape (signals, conversations, people). And of each signal
        which conversations tell it.
    """
    ratios = np.ones((len(SIGNALS), len(told), len(register)), dtype="f4")
    is_told = {name: np.zeros(len(told), dtype=bool) for name in SIGNALS}
    for row, (name, compare) in enumerate(SIGNALS.items()):
        for place, facts in enumerate(told):
            fits = compare(facts, register)
            if fits is not None:
                is_told[name][place] = True
                ratios[row, place] = fits / max(fits.mean(), 1 / len(register))
    return ratios, is_told
