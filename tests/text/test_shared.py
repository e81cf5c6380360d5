"""What several rooms share: sentences, where one begins, postal codes, days of coordination numbers."""

import pytest

from components.text.numbers import POSTAL_CODE, split_day
from components.text.sentences import begins_line, begins_sentence, count_sentences
from tests.cases import read_cases


@pytest.mark.parametrize(
    ("text", "sentence", "line"), read_cases(__file__)["test_where_a_sentence_begins"]
)
def test_where_a_sentence_begins(text, sentence, line):
    start = text.index("Maj")
    assert (begins_sentence(text, start), begins_line(text, start)) == (sentence, line)


@pytest.mark.parametrize(("text", "codes"), read_cases(__file__)["test_postal_codes"])
def test_postal_codes(text, codes):
    assert POSTAL_CODE.findall(text) == codes


@pytest.mark.parametrize(
    ("day", "split"), [(1, (1, 0)), (31, (31, 0)), (60, (60, 0)), (61, (1, 60)), (91, (31, 60))]
)
def test_day_of_a_coordination_number(day, split):
    assert split_day(day) == split


@pytest.mark.parametrize(("text", "n"), read_cases(__file__)["test_sentences"])
def test_sentences(text, n):
    assert count_sentences(text) == n
