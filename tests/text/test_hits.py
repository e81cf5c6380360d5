"""Spans of a text, and its length."""

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from components.text.hits import make_span
from components.text.message import get_length

NLP = spacy.blank("sv")


def test_span_of_all_tokens_that_are_touched():
    doc = NLP("Hej Anna Lind!")
    span = make_span(doc, 5, 10, "PERSON", "name")
    assert (span.text, span.label_, span.id_) == ("Anna Lind", "PERSON", "name")


def test_no_span_beyond_the_text():
    doc = NLP("Hej Anna")
    with pytest.raises(ValueError, match="no characters 4 to 9 in a text of 8"):
        make_span(doc, 4, 9, "PERSON")


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
