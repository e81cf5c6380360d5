import datetime as dt

import pytest

from components.surrogates import DateSurrogates, Mention, Scope
from components.surrogates.time.date_offset import get_offset
from components.surrogates.time.holidays import NAMED_DAYS, SELDOM, get_easter, read_holiday
from tests.cases import read_cases
from tests.strategies import KEYS

CASES = read_cases(__file__)


def replace(text: str, scope: str, before: str = "") -> str:
    return DateSurrogates().surrogates([Mention(text, before)], Scope(b"key", scope))[0]


@pytest.mark.parametrize("year, month, day", CASES["test_easter"])
def test_easter(year, month, day):
    assert get_easter(year) == dt.date(year, month, day)


@pytest.mark.parametrize("name, year, date", CASES["test_date_of_a_named_day"])
def test_date_of_a_named_day(name, year, date):
    assert NAMED_DAYS[name].get_date(year) == dt.date(year, *date)


@pytest.mark.parametrize("name", NAMED_DAYS)
def test_another_holiday_of_the_season(name):
    old = NAMED_DAYS[name]
    for scope in KEYS:
        holiday = read_holiday(replace(name, scope))
        assert holiday and not holiday.ending
        new = holiday.day
        assert new.form == old.form and new.stem != old.stem and new.name not in SELDOM
        if old.form == 0:
            away = (new.get_date(2025) - old.get_date(2025)).days
            assert min(away % 365.25, -away % 365.25) <= 110


@pytest.mark.parametrize("text, before", CASES["test_greetings_fit_any_season"])
def test_greetings_fit_any_season(scope, text, before):
    assert replace(text, scope, before).lower() == "helg"
    assert replace(text, scope).lower() != "helg"


@pytest.mark.parametrize("year", [2019, 2023])
def test_year_behind_a_holiday(scope, year):
    holiday = read_holiday(replace(f"julafton {year}", scope))
    moved = dt.date(year, 12, 24) + dt.timedelta(days=get_offset(Scope(b"key", scope)).days)
    assert abs(holiday.day.get_date(int(holiday.year)) - moved).days <= 50


@pytest.mark.parametrize("text, ending", CASES["test_what_is_glued_to_a_holiday_stays"])
def test_what_is_glued_to_a_holiday_stays(text, ending):
    for scope in KEYS:
        new = replace(text, scope)
        assert new != text and new.endswith(ending) and new[0].isupper() == text[0].isupper()
        assert read_holiday(new).ending == ending
