"""Words that begin with a known name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.known.form_finders import MIN_STEM, CompoundFinder
from components.known.words import COMPOUND, Hit, get_words
from components.text.compounds import ENDINGS, LONGEST, is_ending
from tests.cases import read_cases

NAMES = [
    ("LOCATION", "Bangkok"), ("LOCATION", "Göteborg"), ("LOCATION", "Storgatan 7"), ("PERSON", "Vera Lindqvist"),
    ("PERSON", "Karl"), ("PERSON", "Karlsson"), ("PERSON", "Bo Ek"), ("ORGANISATION", "Capio Lundby"), ("EMAIL", "vera@b.se"),
]  # fmt: skip


def find(text: str) -> list[tuple[str, str]]:
    hits = [*CompoundFinder(NAMES).find(get_words(text))]
    assert {hit.kind for hit in hits} <= {COMPOUND}
    return [(text[start:end], label) for start, end, label, _ in hits]


@pytest.mark.parametrize(("text", "found"), read_cases(__file__)["compounds"])
def test_compounds(text, found):
    assert find(text) == found


def test_no_names():
    assert not CompoundFinder([]) and not CompoundFinder([("PERSON", "Bo Ek")])
    assert CompoundFinder(NAMES)


@given(st.sampled_from(sorted(ENDINGS)), st.data())
def test_all_endings(label, data):
    ending = data.draw(st.sampled_from(ENDINGS[label]))
    link, genitive = data.draw(st.sampled_from(["", "s"])), data.draw(st.sampled_from(["", "s"]))
    name = data.draw(st.text(alphabet="kqvxzåö", min_size=MIN_STEM, max_size=9))
    word = name + link + ending + genitive
    assert len(link + ending + genitive) <= LONGEST and is_ending(label, link + ending + genitive)
    finder = CompoundFinder([(label, name.title())])
    assert [*finder.find(get_words(f"hos {word}."))] == [Hit(4, 4 + len(word), label, COMPOUND)]


def test_classes_without_endings():
    assert (
        not is_ending("PID", "s") and not is_ending("PERSON", "") and not is_ending("PERSON", "s")
    )
