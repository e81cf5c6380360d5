"""The counts of a run."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.merging.finds import SOURCES
from components.reports.copied_columns import Found, count_cells, find_values
from components.reports.summary import LENGTHS, Summary, find_bin
from components.shared.labels import LABELS
from tests.reports.making import make_doc, make_message, make_summary

PLANTED = "Knurvel"


def test_hand_counted():
    assert make_summary().to_dict() == {
        "rows": 4, "alone": 0, "messages": 5, "empty": 1, "touched": 3, "characters": 59 + 2 + 17 + 80 + 4,
        "rejected": {"not valid JSON": 1, "the participants of line … cannot be read": 2},
        "failed": {"phi_ner (ValueError, a.py line 3)": 1},
        "withheld": {"language (fi)": 1},
        "replaced": {"AGE": 1, "LOCATION": 1, "PERSON": 1},
        "kept": {"ORGANISATION": 1},
        "found": {"AGE": {"rules": 1}, "LOCATION": {"phi": 1}, "ORGANISATION": {"rules+phi": 1},
                  "PERSON": {"phi+gazetteer": 1}},
        "confidence": {"AGE": {"0.9": 1}, "LOCATION": {"0.3": 1}, "ORGANISATION": {"0.9": 1},
                       "PERSON": {"0.9": 1}},
        "lengths": {"16": 1, "2": 1, "4": 1, "50": 1, "80": 1},
        "entities": {"0": 2, "4": 1},
        "languages": {"en": 1, "fi": 1, "sv": 1},
        "columns": {},
    }  # fmt: skip


def test_sentence():
    summary = make_summary()
    assert str(summary) == "Replaced: AGE 1, LOCATION 1, PERSON 1. Kept: ORGANISATION 1."
    assert str(Summary()) == "Replaced: nothing."


def test_only_kept_is_not_touched():
    summary = Summary()
    summary.add(make_doc("vårdcentralen", ("vårdcentralen", "ORGANISATION", "rules", 1.0, None)))
    assert (summary.messages, summary.touched) == (1, 0)


@pytest.mark.parametrize(
    "language, counted",
    [(None, {}), ("sv", {"sv": 1}), ("", {"unknown": 1}), (f"{PLANTED}", {"unknown": 1})],
)
def test_languages(language, counted):
    summary = Summary()
    summary.add(make_doc("Hej"), language)
    assert summary.languages == counted


def test_what_is_not_processed_is_refused():
    doc = make_doc(PLANTED)
    doc._.replacements = None
    with pytest.raises(ValueError, match="surrogate_generator") as raised:
        Summary().add(doc)
    assert PLANTED not in str(raised.value)


def test_nothing_of_a_text():
    summary = Summary()
    doc = make_doc(f"Hej {PLANTED} {PLANTED}sson", (PLANTED, "PERSON", PLANTED, 0.5, "Eva"))
    # A class of nobody's: the surrogate_generator leaves it alone, too.
    doc.ents = [*doc.ents, doc.char_span(12, 23, PLANTED)]
    summary.add_row([doc], [PLANTED])
    assert PLANTED.lower() not in json.dumps(summary.to_dict()).lower()
    assert summary.found == {"PERSON": {"other": 1}}


@pytest.mark.parametrize(
    "length, bin", [(0, "0"), (1, "1"), (7, "6"), (99, "80"), (100, "100"), (10**9, "10000000")]
)
def test_bins(length, bin):
    assert list(LENGTHS) == sorted(set(LENGTHS))
    assert find_bin(LENGTHS, length) == bin


def test_counts_of_another_version_are_refused():
    counts = make_summary().to_dict()
    del counts["touched"]
    with pytest.raises(ValueError, match="another version"):
        Summary.from_dict(counts)


entity = st.tuples(st.sampled_from(LABELS), st.sampled_from(SOURCES), st.floats(0, 1))


@st.composite
def one_row(draw):
    if draw(st.booleans()):
        return lambda summary: summary.add_reject("not valid JSON")
    words = draw(st.lists(st.none() | entity, max_size=4))
    text = " ".join(f"ord{n}" for n in range(len(words)))
    found = [
        (f"ord{n}", label, source, score, draw(st.sampled_from(["x", None])))
        for n, (label, source, score) in ((n, each) for n, each in enumerate(words) if each)
    ]
    language = draw(st.sampled_from(["sv", "en", None]))
    doc = make_doc(text, *found)
    fields = {"a": draw(st.sampled_from(["ord1 ord2", "900101-2385", ""])), "b": [text]}

    def add(summary):
        summary.add_row([doc], [language])
        count_cells(summary.columns, fields, Found(find_values(doc)))

    return add


@given(st.lists(st.tuples(one_row(), st.integers(0, 3)), max_size=8), st.permutations(range(4)))
def test_parts_add_up_in_any_order(rows, order):
    whole, parts = Summary(), [Summary() for _ in order]
    for add, part in rows:
        add(whole)
        add(parts[part])
    merged = Summary()
    for part in order:
        merged.merge(Summary.from_dict(json.loads(json.dumps(parts[part].to_dict()))))
    assert merged == whole
    assert json.dumps(merged.to_dict()) == json.dumps(whole.to_dict())


def test_merging_leaves_the_other_alone():
    one, other = Summary(), Summary()
    other.add(make_message())
    one.merge(other)
    one.add(make_message())
    assert other.found["PERSON"] == {"phi+gazetteer": 1}
