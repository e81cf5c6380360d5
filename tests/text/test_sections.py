"""Sections of a long text, and what is found in a cleaned text in the doc of the original."""

from itertools import pairwise

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from components.text.cleaning.clean import DEFAULT_STEPS
from components.text.hits import make_span, write_hits
from components.text.message import close_doc, open_doc
from components.text.sections import Section, get_sections, merge_sections


@given(st.text("ab \n", max_size=400), st.integers(20, 60), st.integers(4, 18))
def test_sections(text, size, overlap):
    parts = [*get_sections(text, size, overlap)]
    assert parts[0].start == parts[0].first == 0
    assert parts[-1].end == parts[-1].last == len(text)
    assert all(part.end - part.start <= size for part in parts)
    assert all(part.start <= part.first <= part.last <= part.end for part in parts)
    for one, other in pairwise(parts):
        assert one.last == other.first
        assert other.start > one.start
        # On both sides of the place where one stops to decide there is something to read.
        assert other.first - other.start >= overlap // 2
        assert one.end - one.last >= overlap // 2 - 1


@pytest.mark.parametrize(
    ("text", "end"),
    [("x" * 45 + " " + "y" * 100, 46), ("x" * 41 + "\n" + "y y " * 30, 42), ("Hej", 3), ("", 0)],
)
def test_cuts_at_lines_and_words(text, end):
    first, *more = get_sections(text, 50, 20)
    assert first.end == end and bool(more) == (len(text) > 50)
    if not more:
        assert first == (0, end, 0, end)


def make_part(nlp, text, *ents):
    doc = nlp(text)
    doc.ents = [
        doc.char_span(start, end, label, alignment_mode="expand") for start, end, label in ents
    ]
    for ent in doc.ents:
        ent._.source, ent._.score = "phi", 0.5
    return doc


def test_what_two_sections_saw_is_one():
    nlp = spacy.blank("sv")
    text = "Hej Anna Lind Berg här"
    doc = nlp(text)
    parts = [
        (Section(0, 13, 0, 10), make_part(nlp, text[:13], (4, 13, "PERSON"))),
        # One who reads on sees more; what lies before its own place is not its business.
        (
            Section(4, 22, 10, 22),
            make_part(nlp, text[4:], (5, 14, "LOCATION"), (0, 4, "DATE")),
        ),
    ]
    merge_sections(doc, parts)
    (ent,) = doc.ents
    assert (ent.text, ent.label_) == ("Anna Lind Berg", "PERSON")
    assert (ent._.source, ent._.score) == ("phi", 0.5)


TEXT = r'{"bor": "Lund", "Bo Ek": "\u00c5re", "sent_at": 1, "850312": 2}'


def find(nlp, text: str, finds: list[str], key: str = "") -> list[str]:
    """What is left of finds in the cleaned text, as it stands in the original."""
    doc = nlp.make_doc(text)
    own = open_doc(doc, DEFAULT_STEPS)
    places = [(own.text.index(each), each) for each in finds]
    own.ents = [make_span(own, at, at + len(each), "PERSON") for at, each in places]
    if key:
        write_hits(own, key, ((ent, 1.0) for ent in own.ents))
    close_doc(own, doc)
    return [ent.text for ent in doc.ents]


def test_names_of_fields_are_left(tiny_nlp):
    finds = ["bor", "Lund", "Bo Ek", "Åre", "sent_at", "850312"]
    assert find(tiny_nlp, TEXT, finds) == ["Lund", "Bo Ek", r"\u00c5re", "850312"]
    # Elsewhere they are words like others.
    assert find(tiny_nlp, r"bor: \u00c5re", ["bor"]) == ["bor"]


@pytest.mark.parametrize("key", ["known", "custom"])
def test_a_name_of_a_field_that_is_known_is_none(tiny_nlp, key: str):
    assert find(tiny_nlp, TEXT, ["bor", "Lund"], key) == ["bor", "Lund"]
