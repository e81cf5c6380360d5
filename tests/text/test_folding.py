"""The folded copy of a text, and what reads it."""

import sys
import unicodedata

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

import components  # noqa: F401
from components.lists.gazetteer_matcher import GazetteerMatcher
from components.measures.formats.registry import chat_language
from components.merging.facts import Facts
from components.merging.span_merger import SpanMerger
from components.text.folding import LOOK_ALIKE, SPECIAL, TABLE, fold_text
from tests.cases import cases, read_arrows
from tests.steps import count_steps

ODD = "\u00a0\u2009\u202f\t\u00ad\u200b\u200d\ufeff\u2011\u2013\u2212٠٣５０ıİſKÅ\u0308\u030a\u20e3\ufe0f"
ODD += "АаОоνα＠．①²½ßéñ\u2028\x85\x00\x96👩👍🏽oOlI07 -./|aÅö’€\n\r"
TEXTS = st.one_of(st.text(max_size=60), st.text(alphabet=ODD, max_size=60))
PLAIN = "Hej, jag heter Åsa Öberg-Lindén: \"32 år\", väger 80 kg; 'ok' ’ja’ ”nej” €5 50% @x\n(a/b) + 2=2!"


@given(TEXTS)
def test_offsets(text: str):
    folded = fold_text(text)
    end = 0
    for i in range(len(folded.text)):
        start_char, end_char = folded.to_original(i, i + 1)
        assert end <= start_char < end_char <= len(text)
        assert folded.to_folded(start_char) == i
        assert folded.to_folded(end_char) == i + 1
        end = end_char
    assert folded.original == text
    assert folded.to_folded(0) == 0
    assert folded.to_folded(len(text)) == len(folded.text)
    counts = [folded.to_folded(at) for at in range(len(text) + 1)]
    assert counts == sorted(counts)
    for i in range(len(folded.text) + 1):
        start_char, end_char = folded.to_original(i, i)
        assert 0 <= start_char == end_char <= len(text)
    assert fold_text(folded.text).text == folded.text
    assert len(folded.text.lower()) == len(folded.text)
    if folded.text:
        whole = folded.to_original(0, len(folded.text))
        assert not fold_text(text[: whole[0]]).text and not fold_text(text[whole[1] :]).text


@given(st.text(alphabet=PLAIN, max_size=80))
def test_plain_text_stays(text: str):
    assert SPECIAL.isdisjoint(PLAIN)
    folded = fold_text(text)
    assert folded.text == text
    for i in range(len(text)):
        assert folded.to_original(i, i + 1) == (i, i + 1)


@pytest.mark.parametrize(("text", "folded"), read_arrows(__file__, "folding.txt"))
def test_kinds(text: str, folded: str):
    assert fold_text(text).text == folded


def test_what_cannot_be_seen_is_within_and_not_beside():
    folded = fold_text("\u200bA\u200bn\u200b na\u030a\u0336\u200b")
    assert folded.text == "An nå"
    assert folded.to_original(0, 2) == (1, 4)
    assert folded.to_original(4, 5) == (7, 10)
    assert folded.to_original(5, 5) == (11, 11)
    assert folded.to_original(2, 2) == (5, 5)
    assert [folded.to_folded(at) for at in (0, 1, 2, 4, 11)] == [0, 0, 1, 2, 5]


def test_every_digit_space_and_dash():
    expected = {"Pd": "-", "Cf": "", "Zl": "\n", "Zp": "\n", "Zs": " "}
    for char in map(chr, range(sys.maxunicode + 1)):
        new = TABLE.get(ord(char), char)
        assert len(new) <= 1 and len(new.lower()) == len(new)
        category = unicodedata.category(char)
        if category in expected:
            assert fold_text(f"x{char}x").text == f"x{expected[category]}x"
        elif category == "Nd":
            assert fold_text(f"x{char}x").text == f"x{unicodedata.decimal(char)}x"
        elif category in ("No", "Nl", "So") and char != "\u2800":
            assert fold_text(f"x{char}x").text == f"x{char}x"
    assert all(len(fold_text(f"A{char}A").text) == 3 for char in LOOK_ALIKE)


@pytest.mark.parametrize("piece", ["a", "å\u030a", "\u200b", "1O", "O7О ", "a@а", "٠", "l ", "1-O"])
def test_steps_are_linear(piece: str):
    short = count_steps(lambda: fold_text(piece * 200))
    assert count_steps(lambda: fold_text(piece * 1600)) <= 8 * short + 100


def make_doc(text: str) -> Doc:
    doc = chat_language()(text)
    matcher = GazetteerMatcher()
    for name in ("Anna", "Bo"):
        matcher.add(name, "first_name", ambiguous=name == "Bo")
    matcher.add("Sommar", "surname", ambiguous=True)
    matcher.add("Berg", "surname")
    matcher.add("mamma", "title")
    return SpanMerger(standalone=["first_name", "surname"])(matcher(doc))


@pytest.mark.parametrize("space", [" ", "\u00a0", "\t", "\u2009"])
@cases
def test_merger_knows_every_space(space: str, text: str):
    parts = text.replace("_", space).split("|")
    assert [ent.text for ent in make_doc("".join(parts)).ents] == parts[::2]


@cases
def test_words_are_glued_by_hyphens(text: str, glued: bool):
    doc = make_doc(text)
    facts = Facts(doc)
    assert any(facts.is_glued(i) for i in range(len(doc))) == glued
    # A word goes on over each glued boundary, and over no other.
    for i in range(len(doc)):
        start, end = facts.get_word(i)
        assert start <= i < end
        assert all(map(facts.is_glued, range(start + 1, end)))
        assert not facts.is_glued(start)
        assert end == len(doc) or not facts.is_glued(end)


@given(st.text("aÅ1 \n.😊\u200be\u0301İ-", max_size=30))
def test_bounds_are_those_of_each_token(text):
    doc = spacy.blank("sv")(text)
    folded = fold_text(text)
    starts, ends = folded.get_bounds(doc)
    assert starts.tolist() == [folded.to_folded(token.idx) for token in doc]
    assert ends.tolist() == [folded.to_folded(token.idx + len(token)) for token in doc]
