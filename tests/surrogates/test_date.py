import datetime as dt
import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.surrogates import DateSurrogates, Mention, Scope
from components.surrogates.time.date_forms import parse
from components.surrogates.time.date_offset import OFFSETS, get_offset
from components.surrogates.time.holidays import NAMED_DAYS
from tests.cases import cases
from tests.strategies import KEYS

MONTHS = "januari februari mars april maj juni juli augusti september oktober november december"


def replace(texts: list[str], scope: str) -> list[str]:
    return DateSurrogates().surrogates([Mention(text) for text in texts], Scope(b"key", scope))


def shift(text: str, scope: str) -> str:
    return replace([text], scope)[0]


@cases
def test_form_is_kept_and_value_changed(scope, text, form):
    new = shift(text, scope)
    assert re.fullmatch(form, new), new
    assert new != text


def test_offsets_keep_the_season_and_cannot_be_guessed():
    assert len(OFFSETS) >= 40 and {
        get_offset(Scope(b"key", str(i))).weeks for i in range(2000)
    } == {offset.weeks for offset in OFFSETS}
    for offset in OFFSETS:
        assert offset.years < 0 and offset.days == 7 * offset.weeks
        for day in (dt.date(2021, 1, 1) + dt.timedelta(days=n) for n in range(4 * 365)):
            if (day.month, day.day) == (2, 29):
                continue
            new = day + dt.timedelta(days=offset.days)
            assert new.day != day.day  # `den 4:e` never stays
            assert 28 <= abs((new - day.replace(year=day.year + offset.years)).days) <= 56


def test_under_each_offset_every_month_has_one_of_its_own():
    for offset, year in product(OFFSETS, range(2021, 2025)):
        days = dt.timedelta(days=offset.days)
        moved = [dt.date(year, month, 15) + days for month in range(1, 13)]
        months = [12 * date.year + date.month for date in moved]
        assert months == [*range(months[0], months[0] + 12)]
        assert (months[0] - 1) % 12 in (1, 2, 10, 11)


@pytest.mark.parametrize("text", ["31/2", "30/2", "31/4", "31/6", "31/9", "31/11", "45/13", "3/17"])
def test_impossible_stays_impossible(scope, text):
    day, month = map(int, shift(text, scope).split("/"))
    with pytest.raises(ValueError):
        dt.date(2024, month, day)


@given(
    st.sets(st.sampled_from([day.name for day in NAMED_DAYS.values() if day.form == 0]), max_size=8)
)
def test_named_days_stay_apart(scope, names):
    new = replace([*names], scope)
    assert len(set(new)) == len(names) and not set(new) & names


def test_range_across_a_month(scope):
    new = shift("28-30 april", scope)
    days = re.fullmatch(r"(\d+)(?: ([a-z]+))?-(\d+) ([a-z]+)", new)
    months = MONTHS.split()
    first = dt.date(2026, months.index(days[2] or days[4]) + 1, int(days[1]))
    last = dt.date(2026, months.index(days[4]) + 1, int(days[3]))
    assert (last - first).days in (2, 2 - 365)


@pytest.mark.parametrize("year", [2020, 2021, 2024])
def test_weeks_keep_their_distance_across_new_year(scope, year):
    """Of the calendar: 2020 had 53 weeks."""
    days = dt.timedelta(weeks=get_offset(Scope(b"key", scope)).weeks)
    texts = [f"v. {n}" for n in range(1, 53)]
    *new, _ = replace([*texts, f"{year}-06-01"], scope)
    weeks = [(dt.date.fromisocalendar(year, n, 4) + days).isocalendar().week for n in range(1, 53)]
    assert new == [f"v. {week}" for week in weeks] and len({*new}) == 52


def test_day_alone_is_of_the_date_with_that_day(scope):
    mentions = [
        Mention("22 augusti", message=0, start=10), Mention("27", message=0, start=30),
        Mention("fredag 27 juni", message=1, start=5), Mention("3 maj", message=1, start=50),
        Mention("27:e", message=1, start=60),
    ]  # fmt: skip
    _, here, whole, _, there = DateSurrogates().surrogates(mentions, Scope(b"key", scope))
    weeks = dt.timedelta(weeks=get_offset(Scope(b"key", scope)).weeks)
    assert int(here) == (dt.date(2025, 8, 27) + weeks).day
    assert there.split(":")[0] == whole.split()[1]


def test_impossible_dates_stay_apart(scope):
    texts = ["30/2", "31/2", "31/4", "31/6", "31/9", "31/11"]
    new = replace(texts, scope)
    assert sorted(new) == sorted(texts) and all(a != b for a, b in zip(texts, new))


def test_parse_nothing():
    assert parse("ingenting") is None


@pytest.mark.parametrize("text", ["12/99", "1/98", "3/2024", "03/1987"])
def test_month_and_year_with_a_slash(scope, text):
    month, year = map(int, shift(text, scope).split("/"))
    before = dt.date(
        int(text.split("/")[1]) + (1900 if len(text) < 6 else 0), int(text.split("/")[0]), 15
    )
    moved = dt.date(year + (1900 if len(text) < 6 else 0), month, 15) - before
    weeks = get_offset(Scope(b"key", scope)).weeks
    assert abs(moved.days - 7 * weeks) <= 31


@pytest.mark.parametrize("text", ["20/21", "vintern 15/16", "12/13"])
def test_two_years_with_a_slash(scope, text):
    one, other = (int(year) for year in shift(text, scope).split()[-1].split("/"))
    assert other == one + 1 and 0 < int(text.split("/")[1]) - other <= 8


@cases
def test_language_of_a_month(before, text, after, pattern):
    for scope in KEYS:
        mention = Mention(text, before, after)
        (new,) = DateSurrogates().surrogates([mention], Scope(b"key", scope))
        assert re.fullmatch(pattern, new) and new != text, new


@pytest.mark.parametrize("before", ["", "född "])
@pytest.mark.parametrize("text", ["85-03", "8503", "98 11", "0512"])
def test_a_month_becomes_no_year(text, before):
    for scope in KEYS:
        (new,) = DateSurrogates().surrogates([Mention(text, before)], Scope(b"key", scope))
        assert new[2:-2] == text[2:-2] and len(new) == len(text) and 1 <= int(new[-2:]) <= 12, new


def test_years_of_birth_in_two_digits_move_alike():
    for scope in KEYS:
        mentions = [Mention("98", "Elsa född "), Mention("01", "Elsa född 98 och Moa ")]
        new = DateSurrogates().surrogates(mentions, Scope(b"key", scope))
        assert all(re.fullmatch(r"\d\d", year) for year in new)
        assert (int(new[1]) - int(new[0])) % 100 == 3
