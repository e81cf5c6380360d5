"""Sections of a long text: they cover it, overlap, and each place is decided on by one of them."""

from itertools import pairwise

import spacy
from hypothesis import given
from hypothesis import strategies as st

from components.reading.sections import get_sections, merge_sections


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


def test_cuts_at_lines_and_words():
    text = "x" * 45 + " " + "y" * 100
    first, *_ = get_sections(text, 50, 20)
    assert first.end == 46
    text = "x" * 41 + "\n" + "y y " * 30
    first, *_ = get_sections(text, 50, 20)
    assert first.end == 42


def test_short_text():
    assert [*get_sections("Hej", 3, 1)] == [(0, 3, 0, 3)]
    assert [*get_sections("", 3, 1)] == [(0, 0, 0, 0)]


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
    first, second = ((0, 13, 0, 10), (4, 22, 10, 22))
    from components.reading.sections import Section

    parts = [
        (Section(*first), make_part(nlp, text[:13], (4, 13, "PERSON"))),
        # One who reads on sees more; what lies before its own place is not its business.
        (Section(*second), make_part(nlp, text[4:], (5, 14, "LOCATION"), (0, 4, "DATE"))),
    ]
    merge_sections(doc, parts)
    assert [(ent.text, ent.label_, ent._.source, ent._.score) for ent in doc.ents] == [
        ("Anna Lind Berg", "PERSON", "phi", 0.5)
    ]
