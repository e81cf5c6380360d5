"""Mutations of messages, hostile messages, and what is measured on them."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.text.folding import fold_text
from lab.measures.mutations import MUTATIONS, make_input, mutate_spans
from lab.scripts.fuzz import find_faults, fuzz
from lab.scripts.measure_length import write_table
from lab.scripts.robustness import PLAIN, measure_robustness

# What people write to care givers, and what nobody writes.
PIECES = [
    "Hej", "jag heter", "Anna Lind", "mamma Eva", "BO EK", "lasse", "/LN", "MVH//Anna", "i Lund",
    "Storgatan 12", "123 45 Täby", "070-1740605", "+46 (0)31 39 006 00", "900101-2385",
    "19900101 2385", "sista fyra 2385", "anna@example.com", "3 maj", "11/3", "2022-03-11", "nio år",
    "34 år", "8 mån", "vårdcentralen", "Capio", "FK Lund", "Alvedon 500 mg", "120/80", "37,4",
    "Parkinsons", "kl 8.30", "v. 25", "😀", "t.ex.", "a_a_", "www.a.se", "🇸🇪", "½",
]  # fmt: skip
GLUE = ["", " ", " ", " ", "\n", ", ", "/", "-", "\u200b", "\u00a0", "\t", ":", "(", ")", "."]


@st.composite
def pieces(draw):
    piece = draw(st.sampled_from(PIECES))
    if draw(st.integers(0, 2)) == 0:
        mutation = MUTATIONS[draw(st.sampled_from(sorted(MUTATIONS)))]
        piece = mutation(piece, draw(st.randoms(use_true_random=False)))
    return piece


def messages():
    """RETURNS (SearchStrategy[str]): Messages."""
    part = pieces() | st.text(max_size=8) | st.sampled_from(GLUE)
    return st.lists(st.tuples(part, st.sampled_from(GLUE)), max_size=8).map(
        lambda parts: "".join(text + glue for text, glue in parts)
    )


ROWS = [
    {
        "id": "1",
        "text": "Ring Anna Lind, 070-174 06 05!",
        "spans": [
            {"start": 5, "end": 14, "label": "PERSON"},
            {"start": 16, "end": 29, "label": "PHONE"},
        ],
    },
    {"id": "2", "text": "Hej", "spans": []},
]


@pytest.fixture
def data_path(tmp_path):
    path = tmp_path / "messages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf8")
    return path


@pytest.mark.parametrize("name", MUTATIONS)
@given(seed=st.integers(0, 50))
def test_spans_are_mutated_and_nothing_else(name, seed):
    text, places = mutate_spans(ROWS[0], MUTATIONS[name], Random(seed))
    (a, b), (c, d) = places
    assert (text[:a], text[b:c], text[d:]) == ("Ring ", ", ", "!")


@pytest.mark.parametrize(
    "name, original, folded",
    [
        ("full-width digits", "070-174", "070-174"),
        ("Devanagari digits", "070-174", "070-174"),
        ("other hyphens", "070-174", "070-174"),
        ("other spaces", "12 34", "12 34"),
        ("invisible characters", "900101-2385", "900101-2385"),
        ("decomposed letters", "Åsa", "Åsa"),
        ("struck through", "Åsa", "Åsa"),
        ("full-width letters", "a@b.se", "a@b.se"),
        ("the letter O for a zero", "9001012385", "9001012385"),
        ("a letter for a one", "9001012385", "9001012385"),
    ],
)
@given(seed=st.integers(0, 30))
def test_folded_it_is_what_it_was(name, original, folded, seed):
    mutated = MUTATIONS[name](original, Random(seed))
    assert mutated != original
    assert fold_text(mutated).text == folded


@pytest.mark.parametrize(
    "name", ["a digit mistyped", "two letters swapped", "Cyrillic look-alikes"]
)
def test_length_stays(name):
    originals = ["900101-2385", "Kalle Ek"]
    mutated = [MUTATIONS[name](text, Random(3)) for text in originals]
    assert [*map(len, mutated)] == [*map(len, originals)]
    assert mutated != originals


def test_hostile_messages_are_repeatable_and_hostile():
    texts = [row["text"] for row in ROWS]
    inputs = [make_input(texts, Random(f"0-{i}")) for i in range(300)]
    assert inputs == [make_input(texts, Random(f"0-{i}")) for i in range(300)]
    assert len(set(inputs)) > 200
    assert not all(text.isascii() for text in inputs)


@given(messages())
def test_what_must_hold_of_any_message(tiny_nlp, text):
    assert [*find_faults(tiny_nlp(text), text)] == []


def test_faults_are_found(tiny_nlp):
    text = "Ring 070-1740605"
    doc = tiny_nlp(text)
    assert [*find_faults(doc, text)] == []
    (item,) = doc._.replacements
    original = text[item["start"] : item["end"]]
    doc._.replacements = [{**item, "replacement": original}]
    faults = {*find_faults(doc, text)}
    assert {"a PHONE stays itself", "offsets in the output are wrong"} <= faults
    doc._.replacements = [{**item, "replacement": original.upper().replace("-", "‑")}]
    assert "a PHONE stays itself" in {*find_faults(doc, text)}
    doc._.replacements = [{**item, "replacement": original, "kept": True}]
    assert "a PHONE stays itself" not in {*find_faults(doc, text)}
    doc._.replacements = [item, item]
    assert "replacements overlap" in {*find_faults(doc, text)}
    doc._.replacements = []
    assert "the replacements do not make up the output" in {*find_faults(doc, text)}
    doc = tiny_nlp(text)
    doc.ents = []
    assert "a PHONE of the rules is left" in {*find_faults(doc, text)}
    doc._.failed = "x"
    assert [*find_faults(doc, text)] == ["failed: x"]
    assert "the text has another length" in {*find_faults(tiny_nlp(text), text + "!")}


def test_fuzz(tiny_path, data_path, tmp_path):
    fuzz(tiny_path, data_path, tmp_path / "fuzz.json", count=60, whole=20, n_process=1, seed=1)
    figures = json.loads((tmp_path / "fuzz.json").read_text(encoding="utf8"))
    assert [figures[name]["messages"] for name in ("rules and lists", "whole")] == [60, 20]
    assert figures["whole"]["faults"] == {}


def test_measure_robustness(tiny_path, data_path, tmp_path):
    page_path = tmp_path / "page.md"
    page_path.write_text("a\n<!-- mutations -->\nold\n<!-- /mutations -->\nb\n", encoding="utf8")
    measure_robustness(tiny_path, data_path, tmp_path / "m.json", page_path, seed=0)
    figures = json.loads((tmp_path / "m.json").read_text(encoding="utf8"))
    assert set(figures) == {PLAIN, *MUTATIONS}
    assert all(figures[name]["PHONE"] == [1, 1] for name in figures if name != "a digit mistyped")
    page = page_path.read_text(encoding="utf8")
    assert page.startswith("a\n<!-- mutations -->\n| mutation |")
    assert page.endswith("<!-- /mutations -->\nb\n")
    assert "old" not in page


def test_table_of_lengths():
    figures = {
        "messages": {10: {"total": 2.0, "peak_mb": 500}, 30: {"total": 5.0, "peak_mb": 1500}},
        "7": {30: {"total": 1.25, "peak_mb": 700}},
    }
    assert write_table(figures).splitlines() == [
        "| text | characters | CPU seconds | times as long | peak, MB |",
        "| --- | --- | --- | --- | --- |",
        "| messages | 10 | 2.0 | – | 500 |",
        "| messages | 30 | 5.0 | 2.5 | 1,500 |",
        "| `7` | 30 | 1.2 | – | 700 |",
    ]
