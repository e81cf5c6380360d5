"""Lookup of words in lists."""

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.training import Example

import components  # noqa: F401
from components.lists.gazetteer_matcher import GazetteerMatcher
from components.measures.formats.registry import chat_language
from tests.cases import cases, read_cases

CASES = read_cases(__file__)

NLP = chat_language()


def make_rows(header, *rows):
    """Rows of a list, their cells with commas between them."""
    return [dict(zip(header.split(","), row.split(","), strict=True)) for row in rows]


LISTS = {
    "first_names": make_rows(
        "name,gender,origin,ambiguous",
        "Anna,f,sv,", "Sten,m,sv,1", "Gun-Britt,f,sv,", "Gun,f,sv,", "Çiğdem,f,tr,",
    ),
    "surnames": make_rows("name,origin,gender,ambiguous", "Berg,sv,,1"),
    "places": make_rows(
        "name,kind,within,prep,ambiguous",
        "Visby,city,Gotland,i,", "Vara,city,,i,1", "Upplands Väsby,city,,i,",
    ),
    "organisations": make_rows(
        "name,kind,abbreviation,place,ambiguous",
        "Södersjukhuset,hospital,SÖS,,", "S:t Eriks ögonsjukhus,hospital,,,",
    ),
    "units": make_rows("word,kind,ambiguous", "vårdcentralen,care_unit,"),
    "titles": make_rows("word,kind,gender", "mamma,kin,f"),
    "eponyms": make_rows("term,name,kind", "Parkinsons sjukdom,Parkinson,disease"),
    "drugs": make_rows("name,kind", "Alvedon,brand"),
}  # fmt: skip


@pytest.fixture(scope="module")
def nlp():
    nlp = spacy.blank("sv")
    nlp.add_pipe("gazetteer_matcher").initialize(list, lists=LISTS)
    return nlp


def find(nlp, text):
    doc = nlp(text)
    group = doc.spans["gazetteer"]
    return [(s.text, s.label_, s.id_, score) for s, score in zip(group, group.attrs["scores"])]


@cases
def test_hits(nlp, text, hits):
    assert find(nlp, text) == hits


def test_what_is_known_is_not_misspelled():
    nlp = spacy.blank("sv")
    matcher = nlp.add_pipe("gazetteer_matcher")
    lists = {**LISTS, "words": [{"word": "vårdcentralan", "per_million": "3"}]}
    matcher.initialize(list, lists=lists)
    assert find(nlp, "vårdcentralan") == []
    assert find(nlp, "vårdcentralxn") != []
    matcher.add("psykakuten", "unit")
    assert find(nlp, "psykakutn") == [("psykakutn", "ORGANISATION", "unit", 0.4)]


@cases
def test_odd_characters(text: str, hits: list[str]):
    matcher = GazetteerMatcher()
    matcher.initialize(list, lists=LISTS)
    matcher.add("A\u030asa", "first_name")
    doc = matcher(NLP(text))
    assert [span.text for span in doc.spans["gazetteer"]] == hits


def test_commonness_of_odd_characters():
    words = [{"word": word, "per_million": "50.0"} for word in ("bruna", "ağrı", "à")]
    matcher = GazetteerMatcher()
    matcher.initialize(list, lists=LISTS | {"words": words})
    doc = matcher(NLP("Bru\u00adna AĞRI ağrı a\u0300 \u200b 12 bruna1"))
    known = {token.text for token in doc if doc._.commonness[token.i][0]}
    assert known == {"Bru\u00adna", "AĞRI", "ağrı", "a\u0300", "bruna"}


def test_ordinary_words_are_folded():
    nlp = spacy.blank("sv")
    examples = [Example.from_dict(nlp.make_doc("ann\u0430s mat"), {"entities": []})] * 3
    matcher = GazetteerMatcher()
    matcher.initialize(lambda: examples, lists=LISTS)
    assert matcher.ordinary == {"annas"}


@pytest.mark.parametrize("kind", ["name", "", "PERSON"])
def test_unknown_kind(kind):
    with pytest.raises(ValueError, match="Known"):
        GazetteerMatcher().add("Anna", kind)
    with pytest.raises(ValueError, match="Known"):
        GazetteerMatcher(endings={kind: ["s"]})


