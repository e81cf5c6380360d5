"""Surrogates of what a pipeline found by itself."""

import pytest
import spacy

from lab.measures.predicted import VALIDATORS, count_predicted, tabulate_predicted

NLP = spacy.blank("sv")


@pytest.mark.parametrize(
    ("label", "valid", "wrong"),
    [
        ("DATE", "31/1; 29/2; 3-5 maj; v. 54-; 2019-2021; julafton; v 12; den 3:e mars", ""),
        ("DATE", "2020-02-29; 900228; 3/9-9/9", "31/2; 2021-02-29; 900231; v 54; 30-31 feb; hej"),
        ("AGE", "4 år; fyra; 8 mån", "gammal"),
        ("PID", "900101-2385; 2385; 19900101 2385", "900101-2386; 901301-2380; 23855"),
        ("PHONE", "070-174 06 05; +46 70 174 06 05; noll sju noll ett sju fyra noll sex noll fem", "12"),
    ],
)  # fmt: skip
def test_validators(label, valid, wrong):
    is_valid = VALIDATORS[label]
    texts = [text for text in valid.split("; ") if not text.endswith("-")]
    assert [text for text in texts if not is_valid(text)] == []
    assert [text for text in wrong.split("; ") if text and is_valid(text)] == []


TEXT = "den 31/2 ring 070-1740605"
DATE, PHONE = (4, 8, "DATE"), (14, 25, "PHONE")


def judge(*found):
    doc = NLP(TEXT)
    doc._.replacements = [
        {"start": start, "end": end, "label": label, "replacement": new, "kept": new == "kept"}
        for start, end, label, new in found
    ]
    spans = [dict(zip(("start", "end", "label"), span)) for span in (DATE, PHONE)]
    counts = count_predicted([{"text": TEXT, "spans": spans}], [doc])
    return {
        label: sorted(k for k, n in own.items() if n)
        for label, own in counts.items()
        if any(own.values())
    }


@pytest.mark.parametrize(
    ("found", "date", "phone"),
    [
        ([(*DATE, "3/4"), (*PHONE, "070-1740606")], "one valid", "one original_valid valid"),
        ([(0, 8, "DATE", "30/2"), (14, 25, "PHONE", "12")], "one", "one original_valid"),
        ([(*DATE, "kept"), (4, 25, "PHONE", "0701740606")], "", "one original_valid valid"),
        ([(4, 6, "DATE", "3"), (14, 17, "PHONE", "070")], "exposed", "exposed"),
        ([(4, 8, "AGE", "3"), (14, 17, "PHONE", "1"), (18, 25, "PHONE", "2")], *["otherwise"] * 2),
        ([], "exposed", "exposed"),
    ],
)
def test_what_becomes_of_dates_and_numbers(found, date, phone):
    judged = judge(*found)
    if date:
        assert judged["DATE"] == sorted(["entities", *date.split()])
    assert judged["PHONE"] == sorted(["entities", *phone.split()])


def test_what_is_kept_is_told():
    assert judge((*DATE, "kept"))["DATE"] == ["entities", "kept", "one"]


def test_table():
    own = {"one": 3, "valid": 2, "original_valid": 3, "kept": 0, "otherwise": 0, "exposed": 1}
    table = tabulate_predicted({"DATE": {"entities": 4, **own}, "AGE": dict.fromkeys(own, 0) | {"entities": 0}})  # fmt: skip
    head, _, row = table.splitlines()
    assert "one | valid | the original valid | kept | otherwise | exposed" in head
    assert row == "| DATE | 4 | .750 | .667 | 1.000 | .000 | .000 | .250 (.006-.806) |"
