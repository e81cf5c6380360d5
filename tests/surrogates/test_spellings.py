import pytest

from components.surrogates.people.spellings import get_sound, get_words
from tests.cases import read_cases

CASES = read_cases(__file__)


@pytest.mark.parametrize("one, other", CASES["test_names_that_sound_alike"])
def test_names_that_sound_alike(one, other):
    assert (get_sound(one) == get_sound(other)) == ((one, other) != ("haakon", "håkan"))


@pytest.mark.parametrize("one, other", CASES["test_names_that_do_not"])
def test_names_that_do_not(one, other):
    assert get_sound(one) != get_sound(other)


@pytest.mark.parametrize("text, words", CASES["test_words_that_are_spelled_out"])
def test_words_that_are_spelled_out(text, words):
    found = get_words(text)
    assert [word.text for word in found] == words


def test_spelled_name_that_nothing_else_tells(replace):
    (new,) = replace("det stavas [B-X-Q-V]", "PERSON")
    assert new.isalpha() and new.isupper()
