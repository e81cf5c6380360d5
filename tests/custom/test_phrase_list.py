import pickle

import pytest

from components.custom.phrase_list import PhraseList


@pytest.mark.parametrize("joined", [True, False])
@pytest.mark.parametrize(
    "phrase, text, found",
    [
        ("Anna Berg", "hej ANNA  berg!", ["ANNA  berg"]),
        ("Anna Berg", "anna\nberg", ["anna\nberg"]), ("anna", "Johanna, annan", []),
        ("4:an", "på 4:an nu", ["4:an"]), ("Åsa-Maj", "åsa–maj", ["åsa–maj"]),
        ("1177", "ring 1177.", ["1177"]), ("ordet", "ordet, och ordet", ["ordet", "ordet"]),
    ],
)  # fmt: skip
def test_whole_words(joined, phrase, text, found):
    places = [*PhraseList([phrase]).find(text, joined=joined)]
    assert [text[start:end] for start, end in places] == found


@pytest.mark.parametrize(
    "phrase, text, found",
    [
        ("anna", "Anna-Lena", "Anna"), ("anna", "anna.berg@telia.com", "anna"),
        ("anna", "annas bil", "annas"), ("VC Lund", "vc lund:s", "vc lund:s"),
        ("070", "070-1740605", "070"),
    ],
)  # fmt: skip
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
