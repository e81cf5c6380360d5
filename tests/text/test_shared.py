"""What several rooms share: sentences, where one begins, postal codes, days of coordination numbers."""

import unicodedata

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from components.text.casing import fold
from components.text.hits import make_span
from components.text.message import get_length
from components.text.numbers import POSTAL_CODE, split_day
from components.text.sentences import begins_line, begins_sentence, count_sentences
from tests.cases import cases


@cases
def test_where_a_sentence_begins(text, sentence, line):
    start = text.index("Maj")
    assert (begins_sentence(text, start), begins_line(text, start)) == (sentence, line)


@cases
def test_postal_codes(text, codes):
    assert POSTAL_CODE.findall(text) == codes


@pytest.mark.parametrize(
    ("day", "split"), [(1, (1, 0)), (31, (31, 0)), (60, (60, 0)), (61, (1, 60)), (91, (31, 60))]
)
def test_day_of_a_coordination_number(day, split):
    assert split_day(day) == split


@cases
def test_sentences(text, n):
    assert count_sentences(text) == n


@cases
def test_fold(text, folded):
    assert fold(text) == folded


@given(st.text(alphabet="aBzåÄöÖ éÉ-–'1\u0308\u030a", max_size=12))
def test_what_is_written_otherwise_folds_alike(text):
    """The short way for Swedish letters gives what the long one does."""
    assert fold(text) == fold(unicodedata.normalize("NFD", text)) == fold(text + "é")[:-1].rstrip()


NLP = spacy.blank("sv")


def test_span_of_all_tokens_that_are_touched():
    doc = NLP("Hej Anna Lind!")
    span = make_span(doc, 5, 10, "PERSON", "name")
    assert (span.text, span.label_, span.id_) == ("Anna Lind", "PERSON", "name")
    with pytest.raises(ValueError, match="no characters 4 to 19 in a text of 14"):
        make_span(doc, 4, 19, "PERSON")


@given(st.text())
def test_length(text):
    assert get_length(NLP.make_doc(text)) == len(text)


@cases
def test_length_of_words(words, spaces):
    doc = Doc(NLP.vocab, words=words, spaces=spaces)
    assert get_length(doc) == len(doc.text)
