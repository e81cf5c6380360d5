"""Spans and their scores."""

import pytest
import spacy

from components.hits import make_span


def test_span_of_all_tokens_that_are_touched():
    doc = spacy.blank("sv")("Hej Anna Lind!")
    span = make_span(doc, 5, 10, "PERSON", "name")
    assert (span.text, span.label_, span.id_) == ("Anna Lind", "PERSON", "name")


def test_no_span_beyond_the_text():
    doc = spacy.blank("sv")("Hej Anna")
    with pytest.raises(ValueError, match="no characters 4 to 9 in a text of 8"):
        make_span(doc, 4, 9, "PERSON")