def test_entries(nlp):
    """A term may be of two kinds, and is ambiguous if it was so once."""
    matcher = GazetteerMatcher()
    for term, kind in (("Lund", "place"), ("Lund", "surname")):
        matcher.add(term, kind)
    doc = matcher(nlp.make_doc("Lund"))
    assert {span.id_ for span in doc.spans["gazetteer"]} == {"place", "surname"}
    assert doc.ents == ()
    matcher.add("Maj", "first_name", ambiguous=True)
    matcher.add("maj", "first_name")
    assert matcher.entries["maj"] == {"first_name": 0.5}


@cases
def test_learns_which_words_are_ordinary(n_outside, n_inside, score):
    nlp = spacy.blank("sv")
    texts = [("annas mat", [])] * n_outside + [("annas mat", [(0, 5, "PERSON")])] * n_inside
    examples = [Example.from_dict(nlp.make_doc(t), {"entities": ents}) for t, ents in texts]
    matcher = GazetteerMatcher()
    matcher.initialize(lambda: examples, lists=LISTS)
    assert matcher.ordinary == ({"annas"} if score < 1 else set())
    for word, expected in (("annas", score), ("ANNAS", score), ("anna", 1.0)):
        doc = matcher(nlp.make_doc(word))
        assert doc.spans["gazetteer"].attrs["scores"] == [expected]


def test_needs_lists():
    with pytest.raises(ValueError, match="word lists"):
        GazetteerMatcher().initialize(list, lists={})


@given(st.text(max_size=80))
def test_any_text(nlp, text):
    doc = nlp(text)
    for span in doc.spans["gazetteer"]:
        assert doc.text[span.start_char : span.end_char] == span.text != ""


@cases
def test_compound_title(nlp, word: str, hit: bool) -> None:
    matcher = GazetteerMatcher()
    for title in ("sjuksköterska", "koordinator", "läkare", "mamma", "mor"):
        matcher.add(title, "title")
    doc = matcher(nlp.make_doc(word))
    assert [span.id_ for span in doc.spans["gazetteer"]] == ["title"] * hit


@cases
def test_names_that_are_ordinary_words(text: str, score: float):
    names = [{"name": name, "ambiguous": ""} for name in ("Per", "Björn", "Bruna")]
    words = [{"word": word, "per_million": "3.0"} for word in ("pers", "björn", "vattenfall")]
    words.append({"word": "bruna", "per_million": "10.0"})
    firms = [{"name": "Vattenfall", "abbreviation": "", "ambiguous": ""}]
    matcher = GazetteerMatcher()
    lists = {"first_names": names, "words": words, "organisations": firms}
    matcher.initialize(list, lists=lists)
    doc = matcher(spacy.blank("sv")(text))
    assert doc.spans["gazetteer"].attrs["scores"] == [score]


@cases
def test_longest_and_closest_entry(text: str, hits: list[tuple[str, str, float]]):
    matcher = GazetteerMatcher(max_tokens=3)
    for name in ("Karl-Erik", "Karl", "Erik", "Bo", "Eva", "Anna"):
        matcher.add(name, "first_name")
    matcher.add("Annas", "first_name", ambiguous=True)
    for term, kind in (("läkare", "title"), ("överläkare", "unit"), ("ett två tre", "place")):
        matcher.add(term, kind)
    matcher.add("ett två tre fyra", "place")
    doc = matcher(NLP(text))
    group = doc.spans["gazetteer"]
    assert [(s.text, s.id_, score) for s, score in zip(group, group.attrs["scores"])] == hits


@cases
def test_compounds(text: str, kinds: list[str]):
    matcher = GazetteerMatcher()
    matcher.add("Pfizer", "organisation")
    matcher.add("Alvesta", "place")
    doc = spacy.blank("sv")(text)
    assert [span.id_ for span in matcher(doc).spans["gazetteer"]] == kinds


class Everything:
    """Holds what there is: nothing is passed over."""

    def __contains__(self, item: str) -> bool:
        return True


PIECES = ["gun", "britt", "s:t", "eriks", "ögonsjukhus", "upplands", "väsby", "pfizer", "sprutan"]
SIGNS = [" ", "  ", "-", ":", ".", ", ", "\n", "\u200b", "/", "s ", "-sprutan", "1", "S:t Eriks "]


@given(st.lists(st.sampled_from(PIECES + SIGNS), max_size=9).map("".join))
def test_no_entry_is_passed_over(text: str):
    found = []
    for joints in (None, Everything()):
        matcher = GazetteerMatcher()
        for term, kind in CASES["entries"]:
            matcher.add(term, kind)
        matcher._joints = joints
        doc = matcher(NLP.make_doc(text))
        found.append([(span.start, span.end, span.id_) for span in doc.spans["gazetteer"]])
    assert found[0] == found[1]
