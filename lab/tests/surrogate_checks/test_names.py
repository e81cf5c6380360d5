"""Names beside other names, and what is said of them."""

import pytest

from lab.measures.surrogate_mentions import Mention
from lab.surrogate_checks.base import Talk
from lab.surrogate_checks.known import Known
from lab.surrogate_checks.names import (
    check_corrections,
    check_genders,
    check_origins,
    check_two_names,
)
from lab.tests.surrogate_checks.talks import rows, tell

KNOWN = Known(
    {
        "first_names": rows(
            "name gender origin", "Eva|f|sv", "Erik|m|sv", "Fadumo|f|so", "Asha|f|so", "Ewa|f|pl"
        ),
        "surnames": rows("name origin", "Warsame|so", "Elmi|so", "Nowak|pl", "Berg|sv"),
        "shared_names": rows("name origins", "Sarai|sv so"),
        "titles": rows("word kind gender", "dotter|kin|f", "son|kin|m", "dottra|role|"),
    }
)


@pytest.mark.parametrize(
    ("pairs", "counts"),
    [
        ("Eva > Maria; Lisa > Anna; Evas > Marias", (2, 0)),
        ("Eva > Maria; Lisa > Maria", (1, 1)),
        ("Eva Ek > Maria Dahl; Lisa Ek > Anna Dahl", (3, 0)),
        ("Eva Ek > Maria Dahl; Lisa Ekh > Anna Dahl", (3, 1)),
        ("E-v-a > M-a-r-i-a; LN > MD", (0, 0)),
    ],
)
def test_two_names(pairs, counts):
    assert tell(check_two_names, pairs) == counts


def run(check, text: str, *pairs: str) -> tuple[int, int]:
    """Check what stands in a text: `[Eva] inte [Ewa]`, and what became of each."""
    mentions, plain = [], ""
    before, *pieces = text.split("[")
    plain = before
    for piece, new in zip(pieces, pairs, strict=True):
        old, rest = piece.split("]")
        mentions.append(Mention("c", "PERSON", "", "", plain, old, new, "m"))
        plain += old + rest
    return check(Talk(mentions), KNOWN)[:2]


@pytest.mark.parametrize(
    ("text", "pairs", "counts"),
    [
        ("[Thun], inte [Thunn]", ("Berg", "Bergh"), (1, 0)),
        ("[Thun], inte [Thunn]", ("Berg", "Maria"), (1, 1)),
        ("[Thun], inte [Thunn]", ("Berg", "Berg"), (1, 1)),
        ("[Thun] och [Thunn], inte jag", ("Berg", "Maria"), (0, 0)),
        ("[Thun] hälsar [Thunn]", ("Berg", "Maria"), (0, 0)),
        ("[Eva], inte [Karin]", ("Berg", "Maria"), (0, 0)),
    ],
)
def test_corrections(text, pairs, counts):
    assert run(check_corrections, text, *pairs) == counts


@pytest.mark.parametrize(
    ("new", "counts"),
    [
        ("Asha Elmi", (2, 0)),
        ("Eva Elmi", (2, 1)),
        ("Ewa Nowak", (2, 2)),
        ("Xyz Elmi", (1, 0)),
    ],
)
@pytest.mark.parametrize("old", ["Fadumo Warsame", "Xorvin Warsame"])
def test_origins(old, new, counts):
    assert run(check_origins, f"[{old}]", new) == counts


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        # A Swedish ending tells more than the other name, and some names are of several origins.
        ("Fadumo Granstam", "Asha Berg", (2, 0)),
        ("Fadumo Granstam", "Asha Elmi", (2, 1)),
        ("Sarai", "Asha", (1, 0)),
        ("Sarai", "Ewa", (1, 1)),
    ],
)
def test_origins_beside_others(old, new, counts):
    assert run(check_origins, f"[{old}]", new) == counts


@pytest.mark.parametrize(
    ("text", "new", "counts"),
    [
        ("min dotter [Kim]", "Eva", (1, 0)),
        ("min döter [Kim]", "Erik", (1, 1)),
        ("min son som heter [Kim]", "Eva", (1, 1)),
        ("[dotter Kim]", "dotter Erik", (1, 1)),
        ("dottra [Kim]", "Erik", (0, 0)),
        ("hej [Kim]", "Erik", (0, 0)),
    ],
)
def test_genders(text, new, counts):
    assert run(check_genders, text, new) == counts
