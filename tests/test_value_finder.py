"""The search for given values: what it cuts a text into, and that its time grows with the length."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.value_finder import ValueFinder, get_addresses, get_digit_groups

VALUES = [
    ("PERSON", "Anna Maria Lindgren"),
    ("PID", "19900101-2385"),
    ("PHONE", "070-174 06 05"),
    ("EMAIL", "anna@example.com"),
    ("LOCATION", "Storgatan 12, 852 30 Sundsvall"),
]
FINDER = ValueFinder(VALUES)


@given(st.text("ab@.,:/! \n", max_size=30))
def test_addresses(text):
    # The same in the words of a regex, which would take quadratic time.
    expected = re.finditer(r"[^\s<>()\[\],;:]+@[^\s<>()\[\],;:]+", text)
    assert [match.span() for match in get_addresses(text)] == [match.span() for match in expected]


@given(st.text("Oo017a ", max_size=30))
def test_digit_groups(text):
    expected = re.finditer(r"[0-9Oo]*[0-9][0-9Oo]*", text)
    assert [match.span() for match in get_digit_groups(text)] == [
        match.span() for match in expected
    ]


@pytest.mark.parametrize(
    "text, found",
    [
        ("anna@x.se bo@y.se Anna", ["anna@x.se", "Anna"]),
        ("Anna anna.lindgren@x.se, (maria@y.se) Maria", ["Anna", "anna.lindgren@x.se", "maria@y.se", "Maria"]),
        ("@Anna anna@", ["Anna", "anna"]),
    ],
)  # fmt: skip
def test_names_in_addresses(text, found):
    assert [text[hit.start : hit.end] for hit in FINDER.find(text)] == found


@pytest.mark.parametrize("near, label", [("19900101-2386", "PID"), ("0701740606", "PHONE")])
def test_numbers_with_an_error(near, label):
    assert [(hit.label, hit.kind) for hit in FINDER.find(f"nr {near}!")] == [(label, "typo")]


@pytest.mark.parametrize("unit", ["7", "O", "a@b ", "anna lind@b.se ", "1 2 3 4 5 6 7 8 9 ", "x-"])
def test_time_grows_with_the_length(unit):
    start = time.perf_counter()
    FINDER.find((unit * 100_000)[:100_000])
    assert time.perf_counter() - start < 10
