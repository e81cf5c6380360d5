import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.surrogates import AgeSurrogates, Mention, Scope
from components.surrogates.core.number_words import WORDS, spell
from components.surrogates.time.age_limits import read_limits
from tests.cases import cases
from tests.strategies import KEYS


def shift(text: str, scope: str) -> str:
    return AgeSurrogates().surrogates([Mention(text)], Scope(b"key", scope))[0]


@cases
def test_years(form):
    ages = (1, 5, 16, 17, 18, 19, 20, 44, 87, 88, 89, 90, 91, 103)
    for age, scope in product(ages, KEYS):
        new = shift(form.format(age), scope)
        number = int(re.search(r"\d+", new)[0])
        assert new == form.format(number)
        assert 1 <= abs(number - age) <= 2
        assert (number < 18) == (age < 18) and (number < 90) == (age < 90) and number > 0


@pytest.mark.parametrize("age", [1, 7, 10, 11, 12, 14, 22, 23, 24, 30])
@pytest.mark.parametrize("unit", ["månader", "mån", "man", "månad gammal"])
def test_months(age, unit):
    for scope in KEYS:
        new = int(shift(f"{age} {unit}", scope).split()[0])
        assert new != age and new > 0
        assert (new < 12) == (age < 12) and (new < 24) == (age < 24)


@pytest.mark.parametrize("text", ["1 vecka", "10 veckor", "3 dagar", "2 v", "2 dygn", "1 Dag"])
def test_weeks_and_days(text):
    for scope in KEYS:
        new = shift(text, scope)
        plural = text.split()[1].replace("vecka", "veckor").replace("Dag", "Dagar")
        assert new != text and int(new.split()[0]) > 1 and new.split()[1] == plural


@pytest.mark.parametrize("age", [*range(1, 21), *range(21, 118, 8)])
def test_words(age):
    new = shift(f"{spell(age)} år", "words")
    assert WORDS[new.removesuffix(" år")] == int(shift(f"{age} år", "words").split()[0])


@pytest.mark.parametrize("text", ["50-årsåldern", "20 årsåldern", "85-årsåldern", "15-årsåldern"])
def test_round_ages_stay_round(text):
    for scope in KEYS:
        new, old = (int(t[:2]) for t in (shift(text, scope), text))
        assert abs(new - old) == 5 and (new < 18) == (old < 18) and new < 90


def test_the_same_shift_in_a_scope():
    for scope in KEYS:
        new = [int(shift(f"{age} år", scope).split()[0]) - age for age in (25, 40, 61)]
        assert len(set(new)) == 1


@pytest.mark.parametrize("text", ["Alma", "", "femtifm år", "gammal"])
def test_what_is_no_age_does_not_stay(text):
    assert shift(text, "x") != text


@cases
def test_more_forms(scope, text, pattern):
    match = re.fullmatch(pattern, shift(text, scope))
    assert match and match[1].lower() != re.findall(r"\w+", text.lower())[0]


@pytest.mark.parametrize("text", ["tonåring", "Tonåringen", "bebis", "pensionärer", "vuxen"])
def test_stage_of_life_is_no_age(text):
    mention, scope = Mention(text), Scope(b"key", "c")
    assert AgeSurrogates().surrogates([mention], scope) == [text]
    assert AgeSurrogates().keeps(mention, scope) and not AgeSurrogates().keeps(Mention("5"), scope)


@pytest.mark.parametrize("named", [False, True])
@cases
def test_no_age_crosses_a_limit_beside_it(scope, named, age, before, after, low, high):
    mention = Mention(str(age), before, after)
    mentions = {"AGE": [mention, Mention(f"{age} år", start=90)]} if named else {}
    own = Scope(b"key", scope, mentions=mentions)
    new = AgeSurrogates().surrogates([mention], own)
    assert low <= int(new[0]) <= high and int(new[0]) != age
    if named:
        assert AgeSurrogates().surrogates(mentions["AGE"], own) == [new[0], f"{new[0]} år"]


@cases
def test_no_age_leaves_its_story(age, before, after, low, high):
    for scope in KEYS:
        mention = Mention(str(age), before, after)
        for mentions in ({}, {"AGE": [mention]}, {"AGE": [mention, Mention(f"{age} år", "", "")]}):
            own = Scope(b"key", scope, mentions=mentions)
            (new,) = AgeSurrogates().surrogates([mention], own)
            assert low <= int(new) <= high and int(new) != age


@pytest.mark.parametrize("age, high", [(2, 5), (5, 5), (6, 11), (11, 11), (12, 23)])
def test_babies_stay_as_old_as_their_milestones(scope, age, high):
    new = int(shift(f"{age} mån", scope).split()[0])
    assert new != age and new <= high and (new < 6) == (age < 6)


@cases
def test_what_is_no_limit(text):
    assert read_limits(Mention("34", text + " ")) == ()


def test_age_between_limits_that_leave_no_other(scope):
    mention = Mention("40", "från 40 år men under 41 år, ")
    assert AgeSurrogates().surrogates([mention], Scope(b"key", scope)) != ["40"]


@cases
def test_bands(text, band):
    mention, scope = Mention(text), Scope(b"key", "c")
    ages = AgeSurrogates("bands")
    assert ages.surrogates([mention], scope) == [band]


@pytest.mark.parametrize("between", [", snart ", " snart ", " år, fyller snart ", " och blir "])
@pytest.mark.parametrize("whole", [True, False])
@given(now=st.integers(1, 98), more=st.integers(1, 2), name=st.integers(0, 200).map(str))
def test_what_somebody_is_soon_keeps_its_distance(between, whole, now, more, name):
    first = str(now)
    mentions = [
        Mention(first, "Han är ", f"{between}{now + more}", 0, 7),
        Mention(str(now + more), f"Han är {first}{between}", "", 0, 7 + len(first) + len(between)),
    ]
    scope = Scope(b"key", name, True, mentions={"AGE": mentions}, whole=whole)
    ages = [int(age) for age in AgeSurrogates().surrogates(mentions, scope)]
    assert ages[1] - ages[0] == more and ages[0] != now


@given(ages=st.sets(st.integers(3, 15), min_size=2), name=st.integers(0, 200).map(str))
def test_children_keep_their_distance(ages, name):
    mentions = [Mention(str(age), start=5 * i) for i, age in enumerate(sorted(ages))]
    scope = Scope(b"key", name, True, mentions={"AGE": mentions}, whole=True)
    new = [int(age) for age in AgeSurrogates().surrogates(mentions, scope)]
    assert len({after - before for after, before in zip(new, sorted(ages))}) == 1
