"""Organisations by what is said of them, and whole."""

import pytest

from lab.surrogate_checks.organisations import check_companies, check_cues
from lab.tests.surrogate_checks.talks import tell


@pytest.mark.parametrize(
    ("pair", "before", "found"),
    [
        ("Knurvel > Bjuv", "hon jobbar på ", (1, 1)),
        ("Knurvel > Scania", "hon jobbar på ", (1, 0)),
        ("Knurvel > Scania", "vill sätta in ", (1, 1)),
        ("Knurvel > Alvedon", "vill sätta in ", (1, 0)),
        ("Knurvel > Bjuv", "opererad på ", (0, 0)),
    ],
)
def test_cues(pair, before, found):
    assert tell(check_cues, pair, label="ORGANISATION", before=before) == found


@pytest.mark.parametrize(
    ("pair", "found"),
    [
        ("Knurvel Knarv Lund > Pfizer Scania Bjuv", (1, 1)),
        ("Knurvel Knarv Lund > Pfizer Bjuv", (1, 0)),
        ("Knurvel > Pfizer Scania", (0, 0)),
        ("Knurvel Lund > Bys centrallasarett", (0, 0)),
    ],
)
def test_companies(pair, found):
    assert tell(check_companies, pair, label="ORGANISATION") == found
