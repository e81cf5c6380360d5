"""The checks on rule hits."""

import pytest

from components.validators import is_date, is_personnummer, is_phone, validators


@pytest.mark.parametrize(
    "text",
    [
        "170101-2393",
        "201701012393",
        "20170101-2393",
        "170101+2393",
        "1701012393",
        "17 01 01 23 93",
        "1 7 0 1 0 1 - 2 3 9 3",
        "17O1O1-2393",
        "2017-01-01-2393",
        "701063-2391",
        "197010632391",
        "199001012385",
        "189001019802",
    ],
)
def test_personnummer_passes(text):
    assert is_personnummer(text)


@pytest.mark.parametrize(
    "text",
    [
        "170101-2394",
        "171301-2393",
        "170231-2393",
        "170191-2393",
        "170160-2393",
        "170100-2393",
        "000000-0000",
        "000000000000",
        "170101-239",
        "170101-23933",
        "999999-9999",
        "",
        "abc",
    ],
)
def test_personnummer_fails(text):
    assert not is_personnummer(text)


@pytest.mark.parametrize(
    "text",
    [
        "070-174 06 05",
        "0701740605",
        "+46 70 174 06 05",
        "+46(0)70-174 06 05",
        "0046701740605",
        "O70-174 06 05",
        "08-465 004 00",
        "(0980) 319 200",
        "031/390 06 00",
        "+47 400 12 345",
        "+358 40 1234567",
    ],
)
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
        "3/11",
        "29/2",
        "31/12",
        "2022-03-11",
        "22-03-11",
        "11.3.2022",
        "11/3-22",
        "110322",
        "220311",
        "310122",
        "20220311",
        "2024-02-29",
        "tisdag 3/11",
    ],
)
def test_date_passes(text):
    assert is_date(text)


@pytest.mark.parametrize(
    "text", ["30/2", "13/13", "0/1", "2023-02-29", "20230229", "999999", "1/2/3/4", "", "mars"]
)
def test_date_fails(text):
    assert not is_date(text)


def test_registered():
    assert {"personnummer", "phone", "date"} <= set(validators.get_all())
