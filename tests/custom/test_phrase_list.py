import pickle

import pytest

from components.custom.phrase_list import PhraseList
from tests.cases import read_cases


@pytest.mark.parametrize("joined", [True, False])
@pytest.mark.parametrize("phrase, text, found", read_cases(__file__)["test_whole_words"])
def test_whole_words(joined, phrase, text, found):
    places = [*PhraseList([phrase]).find(text, joined=joined)]
    assert [text[start:end] for start, end in places] == found


@pytest.mark.parametrize("phrase, text, found", read_cases(__file__)["test_joined_words"])
def test_joined_words(phrase, text, found):
    ((start, end),) = PhraseList([phrase]).find(text, joined=True)
    assert text[start:end] == found
    assert [*PhraseList([phrase]).find(text, joined=False)] == []


@pytest.mark.parametrize("phrases", [[], ["", " "], ["anna", "Anna Berg"]])
def test_pickle(phrases):
    once = PhraseList(phrases)
    again = pickle.loads(pickle.dumps(once))
    text = "anna berg"
    assert [*again.find(text, joined=False)] == [*once.find(text, joined=False)]
    assert len([*once.find(text, joined=False)]) == len([p for p in phrases if p.strip()])
