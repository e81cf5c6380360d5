"""Columns beside the texts, and what of them should not be copied."""

import json
import math
from collections import Counter
from datetime import date, datetime
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from components.reports.copied_columns import (
    Found,
    count_cells,
    find_copied,
    find_values,
    get_form,
    write_concerns,
)
from tests.cases import cases
from tests.reports.making import make_doc
from tests.strategies import json_values


@cases
def test_found_by_value(label, value, cell):
    assert Found([(label, value)]).find(cell) == {label}
    counts = {}
    count_cells(counts, {"mine": cell}, Found([(label, value)]))
    assert label in find_copied(counts)["mine"]


@cases
def test_other_values(label, value, cell):
    assert Found([(label, value)]).find(cell) == set()


@cases
def test_forms(cell, form):
    assert get_form(cell) == form


def test_columns_of_a_form_need_no_text():
    """As long as at least half of what they hold is of it: number series hold some by chance."""
    counts = {}
    for n in range(10):
        fields = {
            "pid": "900101-2385", "mail": "anna@example.com" if n % 2 else None,
            "order": "9001012385" if n == 3 else f"45120{n:05}", "id": n,
        }  # fmt: skip
        count_cells(counts, fields, Found([]))
    assert find_copied(counts) == {"mail": ["EMAIL"], "pid": ["PID"]}
    assert counts["mail"]["cells"] == 5
    (mail, pid) = write_concerns(find_copied(counts))
    assert "'mail'" in mail and "EMAIL" in mail and "'pid'" in pid and "PID" in pid


def test_concerns_name_the_option():
    one, inside = write_concerns({"patient": ["PERSON"], "meta.name": ["PERSON"]})
    assert "--text-field 'patient'" in one and "column of its own" not in one
    assert "column of its own" in inside
    (frame,) = write_concerns({"patient": ["PERSON"]}, "text=[…, {!r}]")
    assert "text=[…, 'patient']" in frame and "--" not in frame


def test_nested_fields_are_named_but_not_what_may_be_data():
    fields = {
        "meta": {"patient": {"name": "Anna Lind"}, "n": [1, {"tel": "070-1740605"}]},
        "by": {"Anna Lind": True, "Bo": {"x": "Anna Lind"}},
        "list": [["Anna Lind"]],
        "flags": [None, True, math.nan, math.inf, Decimal("NaN"), 1.5],
        "pid": 199001012385.0,
    }
    found = Found([("PERSON", "Anna Lind"), ("PHONE", "0701740605"), ("PID", "900101-2385")])
    counts = {}
    count_cells(counts, fields, found)
    assert find_copied(counts) == {
        "by.…": ["PERSON"], "by.….x": ["PERSON"], "list[*][*]": ["PERSON"], "meta.n[*].tel": ["PHONE"],
        "meta.patient.name": ["PERSON"], "pid": ["PID"],
    }  # fmt: skip
    assert "Anna" not in json.dumps(counts, ensure_ascii=False) and "flags" not in counts


@cases
def test_clothes_of_a_spreadsheet(cell, label):
    values = [("PID", "480512-2381"), ("PHONE", "0701740605"), ("EMAIL", "bo@example.com")]
    counts = {}
    count_cells(counts, {"mine": cell}, Found([*values, ("PERSON", "Bo Ekdahl")]))
    assert label in find_copied(counts)["mine"]
    # Nothing of it is in the texts.
    count_cells(counts, {"other": cell}, Found([]))
    assert label == "PERSON" or find_copied(counts)["other"] == [label]


def test_first_name_beside_a_full_name():
    """Of whom the texts call the surname alone."""
    fields = {"name": "Anna Lindgren", "first": "Anna", "town": "Lund", "role": "lindgren"}
    counts = {}
    count_cells(counts, fields, Found([("PERSON", "Lindgren")]))
    assert [*find_copied(counts)] == ["first", "name", "role"]


def test_times_are_told_of_where_dates_are_replaced():
    fields = {
        "sent": "2024-05-03T10:12:00Z", "read": datetime(2024, 5, 3, 10), "sent_at": 1714731120,
        "order": 1714731120, "clock": "10:12", "born": date(1990, 1, 1),
    }  # fmt: skip
    counts = {}
    count_cells(counts, fields, Found([("DATE", "1990-01-01")]))
    assert find_copied(counts) == {"born": ["DATE"]}
    copied = find_copied(counts, has_dates=True)
    assert copied == {name: ["TIME"] for name in ("born", "read", "sent", "sent_at")}
    assert "--time-field 'sent'" in write_concerns(copied)[2]


def test_a_row_counts_once():
    counts = {}
    count_cells(counts, {"all": ["Anna Lind", "Anna Lind", ""]}, Found([("PERSON", "Anna Lind")]))
    assert counts == {"all[*]": Counter({"cells": 1, "found PERSON": 1})}


def test_what_is_kept_or_masked_whole_is_not_looked_for():
    doc = make_doc(
        "Anna på vårdcentralen",
        ("Anna", "PERSON", "phi", 1.0, "Eva"),
        ("vårdcentralen", "ORGANISATION", "rules", 1.0, None),
    )
    assert [*find_values(doc)] == [("PERSON", "Anna")]
    doc._.withheld = "language (fi)"
    assert [*find_values(doc)] == []


VALUES = json_values(st.text(max_size=9), st.floats(), st.decimals(), st.datetimes())
PAIRS = st.lists(
    st.tuples(st.sampled_from(["PERSON", "PID", "PHONE", "DATE", "EMAIL", "X"]), st.text())
)


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), PAIRS)
def test_any_cell_can_be_looked_at(fields, pairs):
    counts = {}
    count_cells(counts, fields, Found(pairs))
    assert all(name.startswith(tuple(fields)) for name in counts)
    find_copied(counts)
