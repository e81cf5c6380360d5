"""Initials of known people, where their form says that they are initials."""

import time

import pytest

from components.known.form_finders import InitialsFinder
from components.known.words import INITIALS
from tests.cases import read_cases

NAMES = ["Vera Lindqvist", "Vera", "Lindqvists", "Lindqvist", "Malte", "Maltes", "Bo af Ek"]


def find(text: str, names=NAMES) -> list[str]:
    hits = [*InitialsFinder(names).find(text)]
    assert {(hit.label, hit.kind) for hit in hits} <= {("PERSON", INITIALS)}
    return [text[start:end] for start, end, *_ in hits]


@pytest.mark.parametrize(("text", "found"), read_cases(__file__)["forms"])
def test_forms(text, found):
    assert find(text) == found


@pytest.mark.parametrize(("names", "text", "found"), read_cases(__file__)["whose"])
def test_whose(names, text, found):
    assert find(text, names) == found
    assert bool(found) == bool(InitialsFinder(names))


def test_time_is_linear():
    def measure(n: int) -> float:
        letters = "abcdefghij"
        names = [
            f"Anna{letters[i % 7]} {letters[i % 10]}qv{'x' * (i // 10)}" for i in range(n // 10)
        ]
        names += ["Anna " + "b" * (i + 2) for i in range(n // 10)]
        text = "/ " * n + "mvh" + " " * n + "\n" * n + "M:s " * n + "/M" + " " * n + "."
        start = time.perf_counter()
        [*InitialsFinder(names).find(text)]
        return time.perf_counter() - start

    measure(100)
    assert measure(16000) < 40 * max(measure(1600), 0.005)
