"""Folding of words for comparison."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.text.casing import fold
from tests.cases import read_cases


@pytest.mark.parametrize(("text", "folded"), read_cases(__file__)["test_fold"])
def test_fold(text, folded):
    assert fold(text) == folded


@given(st.text(alphabet="aBzåÄöÖ éÉ-–'1\u0308\u030a", max_size=12))
def test_what_is_written_otherwise_folds_alike(text):
    """The short way for Swedish letters gives what the long one does."""
    assert fold(text) == fold(unicodedata.normalize("NFD", text)) == fold(text + "é")[:-1].rstrip()
