"""Timestamps of machines move as plain dates do, and stay possible."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.surrogates import DateSurrogates, Mention, Scope
from components.surrogates.time.date_offset import get_offset

DATES = st.dates(dt.date(1990, 1, 1), dt.date(2035, 12, 31))
KEYS = st.integers(0, 200).map(str)
UTC = dt.timezone.utc
FORMS = [
    "%Y-%m-%d", "%Y%m%d", "%Y/%m/%d", "%Y-%j", "%Y%j", "%G-W%V-%u", "%GW%V%u", "%Y-%m-%dT14:30:05.123Z", "%Y%m%dT143005+0200",
    "%Y-%jT14:30", "%G-W%V-%uT14", "%Y%m%d143005", "%Y%m%d143005123",
]  # fmt: skip
LOGS = ["%d %b %Y", "%d/%b/%Y", "%d-%b-%Y", "%a, %d %b %Y", "%A, %d-%b-%Y"]


def replace(mentions: list[Mention], name: str) -> tuple[list[str], dt.timedelta]:
    scope = Scope(b"key", name, True, mentions={"DATE": mentions})
    days = dt.timedelta(days=get_offset(scope).days)
    return DateSurrogates().surrogates(mentions, scope), days


@pytest.mark.parametrize("form", FORMS)
@given(date=DATES, other=DATES, name=KEYS)
def test_every_form_moves_as_a_plain_date(form: str, date: dt.date, other: dt.date, name: str):
    mentions = [Mention(date.strftime(form), "Logg: "), Mention(other.isoformat(), start=60)]
    (new, plain), days = replace(mentions, name)
    assert new == (date + days).strftime(form)
    assert dt.date.fromisoformat(plain) == other + days


@pytest.mark.parametrize("form", LOGS)
@given(date=DATES, other=DATES, name=KEYS)
def test_logs_and_mail_keep_their_months_in_english(
    form: str, date: dt.date, other: dt.date, name: str
):
    text, time = date.strftime(form), ":14:30:05 +0200" if "/" in form else " 14:30:05 GMT"
    mentions = [Mention(text, "", time), Mention(other.isoformat(), start=60)]
    (new, _), days = replace(mentions, name)
    assert dt.datetime.strptime(new, form).date() == date + days
    assert new.split(",")[0] == text.split(",")[0] or "," not in text


@pytest.mark.parametrize("ticks", [1, 1000, 1_000_000])
@given(
    moment=st.datetimes(dt.datetime(2010, 1, 1), dt.datetime(2033, 1, 1), timezones=st.just(UTC)),
    name=KEYS,
)
def test_epoch_moves_by_whole_days(ticks: int, moment: dt.datetime, name: str):
    seconds = int(moment.timestamp())
    (new,), days = replace([Mention(f"{seconds * ticks}", "epoch ")], name)
    assert int(new) == (seconds + days.total_seconds()) * ticks


@given(date=DATES, other=DATES, name=KEYS)
def test_year_behind_the_time(date: dt.date, other: dt.date, name: str):
    day, year, time = date.strftime("%a %b %d"), str(date.year), " 14:30:05 CET "
    mentions = [
        Mention(day, "", f"{time}{year}"),
        Mention(year, f"{day}{time}", "", start=25),
        Mention(other.isoformat(), start=60),
    ]
    (new_day, new_year, _), days = replace(mentions, name)
    moved = dt.datetime.strptime(f"{new_day} {new_year}", "%a %b %d %Y").date()
    assert moved == date + days and new_day[:3] == day[:3]


@given(
    start=DATES, length=st.integers(1, 250), time=st.sampled_from(["", "T14:30:00Z"]),
    other=DATES, name=KEYS,
)  # fmt: skip
def test_shortened_end_of_an_interval(
    start: dt.date, length: int, time: str, other: dt.date, name: str
):
    end = start + dt.timedelta(days=length)
    first, last = f"{start:%Y-%m-%d}", f"{end:%m-%d}"
    mentions = [
        Mention(first, "", f"{time}/{last}"),
        Mention(last, f"{first}{time}/", "", start=25),
        Mention(other.isoformat(), start=60),
    ]
    (_, new, _), days = replace(mentions, name)
    assert new == f"{end + days:%m-%d}"


@given(date=DATES, name=KEYS)
def test_a_day_that_does_not_exist_stays_none(date: dt.date, name: str):
    number = 366 if date.year % 4 else 367
    (new,), _ = replace([Mention(f"{date.year}-{number}")], name)
    assert new != f"{date.year}-{number}" and new[4:] >= "-366"
