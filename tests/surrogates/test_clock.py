"""What hangs on the year of the run, and what does not."""

import datetime as dt

import pytest

from components.surrogates import Mention, PidSurrogates, Scope
from components.surrogates.time import clock
from components.surrogates.time.date_forms import parse
from components.surrogates.time.timeline import get_century

STABLE = [
    "[900101-2385|PID] [34 år|AGE] [2024-03-11|DATE] född [3 maj|DATE]",
    "[19550101-2389|PID] [tisdag 3 maj 2022|DATE] [11/3|DATE] [påsk|DATE] [7 år|AGE]",
    "[v 25|DATE] [mars|DATE] den [31:a|DATE] [2019|DATE]",
]


@pytest.fixture
def set_day(monkeypatch: pytest.MonkeyPatch):
    """Moves the clock."""

    def set_(year: int, month: int = 6, day: int = 1) -> None:
        monkeypatch.setattr(clock, "get_today", lambda: dt.date(year, month, day))

    return set_


@pytest.mark.parametrize("marked", STABLE)
def test_other_days_give_the_same(replace, set_day, marked: str, scope: str):
    outputs = set()
    for day in ((2026, 1, 1), (2026, 12, 31), (2027, 1, 1), (2032, 6, 1)):
        set_day(*day)
        outputs.add(tuple(replace(marked, conversation=scope)))
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("year", "digits", "born"),
    [(2026, "2901012385", 2029), (2026, "3101012385", 1931), (2035, "3101012385", 2031),
     (2035, "4001012385", 1940)],
)  # fmt: skip
def test_century_of_a_birth(set_day, year: int, digits: str, born: int):
    set_day(year)
    assert get_century(digits, plus=False)[:4] == str(born)
    reading = parse(f"3 maj -{digits[:2]}")
    assert reading is not None and reading.number("y") == born


def test_babies_only_get_older(set_day, scope: str):
    shifts = set()
    for year in (2026, 2035, 2041):
        set_day(year)
        scoped = Scope(b"key", scope)
        (new,) = PidSurrogates().surrogates([Mention("20200601-2381")], scoped)
        shifts.add(new)
    assert len(shifts) in (1, 2) and clock.may_be_baby(2040) and not clock.may_be_baby(2020)
    set_day(2026)
    assert clock.may_be_baby(2020) and not clock.may_be_baby(2019)


@pytest.mark.parametrize("year", [2026, 2040])
def test_messages_are_of_the_present(set_day, year: int):
    set_day(year)
    assert year in clock.get_present() and year + 9 not in clock.get_present()
