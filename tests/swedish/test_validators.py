"""The checks on rule hits."""

import pytest
from stdnum import luhn

from components.swedish.validators import (
    digits_of,
    is_date,
    is_personnummer,
    is_phone,
    read_misspelled,
    validators,
)


@pytest.mark.parametrize(
    "text",
    [
        "170101-2393", "201701012393", "20170101-2393", "170101+2393", "1701012393",
        "17 01 01 23 93", "1 7 0 1 0 1 - 2 3 9 3", "17O1O1-2393", "2017-01-01-2393", "701063-2391",
        "197010632391", "199001012385", "189001019802",
        # 29 February, of 2000 and of 1996.
        "000229-2381", "960229-2386", "١٧٠١٠١-２３９３",
    ],
)  # fmt: skip
def test_personnummer_passes(text):
    assert is_personnummer(text)


@pytest.mark.parametrize(
    "text",
    [
        "170101-2394", "171301-2393", "170231-2393", "170191-2393", "170160-2393",
        # 1999 and 1900 had no 29 February.
        "990229-2386", "190002292381", "170100-2393", "000000-0000", "000000000000", "170101-239",
        "170101-23933", "1 170101-2393", "999999-9999", "", "abc",
    ],
)  # fmt: skip
def test_personnummer_fails(text):
    assert not is_personnummer(text)


@pytest.mark.parametrize(
    "text",
    [
        "070-174 06 05", "0701740605", "+46 70 174 06 05", "+46(0)70-174 06 05", "0046701740605",
        "O70-174 06 05", "o7o-174 06 05", "+47(0)400 12 345", "08-465 004 00", "(0980) 319 200",
        "031/390 06 00", "+47 400 12 345", "+358 40 1234567",
    ],
)  # fmt: skip
def test_phone_passes(text):
    assert is_phone(text)


@pytest.mark.parametrize(
    "text", ["0999", "123", "", "abc", "+9999999999999", "05-11-2020", "070 mg"]
)
def test_phone_fails(text):
    assert not is_phone(text)


@pytest.mark.parametrize(
    "text",
    [
        "3/11", "29/2", "31/12", "2022-03-11", "22-03-11", "11.3.2022", "11/3-22", "110322",
        "220311", "310122", "311299", "000229", "29.2.00", "31121999", "19991231", "3/11 22",
        "2022-11-03", "31.12.2022", "20220311", "2024-02-29", "tisdag 3/11",
    ],
)  # fmt: skip
def test_date_passes(text):
    assert is_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "30/2", "13/13", "0/1", "1/0", "11/13", "2023-02-29", "20230229", "999999", "32122022",
        "1/2/3/4", "12345", "1234567", "2031112", "123456789", "11", "", "mars",
    ],
)  # fmt: skip
def test_date_fails(text):
    assert not is_date(text)


@pytest.mark.parametrize(
    ("text", "digits"),
    [("17O1o1-2393", "1701012393"), ("٣/１１", "311"), ("kg/m² ½ ①", ""), ("abc", ""), ("", "")],
)
def test_digits(text: str, digits: str):
    assert digits_of(text) == digits


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("900101-23851", "9001012385"), ("1900101-2385", "9001012385"),
        ("90101-2385", "0901012385"), ("19900101-238", "199001012380"), ("199001012385 1", None),
        ("19900101238", "199001012380"), ("90010123851", "9001012385"),
        ("19900101-T123", "199001010123"), ("900161T123", "9001610123"), ("900101-TFTF", None),
        ("901301-23851", None), ("21900101-23851", None), ("900101-2385", None),
        ("199001012385", None), ("900101-23", None), ("2385", None), ("", None),
    ],
)  # fmt: skip
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


def test_registered():
    assert {"personnummer", "phone", "date"} <= set(validators.get_all())
