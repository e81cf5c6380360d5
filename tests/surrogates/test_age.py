import re
from itertools import product

import pytest

from components.surrogates import AgeSurrogates, Mention, Scope
from components.surrogates.core.number_words import WORDS, spell
from components.surrogates.time.age_limits import read_limits
from tests.strategies import KEYS

FORMS = [
    "{} år", "{}", "{}-årig", "{}-åring", "{} åring", "{}årig", "{}åriga", "{}-årige", "{} ÅR",
    "{} years", "ca {} år", "{}år", "{} års ålder", "{} y", "{}+", "{}-års åldern", "{} årig",
    "{} aar", "{} y.o.", "{}-åriga", "{} bast", "({})", "{} year old",
]  # fmt: skip


def shift(text: str, scope: str) -> str:
    return AgeSurrogates().surrogates([Mention(text)], Scope(b"key", scope))[0]


@pytest.mark.parametrize("form", FORMS)
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


@pytest.mark.parametrize("scope", KEYS)
@pytest.mark.parametrize(
    ("text", "pattern"),
    [("2 1/2 år", r"(\d) 1/2 år"), ("17 ½", r"(\d\d) ½"), ("5½", r"(\d)½"),
     ("5,5 år", r"(\d),5 år"), ("ett och ett halvt", r"(\w+) och ett halvt"),
     ("9 och en halv", r"(\d+) och en halv"), ("femtifem å ett halvt", r"(\w+) å ett halvt"),
     ("2 år och 3 månader", r"(\d) år och 3 månader"), ("2 å 8 mån", r"(\d) å 8 mån"),
     ("8 v o 3 dgr", r"(\d+) v o 3 dgr"), ("HALVÅR", r"(FYRA|FEM|SJU|ÅTTA) MÅNADER"),
     ("halvåret", r"(fyra|fem|sju|åtta) månader"), ("ett halvt år", r"(fyra|fem|sju|åtta) månader"),
     ("75+", r"(\d\d)\+"), ("sjuttio plus", r"(\w+) plus"),
     ("femtioårsåldern", r"(femtiofem|fyrtiofem)årsåldern"),
     ("34, nej 35", r"(\d\d), nej (?!\1)\d\d"), ("7-8 år", r"(\d+)-(?!\1)\d+ år"),
     ("Trettisju bast", r"(Tretti\w+|Fyrti?) bast")],
)  # fmt: skip
def test_more_forms(scope, text, pattern):
    match = re.fullmatch(pattern, shift(text, scope))
    assert match and match[1].lower() != re.findall(r"\w+", text.lower())[0]


@pytest.mark.parametrize("text", ["tonåring", "Tonåringen", "bebis", "pensionärer", "vuxen"])
def test_stage_of_life_is_no_age(text):
    mention, scope = Mention(text), Scope(b"key", "c")
    assert AgeSurrogates().surrogates([mention], scope) == [text]
    assert AgeSurrogates().keeps(mention, scope) and not AgeSurrogates().keeps(Mention("5"), scope)


@pytest.mark.parametrize("scope", KEYS)
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize(
    ("age", "before", "after", "low", "high"),
    [(40, "mammografi erbjuds från 40 år, jag är ", "", 40, 89),
     (39, "mammografi erbjuds från 40 år, jag är ", "", 18, 39),
     (66, "", " så gratis för er över 65", 66, 89), (65, "", " så gratis för er över 65", 18, 65),
     (15, "", ", får inte innan 16", 1, 15), (16, "måste ha fyllt 16, är ", "", 16, 17),
     (41, "screening 40-74 år. Jag är ", "", 40, 74),
     (75, "screening 40 till 74 år. Jag är ", "", 75, 89), (65, "pris 65+, jag är ", "", 65, 89),
     (69, "70-årsgränsen, är ", "", 18, 69), (30, "under 30 år gäller inte mig, ", "", 30, 89)],
)  # fmt: skip
def test_no_age_crosses_a_limit_beside_it(scope, named, age, before, after, low, high):
    mention = Mention(str(age), before, after)
    mentions = {"AGE": [mention, Mention(f"{age} år", start=90)]} if named else {}
    own = Scope(b"key", scope, mentions=mentions)
    new = AgeSurrogates().surrogates([mention], own)
    assert low <= int(new[0]) <= high and int(new[0]) != age
    if named:
        assert AgeSurrogates().surrogates(mentions["AGE"], own) == [new[0], f"{new[0]} år"]


@pytest.mark.parametrize(
    "text", ["från 8 mg", "över 120/80", "efter 3 dagar", "till 39,5", "under 30 min"]
)
def test_what_is_no_limit(text):
    assert read_limits(Mention("34", text + " ")) == ()


@pytest.mark.parametrize("scope", KEYS)
def test_age_between_limits_that_leave_no_other(scope):
    mention = Mention("40", "från 40 år men under 41 år, ")
    assert AgeSurrogates().surrogates([mention], Scope(b"key", scope)) != ["40"]


@pytest.mark.parametrize(
    ("text", "band"),
    [("37 år", "35-39 år"), ("37", "35-39"), ("37-årig", "35-39-årig"), ("29år", "25-29år"),
     ("åttaåring", "5-9-åring"), ("sjuttiofem", "75-79"), ("femtifm år", "55-59 år"),
     ("93 år", "90+ år"), ("89", "85-89"), ("90", "90+"), ("102-åring", "90+-åring"),
     ("8 månader", "0-4 år"), ("10 veckor gammal", "0-4 år gammal"), ("3 dgr", "0-4 år"),
     ("halvåret", "0-4 år"), ("2 år och 3 månader", "0-4 år"), ("2 1/2 år", "0-4 år"),
     ("4 å 11 mån", "0-4 år"), ("3-4 år", "0-4 år"), ("4-5 år", "0-9 år"), ("88-91", "85+"),
     ("75+", "75-79"), ("sjuttio plus", "70-74"), ("30 mån", "0-4 år"), ("65 månader", "5-9 år"),
     ("50-årsåldern", "50-årsåldern"), ("tonåring", "tonåring"), ("gammal", "***"),
     ("12345", "***"), ("37 years", "35-39 years"), ("ca 37", "ca 35-39"), ("1 vecka", "0-4 år")],
)  # fmt: skip
def test_bands(text, band):
    mention, scope = Mention(text), Scope(b"key", "c")
    ages = AgeSurrogates("bands")
    assert ages.surrogates([mention], scope) == [band]
