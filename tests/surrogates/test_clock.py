"""What depends on the year of the run, and what does not."""

import datetime as dt

import pytest

from components.surrogates import Mention, PidSurrogates, Scope
from components.surrogates.time import clock
from components.surrogates.time.date_forms import parse
from components.surrogates.time.timeline import get_century
from tests.cases import cases


@pytest.fixture
def set_day(monkeypatch: pytest.MonkeyPatch):
    """Moves the clock."""

    def set_(year: int, month: int = 6, day: int = 1) -> None:
        monkeypatch.setattr(clock, "get_today", lambda: dt.date(year, month, day))

    return set_


@cases
def test_other_days_give_the_same(replace, set_day, scope: str, marked: str):
    outputs = set()
    for day in ((2026, 1, 1), (2026, 12, 31), (2027, 1, 1), (2032, 6, 1)):
        set_day(*day)
        outputs.add(tuple(replace(marked, conversation=scope)))
    assert len(outputs) == 1


@cases
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
