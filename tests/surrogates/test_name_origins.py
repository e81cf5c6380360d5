import pytest

from components.surrogates.people.name_origins import Origins
from components.surrogates.people.spellings import misspell, misspell_like
from tests.cases import cases

NAMES = {
    "sv": "anna berit gunnar ingvar torsten birgitta gunilla sven holger astrid ragnhild bertil gösta solveig " "margareta lennart ingrid ragnar gudrun torbjörn håkan kerstin stina greta",
    "pl": "wojciech krzysztof grzegorz szymon przemysław zbigniew katarzyna agnieszka małgorzata wojtek krystyna " "grażyna bożena tadeusz stanisław bolesław mieczysław zdzisław czesław jarosław wiesław kazimierz andrzej " "mateusz",
}  # fmt: skip


@pytest.fixture(scope="module")
def origins():
    return Origins({n: {"origin": o} for o, names in NAMES.items() for n in names.split()})


@cases
def test_origin(origins, name, near, origin):
    """Of a name that no list has, with the origins of the names around it."""
    assert origins.guess(name, near) == origin


def test_no_names():
    assert Origins({}).guess("anna") == ""


@cases
def test_misspell(name, slip):
    slips = misspell(name)
    assert slip in slips and name not in slips
    assert all(other[0] == name[0] for other in slips)


@cases
def test_misspell_like(right, wrong, name, slips):
    assert misspell_like(name, right, wrong) == slips


def test_name_that_offers_no_slip():
    assert misspell("Ugo") == ["Uog"]


def test_margin(origins):
    rows = {n: {"origin": o} for o, names in NAMES.items() for n in names.split()}
    names = ["stanislava", "andrzina", "tadea", "grazina"]
    told = [sum(bool(Origins(rows, sure).guess(n)) for n in names) for sure in (0.5, 4.0, 40.0)]
    assert told == sorted(told, reverse=True) and told[0] > told[-1] == 0
