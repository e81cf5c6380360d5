"""Initials of known people, where their form says that they are initials."""

import time

import pytest

from components.values.initials_finder import InitialsFinder
from components.values.value_hit import INITIALS

NAMES = ["Vera Lindqvist", "Vera", "Lindqvists", "Lindqvist", "Malte", "Maltes", "Bo af Ek"]


def find(text: str, names=NAMES) -> list[str]:
    hits = [*InitialsFinder(names).find(text)]
    assert {(hit.label, hit.kind) for hit in hits} <= {("PERSON", INITIALS)}
    return [text[start:end] for start, end, *_ in hits]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # In the genitive.
        ("M:s tid och VL:s tid, V:S!", ["M:s", "VL:s", "V:S"]),
        ("XM:s M:sk m:s a:M:s M:", []),
        # As a signature.
        ("Tack!\n/VL", ["VL"]), ("Tack //V.L.", ["V.L."]), ("Tack / M \n", ["M"]), ("hej då /vl", ["vl"]),
        ("mvh M", ["M"]), ("Hälsningar,\nVL!", ["VL"]), ("Tack för hjälpen\nB E", ["B E"]), ("Kram V.", ["V."]),
        ("Tack /VL, hej", []), ("90/m", []), ("http://m", []), ("Tack M", []), ("M", []), ("och/eller /m", []), ("mvh m", []),
        # With full stops.
        ("Träffade V.L. igår", ["V.L."]), ("Träffade V. L. igår", ["V. L."]), ("när M. ringde", ["M."]), ("hos M., sen", ["M."]),
        ("vitamin M. tog slut", []), ("hepatit V. hade hon", []), ("M. ringde", []), ("klar M. Sen", []), ("M.a. sen", []),
        # Of nobody, or not all.
        ("X:s ML:s VB:s\n/LV", []),
        ("BE:s", ["BE:s"]),
    ],
)  # fmt: skip
def test_forms(text, found):
    assert find(text) == found


@pytest.mark.parametrize(
    ("names", "text", "found"),
    [
        # Whoever it is of two, nobody knows.
        (["Malte", "Mona"], "M:s", []),
        (["Malte Berg", "Mona Ek"], "M:s MB:s ME:s", ["MB:s", "ME:s"]),
        # One and the same, whatever the message calls him.
        (["Malte Berg", "Malte", "Berg", "Bergs", "Maltes"], "M:s B:s MB:s", ["M:s", "MB:s"]),
        # Three names, and what others write of them.
        (["Anna Karin Ek"], "A:s AE:s AKE:s K:s", ["A:s", "AE:s", "AKE:s"]),
        (["Ek, Anna"], "AE:s EA:s", ["AE:s"]),
        # Initials are no names that have initials.
        (["M"], "M:s", []), (["M K"], "MK:s", []), ([], "M:s", []), (["1177"], "1:s", []),
        (["Åsa", "Örjan"], "Å:s och Ö:s", ["Å:s", "Ö:s"]),
    ],
)  # fmt: skip
def test_whose(names, text, found):
    assert find(text, names) == found
    assert bool(found) == bool(InitialsFinder(names))


def test_time_is_linear():
    def measure(n: int) -> float:
        names = [
            f"Anna{chr(97 + i % 26)} {'abcdefghij'[i % 10]}qv{'x' * (i // 10 % 50)}{i // 500}".replace(
                "0", "o"
            )
            for i in range(n)
        ]
        names += ["Anna " + "b" * (i + 2) for i in range(n // 10)]
        text = "/ " * n + "mvh" + " " * n + "\n" * n + "M:s " * n + "/M" + " " * n + "."
        start = time.perf_counter()
        [*InitialsFinder(names).find(text)]
        return time.perf_counter() - start

    measure(100)
    assert measure(16000) < 40 * max(measure(1600), 0.005)
