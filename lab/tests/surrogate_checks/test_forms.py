"""Casing, genitive, numbers and addresses."""

import pytest

from lab.surrogate_checks.forms import (
    check_areas,
    check_capitals,
    check_different,
    check_genitives,
    check_offices,
)
from lab.tests.surrogate_checks.talks import tell


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Eva > Maria", (1, 0)),
        ("eva ek > maria dahl", (1, 0)),
        ("EVA EK > MARIA DAHL", (1, 0)),
        ("eva > Maria", (1, 1)),
        ("Eva > maria", (1, 1)),
        ("EVA EKBERG > Maria Dahl", (1, 1)),
        ("Eva Ekberg > MARIA DAHL", (1, 1)),
        ("E > M", (1, 0)),
        ("ORGANISATION: SSAB > Scania", (1, 0)),
        ("ORGANISATION: Scania > SSAB", (1, 0)),
        ("ORGANISATION: scania > SSAB", (1, 1)),
        ("ORGANISATION: Kullens Keramik AB > SSAB AB", (1, 0)),
        ("ORGANISATION: Kry > 121doc", (0, 0)),
        ("ORGANISATION: CAPIO ÅSEN > Kliniken", (1, 1)),
        ("ORGANISATION: 1177 > 1177", (0, 0)),
    ],
)
def test_capitals(pairs, counts):
    assert tell(check_capitals, pairs) == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Evas > Marias", (1, 0)),
        ("Evas > Maria", (1, 1)),
        ("Evas > Lars", (1, 0)),
        ("Eva > Maria", (1, 0)),
        ("Eva > Marias", (1, 1)),
        ("Lars > Kevin", (1, 0)),
        ("LOCATION: Borås > Lund", (1, 0)),
        ("LOCATION: Lunds > Eslövs", (1, 0)),
        ("LOCATION: Lunds > Eslöv", (1, 1)),
        ("Zbigniews > Maria", (0, 0)),
        ("LOCATION: Skåne > Skåne", (0, 0)),
        # `Aire` may be a name.
        ("LOCATION: Lund > Buenos Evas", (1, 0)),
    ],
)
def test_genitives(pairs, counts):
    assert tell(check_genitives, pairs) == counts


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("031-12 34 56 > 08-465 004 12", (1, 0)),
        ("031-12 34 56 > 031-390 06 12", (1, 1)),
        ("+46 31 12 34 56 > 031-390 06 12", (1, 1)),
        ("0980-123 45 > 0980-319 212", (1, 1)),
        ("031-12 34 56 > 070-174 06 12", (1, 1)),
        ("070-123 45 67 > 070-174 06 12", (0, 0)),
        ("+47 912 44 087 > +47 807 69 732", (0, 0)),
        ("010-123 45 67 > 010-765 43 21", (0, 0)),
        ("113 13 > 114 14", (0, 0)),
    ],
)
def test_areas(pairs, counts):
    assert tell(check_areas, pairs, "PHONE") == counts


@pytest.mark.parametrize(
    ("pairs", "failed"),
    [
        ("blodgivning@a.se > remisser@example.com", None),
        ("noreply@a.se > noreply@example.com", 0),
        ("kansli.norr@a.se > info@example.com", 0),
        ("kansli@a.se > maria.dahl@example.com", 1),
        ("eva.ek@a.se > maria.dahl@example.com", 0),
        ("eva.ek@a.se > info@example.com", 1),
    ],
)
def test_offices(pairs, failed):
    counts = (0, 0) if failed is None else (1, failed)
    assert tell(check_offices, pairs, "EMAIL") == counts


@pytest.mark.parametrize(
    ("pairs", "label", "counts"),
    [
        ("800203-1234 > 820304-2382; 800203-1243 > 820304-2389", "PID", (2, 0)),
        ("800203-1234 > 820304-2382; 800203-1243 > 820304-2382", "PID", (2, 1)),
        ("070-123 45 67 > 070-174 06 12; 0701234567 > 0701740612", "PHONE", (0, 0)),
        ("070-1 > 070-174 06 12; 070-2 > 0701740612", "PHONE", (2, 1)),
        ("a@b.se > x@example.com; b@b.se > X@example.com", "EMAIL", (2, 1)),
    ],
)
def test_different(pairs, label, counts):
    assert tell(check_different, pairs, label) == counts
