"""Dates and ages."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.surrogate_checks.ages import check_ages, check_ages_and_births, check_stories
from lab.surrogate_checks.calendar import read_age, read_date
from lab.surrogate_checks.times import (
    check_distances,
    check_languages,
    check_partial_distances,
    check_seasons,
    check_weekdays,
    check_years,
)
from lab.tests.surrogate_checks.talks import tell


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2022-03-11", (2022, 3, 11, None)),
        ("20220311", (2022, 3, 11, None)),
        ("220311", (2022, 3, 11, None)),
        ("470311", (1947, 3, 11, None)),
        ("11/3", (None, 3, 11, None)),
        ("11/3 -22", (2022, 3, 11, None)),
        ("11/3-2022", (2022, 3, 11, None)),
        ("11.3.2022", (2022, 3, 11, None)),
        ("11:e mars", (None, 3, 11, None)),
        ("den 3 Maj 2021", (2021, 5, 3, None)),
        ("5 nov -23", (2023, 11, 5, None)),
        ("tisdag 3 maj", (None, 5, 3, 1)),
        ("fredag den 8 mars", (None, 3, 8, 4)),
        ("mån 3/2", (None, 2, 3, 0)),
        ("May 9, 2024", (2024, 5, 9, None)),
        ("mars", (None, 3, None, None)),
        ("maj 2021", (2021, 5, None, None)),
        ("2019", (2019, None, None, None)),
        ("3-5 maj", None),
        ("vecka 25", None),
        ("julafton", None),
        ("augusti", (None, 8, None, None)),
        ("sept", (None, 9, None, None)),
        ("31/31", None),
        ("11/0", None),
    ],
)
def test_read_date(text, read):
    assert read_date(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("55 år", (55, "years", " ar")),
        ("55-årig", (55, "years", "-ar")),
        ("fyrtiosju", (47, "years", "")),
        ("tjugoett år", (21, "years", " år")),
        ("sextifyra", (64, "years", "")),
        ("8 mån", (8, "months", "")),
        ("6 dagar", (6, "days", "")),
        ("3,5 år", (3, "years", " år")),
        ("3 v", (3, "weeks", "")),
        ("gammal", None),
    ],
)
def test_read_age(text, read):
    found = read_age(text)
    assert (found and found[:2]) == (read and read[:2])


DATES = st.dates(dt.date(2000, 1, 1), dt.date(2030, 12, 31))
SHIFT = st.integers(-400, 400).filter(bool)


@given(DATES, DATES, SHIFT)
def test_distances(one, other, days):
    moved, again = (date + dt.timedelta(days) for date in (one, other))
    assert tell(check_distances, f"{one} > {moved}; {other} > {again}", "DATE") == (2, 0)
    wrong = again + dt.timedelta(1)
    assert tell(check_distances, f"{one} > {moved}; {other} > {wrong}", "DATE") == (2, 1)


@given(DATES, st.integers(0, 300), st.integers(-56, 56).filter(bool))
def test_distances_without_a_year(one, distance, weeks):
    other = one + dt.timedelta(distance)
    moved, again = (date + dt.timedelta(7 * weeks) for date in (one, other))
    first, second, new, last = (f"{d.day}/{d.month}" for d in (one, other, moved, again))
    assert tell(check_partial_distances, f"{first} > {new}; {second} > {last}", "DATE") == (1, 0)
    wrong = again + dt.timedelta(3)
    pairs = f"{first} > {new}; {second} > {wrong.day}/{wrong.month}"
    assert tell(check_partial_distances, pairs, "DATE") == (1, 1)


def test_births_are_no_dates_of_the_conversation():
    pairs = "1980-02-03 > 1981-05-09; 2022-03-11 > 2022-04-08"
    assert tell(check_distances, pairs, "DATE")[1] == 1
    assert tell(check_distances, f"{pairs}; PID: 800203-1234 > 810509-2382", "DATE") == (0, 0)
    assert tell(check_distances, pairs, "DATE", before="född ") == (0, 0)


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("2022-03-11 > 2022-04-08", (1, 0)),
        ("2022-03-11 > 2022-04-09", (1, 1)),
        ("tisdag 3 maj > tisdag 7 juni", (1, 0)),
        ("tisdag 3 maj > onsdag 7 juni", (1, 1)),
        ("tisdag 3 maj > 7 juni", (1, 1)),
        ("tisdag 3 maj 2022 > tisdag 7 juni 2022", (2, 0)),
        ("tisdag 3 maj 2022 > tisdag 8 juni 2022", (2, 1)),
        # It was wrong before.
        ("onsdag 3 maj 2022 > onsdag 8 juni 2022", (1, 0)),
        ("3 maj > 7 juni", (0, 0)),
    ],
)
def test_weekdays(pairs, counts):
    assert tell(check_weekdays, pairs, "DATE") == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("3 maj > 28 juni", (1, 0)),
        ("3 maj > 28 augusti", (1, 1)),
        ("20 december > 31/1", (1, 0)),
        ("2022-06-20 > 2023-01-02", (1, 1)),
        ("juni > augusti", (1, 0)),
        ("juni 2020 > november 2020", (1, 1)),
        ("2019 > 2020", (0, 0)),
    ],
)
def test_seasons(pairs, counts):
    assert tell(check_seasons, pairs, "DATE") == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("2019 > 2020", (1, 0)),
        ("2019 > 1820", (1, 1)),
        ("1987 > 2037", (1, 1)),
        ("2019 > 20", (1, 1)),
        ("2019 > maj", (1, 1)),
        ("87 > 89", (1, 0)),
        ("-87 > 1989", (1, 1)),
        ("87 > 9", (1, 1)),
        # A day
        ("18 > 2", (0, 0)),
        ("3 maj > 4 juni", (0, 0)),
    ],
)
def test_years(pairs, counts):
    assert tell(check_years, pairs, "DATE") == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("55 år > 57 år", (1, 0)),
        ("55-åring > 57-åring", (1, 0)),
        ("femtiofem år > femtiosju år", (1, 0)),
        ("55 år > 57-årig", (1, 1)),
        ("55 år > 75 år", (1, 1)),
        ("17 år > 18 år", (1, 1)),
        ("18 år > 17 år", (1, 1)),
        ("17 mån > 18 mån", (1, 0)),
        ("8 mån > 8 år", (1, 1)),
        ("55 år > gammal", (1, 1)),
        ("gammal > 75 år", (0, 0)),
    ],
)
def test_ages(pairs, counts):
    assert tell(check_ages, pairs, "AGE") == counts


PID = "PID: 19800203-1234 > 19820304-2382"


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        (f"{PID}; 42 år > 40 år", (1, 0)),
        (f"{PID}; 42 år > 44 år", (1, 1)),
        ("PID: 800203-1234 > 820304-2382; 42 år > 40 år", (1, 0)),
        ("PID: 200203+1234 > 220304+2382; 102 år > 100 år", (1, 0)),
        # All of it some years ago
        (f"{PID}; 42 år > 37 år", (1, 0)),
        (f"{PID}; 42 år > 25 år", (1, 1)),
        (f"{PID}; DATE: 2022-05-01 > 2017-06-05; 42 år > 35 år", (1, 0)),
        (f"{PID}; DATE: 2022-05-01 > 2017-06-05; 42 år > 40 år", (1, 1)),
        # Somebody else's
        (f"{PID}; 12 år > 13 år", (0, 0)),
        (f"{PID}; 8 mån > 9 mån", (0, 0)),
        ("PID: 1234 > 2382; 42 år > 44 år", (0, 0)),
        # The dates tell when it was.
        (f"{PID}; DATE: 2022-05-01 > 2022-06-05; 42 år > 40 år", (1, 0)),
        (f"{PID}; DATE: 2028-05-01 > 2028-06-05; 42 år > 44 år", (0, 0)),
        # Either may be meant.
        (f"{PID}; PID: 19790203-1234 > 19820304-2382; 42 år > 44 år", (0, 0)),
    ],
)
def test_ages_and_numbers(pairs, counts):
    assert tell(check_ages_and_births, pairs, "AGE") == counts


@pytest.mark.parametrize(("age", "failed"), [("40 år", 0), ("44 år", 1)])
def test_ages_and_birth_dates(age, failed):
    pairs = f"DATE: 1980-02-03 > 1982-03-04; 42 år > {age}"
    assert tell(check_ages_and_births, pairs, "AGE", before="född den ") == (1, failed)


@pytest.mark.parametrize(
    ("pair", "before", "found"),
    [
        ("2 Nov > 8 Dec", "on ", (1, 0)),
        ("30 April > 8 Maj", "until ", (1, 1)),
        ("Monday, April 3 > Monday, May 9", "", (1, 0)),
        ("3 april > 9 maj", "den ", (0, 0)),
        ("3 de abril > 9 de mayo", "el ", (1, 0)),
        ("3 de abril > 9 de maj", "el ", (1, 1)),
    ],
)
def test_languages(pair, before, found):
    assert tell(check_languages, pair, label="DATE", before=before) == found


@pytest.mark.parametrize(
    ("pair", "before", "found"),
    [
        ("7 år > 8 år", "går i åk 1, är ", (1, 0)),
        ("6 > 8", "på dagis, är ", (1, 1)),
        ("78 > 77", "dement, ", (1, 0)),
        ("45 > 46", "dement mamma, är ", (0, 0)),
        ("8 mån > 9 mån", "på bvc, ", (0, 0)),
    ],
)
def test_stories(pair, before, found):
    assert tell(check_stories, pair, label="AGE", before=before) == found


def test_years_in_two_digits():
    assert tell(check_ages, "99 > 101", label="AGE") == (1, 1)
    assert tell(check_ages, "99 > 97", label="AGE") == (1, 0)
    assert tell(check_years, "85-03 > 58-06; 85-03 > 14-26; 9811 > 9412", label="DATE") == (3, 1)
