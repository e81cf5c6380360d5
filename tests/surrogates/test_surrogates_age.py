import re

import pytest

from components.surrogates import AgeSurrogates, Mention, Scope
from components.surrogates.number_words import WORDS, spell

SCOPES = [f"scope {i}" for i in range(12)]
FORMS = [
    "{} år",
    "{}",
    "{}-årig",
    "{}-åring",
    "{} åring",
    "{}årig",
    "{}åriga",
    "{}-årige",
    "{} ÅR",
    "{} years",
    "ca {} år",
    "{}år",
    "{} års ålder",
    "{} y",
    "{}+",
    "{}-års åldern",
    "{} årig",
    "{} aar",
    "{} y.o.",
    "{}-åriga",
    "{} bast",
    "({})",
    "{} year old",
]


def shift(text: str, scope: str) -> str:
    return AgeSurrogates().surrogates([Mention(text)], Scope(b"key", scope))[0]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("age", [1, 5, 16, 17, 18, 19, 20, 44, 87, 88, 89, 90, 91, 103])
def test_years(form, age):
    for scope in SCOPES:
        new = shift(form.format(age), scope)
        number = int(re.search(r"\d+", new)[0])
        assert new == form.format(number)
        assert 1 <= abs(number - age) <= 2
        assert (number < 18) == (age < 18) and (number < 90) == (age < 90) and number > 0


@pytest.mark.parametrize("age", [1, 7, 10, 11, 12, 14, 22, 23, 24, 30])
@pytest.mark.parametrize("unit", ["månader", "mån", "man", "månad gammal"])
def test_months(age, unit):
    for scope in SCOPES:
        new = int(shift(f"{age} {unit}", scope).split()[0])
        assert new != age and new > 0
        assert (new < 12) == (age < 12) and (new < 24) == (age < 24)


@pytest.mark.parametrize("text", ["1 vecka", "10 veckor", "3 dagar", "2 v", "2 dygn", "1 Dag"])
def test_weeks_and_days(text):
    for scope in SCOPES:
        new = shift(text, scope)
        plural = text.split()[1].replace("vecka", "veckor").replace("Dag", "Dagar")
        assert new != text and int(new.split()[0]) > 1 and new.split()[1] == plural


@pytest.mark.parametrize("age", range(1, 118))
def test_words(age):
    new = shift(f"{spell(age)} år", "words")
    assert WORDS[new.removesuffix(" år")] == int(shift(f"{age} år", "words").split()[0])


@pytest.mark.parametrize(
    "text", ["Femtiofem", "femtifem", "femtifem år", "sjuåring", "tvååring", "åttiotre-årig", "FEM"]
)
def test_words_in_other_forms(text):
    for scope in SCOPES:
        new = shift(text, scope)
        assert new.lower() != text.lower()
        assert new.isupper() == text.isupper() and new[0].isupper() == text[0].isupper()


@pytest.mark.parametrize("text", ["50-årsåldern", "20 årsåldern", "85-årsåldern", "15-årsåldern"])
def test_round_ages_stay_round(text):
    for scope in SCOPES:
        new, old = (int(t[:2]) for t in (shift(text, scope), text))
        assert abs(new - old) == 5 and (new < 18) == (old < 18) and new < 90


@pytest.mark.parametrize("text", ["3,5 år", "5.5 år"])
def test_decimals_stay(text):
    assert shift(text, "x")[1:] == text[1:]


@pytest.mark.parametrize("text", ["3-4 år", "1 år och 3 månader"])
def test_several_numbers(text):
    for scope in SCOPES:
        assert re.sub(r"\d+", "0", shift(text, scope)) == re.sub(r"\d+", "0", text)


def test_the_same_shift_in_a_scope():
    for scope in SCOPES:
        new = [int(shift(f"{age} år", scope).split()[0]) - age for age in (25, 40, 61)]
        assert len(set(new)) == 1


@pytest.mark.parametrize("text", ["Alma", "", "femtifm år", "gammal"])
def test_what_is_no_age_does_not_stay(text):
    assert shift(text, "x") != text
