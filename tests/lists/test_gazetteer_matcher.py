"""Lookup of words in lists."""

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.training import Example

import components  # noqa: F401
from components.lists.gazetteer_matcher import GazetteerMatcher
from components.lists.lists import read_lists
from components.lists.words import CommonWords
from components.measures.formats.registry import chat_language
from tests.cases import cases, read_cases
from tests.conftest import ROOT

CASES = read_cases(__file__)

NLP = chat_language()


LISTS = read_lists(str(ROOT / "tests" / "tiny_lists"))


def make_matcher(tokenizer, max_tokens, entries, words):
    """A tokenizer, and a matcher with some entries and words."""
    matcher = GazetteerMatcher(max_tokens=max_tokens)
    for kind, terms in entries.items():
        for term in terms.split(","):
            matcher.add(term.rstrip("?"), kind, ambiguous=term.endswith("?"))
    rows = ({"word": word, "per_million": str(n)} for word, n in words.items())
    matcher.words = CommonWords.from_rows(rows)
    return {"chat": NLP, "sv": spacy.blank("sv")}[tokenizer], matcher


MATCHERS = {name: make_matcher(*rest) for name, *rest in CASES["matchers"]}


@cases
def test_hits(name, text, hits):
    nlp, matcher = MATCHERS[name]
    doc = matcher(nlp(text))
    group = doc.spans["gazetteer"]
    found = [(s.text, s.label_, s.id_, score) for s, score in zip(group, group.attrs["scores"])]
    assert found == hits and doc.ents == ()


@given(st.text(max_size=80))
def test_any_text(text):
    nlp, matcher = MATCHERS["lists"]
    doc = matcher(nlp(text))
    for span in doc.spans["gazetteer"]:
        assert doc.text[span.start_char : span.end_char] == span.text != ""


@pytest.mark.parametrize("kind", ["name", "", "PERSON"])
def test_what_cannot_be_used(kind):
    with pytest.raises(ValueError, match="Known"):
        GazetteerMatcher().add("Anna", kind)
    with pytest.raises(ValueError, match="Known"):
        GazetteerMatcher(endings={kind: ["s"]})
    with pytest.raises(ValueError, match="word lists"):
        GazetteerMatcher().initialize(list, lists={})


def test_commonness_of_odd_characters():
    words = [{"word": word, "per_million": "50.0"} for word in ("bruna", "ağrı", "à")]
    matcher = GazetteerMatcher()
    matcher.initialize(list, lists=LISTS | {"words": words})
    doc = matcher(NLP("Bru\u00adna AĞRI ağrı a\u0300 \u200b 12 bruna1"))
    known = {token.text for token in doc if doc._.commonness[token.i][0]}
    assert known == {"Bru\u00adna", "AĞRI", "ağrı", "a\u0300", "bruna"}


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
    # They are folded.
    examples = [Example.from_dict(nlp.make_doc("ann\u0430s mat"), {"entities": []})] * 3
    matcher.initialize(lambda: examples, lists=LISTS)
    assert matcher.ordinary == {"annas"}


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
