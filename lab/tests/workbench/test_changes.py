"""Messages with names in another casing, or with spoiled annotation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.workbench.changes import case_names, spoil

TEXT = "Hej anna-karin i straßburg den 3 Maj"
SPANS = [
    {"start": 4, "end": 14, "label": "PERSON"},
    {"start": 17, "end": 26, "label": "LOCATION"},
    {"start": 31, "end": 36, "label": "DATE"},
]
ROW = {"text": TEXT, "spans": SPANS}


@pytest.mark.parametrize(
    ("casing", "text"),
    [
        ("title", "Hej Anna-Karin i Straßburg den 3 Maj"),
        ("lower", "Hej anna-karin i straßburg den 3 Maj"),
        # In capitals, ß would take two letters.
        ("upper", "Hej ANNA-KARIN i straßburg den 3 Maj"),
    ],
)
def test_names_alone_are_cased(casing, text):
    assert case_names([ROW], casing) == [{**ROW, "text": text}]
    assert ROW["text"] == TEXT


def test_mixed_casing_has_all():
    rows = [{"text": "anna", "spans": [{"start": 0, "end": 4, "label": "PERSON"}]}] * 300
    texts = [row["text"] for row in case_names(rows, "mixed")]
    assert set(texts) == {"Anna", "ANNA", "anna"}
    assert texts.count("Anna") > texts.count("ANNA") > texts.count("anna")
    assert case_names(rows, "mixed", seed=1) != case_names(rows, "mixed")


@given(st.sampled_from([0.0, 0.3, 1.0]), st.integers(0, 9))
def test_spoiled_annotation(share, seed):
    rows = [ROW] * 100
    spoiled = spoil(rows, share, seed)
    assert [row["text"] for row in spoiled] == [TEXT] * 100
    spans = [span for row in spoiled for span in row["spans"]]
    kept = sum(span in SPANS for span in spans)
    left_out, changed = 300 - len(spans), len(spans) - kept
    assert left_out + changed == pytest.approx(300 * share, abs=35)
    assert left_out == pytest.approx(changed, abs=45)
    assert ROW["spans"] == SPANS
