"""The length of a text."""

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from components.length import get_length

NLP = spacy.blank("sv")


@given(st.text())
def test_length(text):
    assert get_length(NLP.make_doc(text)) == len(text)


@pytest.mark.parametrize(
    ("words", "spaces"),
    [([], []), (["Hej", "Bo"], [True, True]), (["Hej", "Bo"], [True, False]), (["😀"], [False])],
)
def test_length_of_words(words, spaces):
    doc = Doc(NLP.vocab, words=words, spaces=spaces)
    assert get_length(doc) == len(doc.text)
