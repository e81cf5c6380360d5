"""The checks on rule hits."""

import pytest
from stdnum import luhn

from components.custom import code_validators
from components.text.validators import digits_of, is_personnummer, read_misspelled, validators
from tests.cases import cases, read_cases

ROWS = read_cases(__file__)["validators"]


@pytest.mark.parametrize(
    "name, text, good", [(name, text, sign == "+") for name, sign, all_ in ROWS for text in all_]
)
def test_validators(name, text, good):
    assert validators.get(name)(text) is good


@pytest.mark.parametrize("name", validators.get_all())
def test_any_text_is_taken(name):
    check = validators.get(name)
    for text in ("", " ", "a", "-", "1" * 50, "åäö", "½", "٣"):
        assert check(text) in (True, False)
    assert check.__module__ != code_validators.__name__ or name in {row[0] for row in ROWS}


@cases
def test_digits(text: str, digits: str):
    assert digits_of(text) == digits


@cases
def test_misspelled_personnummer(text: str, digits: str | None):
    meant = read_misspelled(text)
    assert (meant and meant.digits) == digits
    if meant:
        told = [(text[place], digit) for place, digit in zip(meant.places, digits) if place >= 0]
        assert all(char in (digit, "T") for char, digit in told)


@cases
def test_days_and_years_of_birth(year: int, day: int, passes: bool):
    number = f"{year}10{day:02d}239"
    assert is_personnummer(number + luhn.calc_check_digit(number[2:])) == passes
