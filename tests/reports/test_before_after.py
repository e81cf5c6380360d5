"""Messages before and after, in pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.reports.before_after import CHANGED, Change, Piece
from tests.reports.making import make_doc, make_message


def test_pieces():
    change = Change.from_doc(make_message())
    assert change.before[:4] == [
        Piece("Hej jag heter "), Piece("Anna Lind", "PERSON"), Piece(" , "), Piece("34 år", "AGE"),
    ]  # fmt: skip
    assert [piece for piece in change.after if piece.label] == [
        Piece("Eva Berg", "PERSON"), Piece("36 år", "AGE"), Piece("Ystad", "LOCATION"),
        Piece("vårdcentralen", "ORGANISATION", kept=True),
    ]  # fmt: skip
    assert "".join(piece.text for piece in change.after) == change.deidentified
    assert change.pairs[0] == (Piece("Anna Lind", "PERSON"), Piece("Eva Berg", "PERSON"))


def test_what_is_not_known_is_compared():
    change = Change("Hej Anna, ring Bo", "Hej Eva Lind, ring Bo")
    assert change.before == [Piece("Hej "), Piece("Anna", CHANGED), Piece(", ring Bo")]
    assert change.after == [Piece("Hej "), Piece("Eva Lind", CHANGED), Piece(", ring Bo")]
    assert Change("Hej", "Hej", []).pairs == Change("Hej", "Hej").pairs == []


@given(st.text("ab1 .\n"), st.text("ab1 .\n"))
def test_pieces_are_the_whole_text(text, deidentified):
    change = Change(text, deidentified)
    assert "".join(piece.text for piece in change.before) == text
    assert "".join(piece.text for piece in change.after) == deidentified


@pytest.mark.parametrize(
    "text, shown",
    [("\x1b[2Jx", "␛[2Jx"), ("a\rb\r\nc\td", "a␍b\nc\td"), ("\u202eb\x9b", "\ufffdb\ufffd")],
    ids=range(3),
)
def test_controls_are_shown(text, shown):
    assert Change(text, text, []).before == Change(text, text, []).after == [Piece(shown)]


def test_no_repr_quotes_a_message():
    assert "Anna" not in repr(
        Change.from_doc(make_doc("Anna", ("Anna", "PERSON", "phi", 1, "Eva")))
    )
