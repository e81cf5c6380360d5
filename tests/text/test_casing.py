"""Folding of words for comparison."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.text.casing import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ÅSA  Öberg-Ärlig", "åsa öberg-ärlig"), ("A\u030asa", "åsa"), ("Zoë", "zoe"), ("Åsé", "åse"),
        ("Ä–Ö’s", "ä-ö's"), (" ÅÄÖ\u00a0åäö ", "åäö åäö"), ("STRAẞE", "strasse"), ("İz", "iz"), ("", ""),
    ],
)  # fmt: skip
def test_fold(text, folded):
    assert fold(text) == folded


@given(st.text(alphabet="aBzåÄöÖ éÉ-–'1\u0308\u030a", max_size=12))
def test_what_is_written_otherwise_folds_alike(text):
    """The short way for Swedish letters gives what the long one does."""
    assert fold(text) == fold(unicodedata.normalize("NFD", text)) == fold(text + "é")[:-1].rstrip()
