"""The chat tokenizer."""

import re
import time
import unicodedata

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

import components  # noqa: F401
from components.measures.formats.registry import chat_language
from components.text.tokenizer import _char_class
from tests.cases import cases, read_arrows


@pytest.mark.parametrize("categories", [["Mn", "Mc", "Me"], ["Zs"], ["Nd"], ["Pd", "Cf"]])
def test_char_class(categories):
    chars = [chr(i) for i in range(0x20000)]
    found = set(re.findall(f"[{_char_class(*categories)}]", "".join(chars)))
    assert found == {char for char in chars if unicodedata.category(char) in categories}


# Each `|` is a token boundary that must be there; between them there may be more.
BOUNDARIES = [text for (text,) in read_arrows(__file__, "boundaries.txt")]


@pytest.mark.parametrize("marked", BOUNDARIES)
def test_boundaries(nlp, marked):
    parts = marked.split("|")
    doc = nlp.make_doc("".join(parts))
    starts = {token.idx for token in doc} | {len(doc.text)}
    position = 0
    for part in parts:
        if not part.isspace():
            assert position in starts, [token.text for token in doc]
        position += len(part)
    assert [token.text for token in nlp.make_doc("Anna|Bo")] == ["Anna", "|", "Bo"]


@cases
def test_stays_whole(nlp, text):
    assert [token.text for token in nlp.make_doc(text)] == [text]
    assert text in [token.text for token in nlp.make_doc(f"({text}), och")]


ANY = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80)


@given(ANY | st.text(alphabet="Aaå1 ./-:@()_'’😀👍🏽\u200d\n\r", max_size=40))
def test_non_destructive(text):
    doc = NLP.make_doc(text)
    assert doc.text == text
    assert all(text[token.idx : token.idx + len(token)] == token.text for token in doc)
    for token in doc:
        if "@" not in token.text:
            kinds = {(char.isalpha(), char.isdigit()) for char in token.text if char.isalnum()}
            assert len(kinds) <= 1


NLP = chat_language()


def test_round_trip(nlp, tmp_path):
    nlp.to_disk(tmp_path)
    texts = ["/LN 8år", "Ort:0935123456", "t.ex. (anna@example.se).", "😀Anna J. nov."]
    loaded = spacy.load(tmp_path)
    other = chat_language().from_bytes(nlp.to_bytes())
    for text in texts:
        expected = [token.text for token in nlp.make_doc(text)]
        assert [token.text for token in loaded.make_doc(text)] == expected
        assert [token.text for token in other.make_doc(text)] == expected


@pytest.mark.parametrize("unit", ["a1", "(-", "a@", ":)"])
def test_long_text_in_linear_time(nlp, unit):
    text = unit * (100_000 // len(unit))
    start = time.process_time()
    assert nlp.make_doc(text).text == text
    assert time.process_time() - start < 5
