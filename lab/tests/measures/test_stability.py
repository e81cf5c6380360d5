"""The same message in another form."""

from random import Random

import pytest
import spacy
from spacy.tokens import Span

from components.measures.gold import check_message
from lab.measures.stability import (
    AS_OTHER,
    CHANGES,
    LEFT,
    READINGS,
    WHOLE,
    compare,
    get_fates,
    measure_stability,
)
from lab.scripts.stability import write_table

TEXT = "Hej! Ring Åsa Lind, hon är snäll.\nMvh och kram idag Bo"


def make_row(text=TEXT, phi=("Åsa Lind", "Bo"), **more):
    spans = [
        {"start": text.index(one), "end": text.index(one) + len(one), "label": "PERSON"}
        for one in phi
    ]
    return {"id": "1", "text": text, "spans": spans, **more}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("layout: a line for each sentence", TEXT.replace("! ", "!\n")),
        ("layout: all on one line", TEXT.replace("\n", " ")),
        ("layout: no space behind punctuation", None),
        ("layout: quoted", "> " + TEXT.replace("\n", "\n> ")),
        ("casing: lower", TEXT.lower()),
        ("casing: capitals", TEXT.upper()),
        ("typos: one word in twenty", None),
        ("typos: no dots and rings (aao)", None),
        ("typos: chat words", None),
    ],
)
def test_changes(name, text):
    row = make_row()
    drawn = [CHANGES[name](row, Random(seed)) for seed in range(40)]
    assert {one["text"] for one in drawn} == {text} if text else len(drawn) > 1
    assert row == make_row() and any(one["text"] != TEXT for one in drawn)
    for one in drawn:
        check_message(one)
        words = [one["text"][s["start"] : s["end"]].lower() for s in one["spans"]]
        assert words[1] == "bo" and len(words) == 2
        assert words[0][-1] == "d" or name.startswith("typos")


def make_doc(*found):
    doc = spacy.blank("sv")(TEXT)
    doc.ents = [doc.char_span(start, end, label=label) for start, end, label in found]
    assert all(isinstance(ent, Span) for ent in doc.ents)
    return doc


@pytest.mark.parametrize(
    ("found", "fate"),
    [
        ([(10, 18, "PERSON")], WHOLE),
        ([(10, 13, "PERSON"), (14, 18, "PERSON")], WHOLE),
        ([(5, 19, "PERSON")], WHOLE),
        ([(10, 18, "LOCATION")], AS_OTHER),
        ([(10, 13, "PERSON"), (14, 18, "LOCATION")], AS_OTHER),
        ([(10, 13, "PERSON")], LEFT),
        ([], LEFT),
    ],
)
def test_fates(found, fate):
    assert get_fates(make_row(), make_doc(*found)) == [fate, LEFT]


def test_whose_fate_changes():
    rows = [make_row(conversation="c"), make_row(conversation="c"), make_row()]
    before = [[WHOLE, LEFT], [WHOLE, AS_OTHER], [WHOLE, WHOLE]]
    after = [[LEFT, WHOLE], [AS_OTHER, AS_OTHER], [WHOLE, WHOLE]]
    figures = compare(rows, before, after)
    low, high = figures.pop("interval")
    assert figures == {"messages": 3, "entities": 6, "changed": 3, "lost": 1, "won": 1}
    # Of two units one has three of four changed, the other none.
    assert (low, high) == (0, 0.75)
    assert "| x | 3 | 6 | .500 (.000-.750) | .167 | .167 |" in write_table(
        {"x": {**figures, "interval": (low, high)}}
    )
    assert "| x | 0 | 0 | – | – | – |" in write_table({"x": compare([], [], [])})


def test_numbers_that_rules_find_stand_in_any_form(tiny_nlp):
    number = {"start": 5, "end": 18, "label": "PHONE"}
    rows = [{"id": str(i), "text": f"Ring 070-174 06 0{i}! Snart.", "spans": [number]} for i in range(5, 9)]  # fmt: skip
    figures = measure_stability(tiny_nlp, [*rows, {"id": "0", "text": "Hej", "spans": []}])
    assert set(figures) == {*CHANGES, *READINGS}
    assert {own["changed"] for own in figures.values()} == {0}
    assert {figures[name]["entities"] for name in READINGS} == {4}
    assert figures["layout: all on one line"]["messages"] == 0


def test_a_pipeline_that_reads_casing_is_told_of():
    """A pipe that finds names by their capital."""
    nlp = spacy.blank("sv")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Bo"}])
    nlp.add_pipe("surrogate_generator", config={"required": [], "strategy": "mask"})
    figures = measure_stability(nlp, [make_row(phi=["Bo"])])
    assert figures["casing: lower"] | {"interval": 0} == {
        "messages": 1, "entities": 1, "changed": 1, "lost": 1, "won": 0, "interval": 0,
    }  # fmt: skip
    assert figures["layout: quoted"]["changed"] == 0
