"""One calendar for a conversation: distances are exact to the day, weekdays are true."""

import datetime as dt
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from components.surrogates import DateSurrogates, Mention, Scope
from components.surrogates.core.number_words import ORDINALS, spell
from components.surrogates.time.date_forms import parse
from components.surrogates.time.date_offset import get_offset
from components.surrogates.time.date_patterns import MONTH_FORMS, WEEKDAY_FORMS
from components.surrogates.time.implied_dates import get_reference
from tests.cases import cases

DATES = st.dates(dt.date(1900, 1, 1), dt.date(2100, 12, 31))
NEAR = st.timedeltas(dt.timedelta(days=-92), dt.timedelta(days=92))


def write_year(year: int) -> str:
    heads = {18: "artonhundra", 19: "nittonhundra", 20: "tjugohundra"}
    head, rest = heads.get(year // 100), year % 100
    return (head + (spell(rest) if rest else "")) if head else str(year)


FULL = {
    "iso": lambda d: d.isoformat(),
    "compact": lambda d: f"{d:%Y%m%d}",
    "slash": lambda d: f"{d.day}/{d.month}/{d.year}",
    "dots": lambda d: f"{d.day}.{d.month}.{d.year}",
    "month": lambda d: f"{d.day} {MONTH_FORMS[0][d.month]} {d.year}",
    "short": lambda d: (
        f"{d.day}:{'a' if d.day in (1, 2, 21, 22, 31) else 'e'} {MONTH_FORMS[0][d.month]} {d.year}"
    ),
    "weekday": lambda d: f"{WEEKDAY_FORMS[0][d.weekday()]} {d.day}/{d.month} {d.year}",
    "words": lambda d: f"{ORDINALS[d.day - 1]} {MONTH_FORMS[0][d.month]} {write_year(d.year)}",
    "spoken": lambda d: f"{ORDINALS[d.day - 1]} i {ORDINALS[d.month - 1]} {write_year(d.year)}",
}
SHORT = {
    "slash": lambda d: f"{d.day}/{d.month}",
    "month": lambda d: f"{d.day} {MONTH_FORMS[0][d.month]}",
    "words": lambda d: f"{ORDINALS[d.day - 1]} {MONTH_FORMS[0][d.month]}",
    "weekday": lambda d: f"{WEEKDAY_FORMS[0][d.weekday()]} {d.day} {MONTH_FORMS[0][d.month]}",
}


def replace(texts: list[str], scope: str, conversation: bool = False) -> list[str]:
    mentions = [Mention(text, message=i % 3, start=20 * i) for i, text in enumerate(texts)]
    whole = Scope(b"key", scope, conversation, mentions={"DATE": mentions}, whole=True)
    return DateSurrogates().surrogates(mentions, whole)


def move(date: dt.date, scope: str, conversation: bool = False) -> dt.date:
    return date + dt.timedelta(days=get_offset(Scope(b"key", scope, conversation)).days)


@given(st.lists(st.tuples(DATES, st.sampled_from(sorted(FULL))), min_size=2, max_size=6))
def test_distances_of_full_dates(scope, dates):
    # Nobody speaks of 2100 yet.
    dates = [(date, form if date.year < 2100 else "iso") for date, form in dates]
    new = replace([FULL[form](date) for date, form in dates], scope)
    assert new == [FULL[form](move(date, scope)) for date, form in dates]
    moved = [dt.date(*parse(text).whole) for text in new]
    for (one, (old, _)), (other, (older, _)) in pairwise(zip(moved, dates)):
        assert other - one == older - old


@given(DATES, NEAR, st.sampled_from(sorted(FULL)), st.sampled_from(sorted(SHORT)))
def test_distances_of_dates_without_a_year(scope, date, away, full, short):
    """They are of the year that brings them next to the full date."""
    # Nobody speaks of 2100 yet.
    assume(date.year < 2100 or full not in ("spoken", "words"))
    other = date + away
    # `första maj` is a named day.
    assume(short != "words" or (other.month, other.day) != (5, 1))
    new = replace([FULL[full](date), SHORT[short](other)], scope)
    assert new == [FULL[full](move(date, scope)), SHORT[short](move(other, scope))]


@given(DATES, DATES, st.sampled_from(sorted(SHORT)))
def test_dates_without_a_year_are_of_the_year_that_is_told(scope, date, other, short):
    assume((other.month, other.day) != (2, 29))
    assume(short != "words" or (other.month, other.day) != (5, 1))
    other = other.replace(year=date.year)
    assume(abs(date - other).days < 365 - 92)
    new = replace([SHORT[short](other), date.isoformat()], scope)
    assert new[0] == SHORT[short](move(other, scope))


@pytest.mark.parametrize("short", SHORT)
def test_leap_day(scope, short):
    days = [dt.date(2024, 2, 28), dt.date(2024, 2, 29), dt.date(2024, 3, 1)]
    told = replace([*map(SHORT[short], days), "2024-04-02"], scope)[:3]
    untold = replace([*map(SHORT[short], days)], scope)
    assert told == untold == [SHORT[short](move(day, scope)) for day in days]


def test_days_without_a_year_follow_one_another(scope):
    """From the first to the last of a year that nothing tells, as in any common year."""
    offset = get_offset(Scope(b"key", scope))
    year = get_reference(offset.years)
    days = [dt.date(year, 1, 1) + dt.timedelta(days=n) for n in range(365)]
    new = replace([SHORT["slash"](day) for day in days], scope)
    assert new == [SHORT["slash"](move(day, scope)) for day in days] and len({*new}) == 365


@pytest.mark.parametrize("apart", [1, 3])
@cases
def test_day_alone_moves_with_the_month_of_the_conversation(scope, apart, date, text, day):
    new = replace([date, *["2023-01-05"] * (apart - 1), text], scope)
    moved = move(dt.date.fromisoformat(day), scope)
    reading = parse(new[-1])
    assert reading and reading.number("d") == moved.day


def test_weeks_are_those_of_the_dates_in_them(scope):
    week, day, written = replace(["v. 25", "2024-06-20", "v. 25 2024"], scope)
    calendar = dt.date.fromisoformat(day).isocalendar()
    assert week == f"v. {calendar.week}" and written == f"{week} {calendar.year}"


@pytest.mark.parametrize("year", [2021, 2022, 2023, 2024])
def test_months_are_those_of_their_middle(scope, year):
    texts = [f"{MONTH_FORMS[0][month]} {year}" for month in range(1, 13)]
    middles = [move(dt.date(year, month, 15), scope) for month in range(1, 13)]
    new = [f"{MONTH_FORMS[0][day.month]} {day.year}" for day in middles]
    assert replace(texts, scope) == new and len({*new}) == 12
    bare = replace([*MONTH_FORMS[0].values(), f"{year}-06-01"], scope)[:12]
    assert bare == [MONTH_FORMS[0][day.month] for day in middles]


@cases
def test_seasons_keep_their_name_and_move_by_years(scope, form):
    years = get_offset(Scope(b"key", scope)).years
    written = form.replace("{:.2}", "{}")
    old, new = ("19", f"{19 + years:02d}") if form != written else (2019, 2019 + years)
    assert replace([written.format(old)], scope) == [written.format(new)]


@cases
def test_years_in_other_forms(scope, text, form):
    (new,) = replace([text], scope)
    written = [int(n) for n in "".join(c if c.isdigit() else " " for c in new).split()]
    assert new == form.format(*written) and new != text
    if len(written) == 2:
        assert written[1] - written[0] == (2 if text.startswith("2019") else 1)


def test_school_year_alone():
    mentions = [Mention("22/23", "läsåret "), Mention("22/23")]
    scope = Scope(b"key", "c")
    new = DateSurrogates().surrogates(mentions, scope)
    years = get_offset(scope).years
    # Neither a day and a month nor a month and a year: two years without the word, too.
    assert new == [f"{22 + years}/{23 + years}"] * 2


@cases
@pytest.mark.parametrize("dash", ["-", " - ", " till ", " – "])
def test_ranges_keep_their_length(scope, dash, left, right):
    (new,) = replace([left + dash + right], scope)
    year = parse(right).number("y")
    first = parse(left)
    started = year - (first.number("m") > parse(right).number("m"))
    day = dt.date(started, first.number("m"), first.number("d") or 15)
    moved = move(day, scope)
    assert new.count(dash) == 1
    reading = parse(new.split(dash)[0])
    assert reading.number("m") == moved.month
    assert first.number("d") is None or reading.number("d") == moved.day


@pytest.mark.parametrize("whole", [False, True])
def test_offset_is_the_same_whatever_is_at_hand(scope, whole):
    texts = ["2024-06-20", "julafton 2023", "1987-03-12"]
    for text in texts[::2]:
        own = Scope(b"key", scope, True, mentions={"DATE": [Mention(text)]}, whole=whole)
        (new,) = DateSurrogates().surrogates([Mention(text)], own)
        assert dt.date.fromisoformat(new) == move(dt.date.fromisoformat(text), scope, True)


@pytest.mark.parametrize("text", ["tisdag", "Fredagen", "i somras", "sommaren", "på tisdag kväll"])
def test_weekdays_and_seasons_tell_no_date(scope, text):
    own = Scope(b"key", scope)
    assert DateSurrogates().surrogates([Mention(text)], own) == [text]
    assert DateSurrogates().keeps(Mention(text), own)


@cases
def test_coarse_dates_are_true(text, month, year):
    for mode, expected in (("month", month), ("year", year)):
        dates = DateSurrogates(mode)
        assert dates.surrogates([Mention(text)], Scope(b"key", "c")) == [expected]


def test_coarse_year_that_the_conversation_tells():
    mentions = [Mention("11/3"), Mention("mars"), Mention("2024-05-02")]
    new = DateSurrogates("year").surrogates(mentions, Scope(b"key", "c"))
    assert new == ["2024", "2024", "2024"]


@cases
def test_weekdays_tell_the_year_of_the_same_date_elsewhere(scope, others, day):
    date = dt.date.fromisoformat(day)
    texts = [SHORT["weekday"](date), SHORT["slash"](date)]
    new = replace([*texts, *others], scope)[:2]
    assert new == [SHORT["weekday"](move(date, scope)), SHORT["slash"](move(date, scope))]


@cases
def test_dash_in_front_makes_a_year(scope, text, before):
    own = Scope(b"key", scope)
    (new,) = DateSurrogates().surrogates([Mention(text, before)], own)
    assert new == f"{(int(text) + get_offset(own).years) % 100:02d}"


@cases
def test_which_dates_are_the_same(one, other, same):
    names = DateSurrogates().identities([Mention(one), Mention(other)])
    assert (names[0] == names[1]) == same


@pytest.mark.parametrize("text", ["April 11th", "November 2nd", "September 23rd", "1st August"])
def test_english_dates_stay_english(scope, text):
    (new,) = replace([text], scope)
    assert {*MONTH_FORMS[2].values()} & {*new.lower().split()} and new != text
