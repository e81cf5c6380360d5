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


def test_all_validators_of_codes_are_tried():
    module = code_validators.__name__
    own = {name for name, check in validators.get_all().items() if check.__module__ == module}
    assert own <= {name for name, *_ in ROWS}


@pytest.mark.parametrize("name", validators.get_all())
@pytest.mark.parametrize("text", ["", " ", "a", "-", "1" * 50, "åäö", "½", "٣"])
def test_any_text_is_taken(name, text):
    assert validators.get(name)(text) in (True, False)


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


@pytest.mark.parametrize("day", [59, 60, 61, 91, 92])
def test_coordination_number(day: int):
    number = f"1970 10 {day:02d} 239".replace(" ", "")
    assert is_personnummer(number + luhn.calc_check_digit(number[2:])) == (day in (61, 91))


@pytest.mark.parametrize(("year", "passes"), [(1839, 0), (1840, 1), (2099, 1), (2100, 0)])
def test_years_of_birth(year: int, passes: int):
    number = f"{year}0101239"
    assert is_personnummer(number + luhn.calc_check_digit(number[2:])) == bool(passes)
