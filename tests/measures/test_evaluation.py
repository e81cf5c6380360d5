"""All measures of a corpus."""

import json

import pytest

import components
from components.measures.evaluation import (
    evaluate_docs,
    tabulate_classes,
    tabulate_measures,
    tabulate_side_by_side,
)
from components.measures.figures import nest, write_share
from components.measures.gold import read_gold
from components.shared.labels import LABELS
from tests.cases import cases
from training_tools.binomial import get_exact_interval
from training_tools.formats.docs import chat_language

ROWS = [
    {"text": "Hej Anna", "spans": [{"start": 4, "end": 8, "label": "PERSON"}]},
    {"text": "Hej", "spans": []},
]


def evaluate(label, labels=LABELS):
    nlp = chat_language()
    docs = [nlp(row["text"]) for row in ROWS]
    docs[0].ents = [docs[0].char_span(4, 8, label)]
    return evaluate_docs("own", ROWS, docs, labels)


@cases
def test_measures(label, labels, strict, one_class, redact):
    each = evaluate(label, labels or LABELS)
    names = ("strict.f", "strict_one_class.f", "redact")
    assert [each.shares[name] for name in names] == [strict, one_class, redact]
    figures = each.get_figures()
    assert figures["messages"] == figures["sentences"] == 2
    assert figures["redact"] == redact and figures["corpus"] == "own"


def test_tables():
    each = evaluate("PERSON")
    assert tabulate_measures(each)[0] == ["strict", "1.000", "1.000", "1.000 (1.000-1.000)"]
    assert tabulate_side_by_side([each, each])[0] == ["strict F1", *["1.000 (1.000-1.000)"] * 2]
    rows = {row[0]: row[1:] for row in tabulate_classes(each)}
    assert rows["PERSON"][0] == "1.000 / 1.000 / 1.000" and rows["PERSON"][-1] == "1"
    assert rows["AGE"] == ["– / – / –", "– / – / –", "–", "0"]


def test_conversations_are_told_of_those_that_have_some():
    nlp = chat_language()
    docs = [nlp(row["text"]) for row in ROWS]
    shares = []
    for names in ((), ("a", "a"), ("a", "b")):
        rows = [dict(row, conversation=name) for row, name in zip(ROWS, names)] or ROWS
        each = evaluate_docs("own", rows, docs)
        shares.append([each.shares[f"conversations.{name}"] for name in ("full", "clean")])
        titles = [row[0] for row in tabulate_side_by_side([each])]
        assert {"strict F2", "redact, direct identifiers", "characters left"} <= set(titles)
        assert each.get_figures()["characters"] == {"left": 1.0, "spoilt": 0.0}
    assert shares == [[None, None], [0.0, 1.0], [0.0, 1.0]]


def test_nothing_seen_is_not_nothing():
    """The rule of three, exactly: of 300, one in a hundred at most, or so."""
    assert get_exact_interval(0, 300).high == pytest.approx(0.0122, abs=1e-4)
    assert get_exact_interval(0, 1).high == pytest.approx(0.975)
    assert get_exact_interval(0, 0).high == 1.0


def test_figures_as_they_are_written():
    assert nest({"a.b": 1, "a.c.d": 2, "e": None}) == {"a": {"b": 1, "c": {"d": 2}}, "e": None}
    assert write_share(None) == "–" and write_share(None, (0.1, 0.2)) == "–"


def test_gold_is_read_and_must_be_there(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text('\n{"text": "Hej", "spans": []}\n\n')
    assert read_gold(path) == [{"text": "Hej", "spans": [], "id": "gold-2"}]
    path.write_text("\n \n")
    with pytest.raises(ValueError, match="holds no message"):
        read_gold(path)


def test_rows_docs_and_files_are_measured_alike(tiny_nlp, tmp_path):
    text = "Ring 070-174 06 05!"
    rows = [{"text": text, "spans": [{"start": 5, "end": 18, "label": "PHONE"}]}]
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(rows[0]) + "\n", encoding="utf8")
    doc = tiny_nlp.make_doc(text)
    doc.ents = [doc.char_span(5, 18, "PHONE")]
    measured = [components.evaluate(tiny_nlp, gold) for gold in (rows, path, str(path), [doc])]
    assert [each.corpus for each in measured] == ["gold"] * 4
    assert all(each.shares == measured[0].shares for each in measured)
    assert measured[0].shares["per_class.PHONE.redact"] == 1.0
    for wrong in ([], [{"text": text}]):
        with pytest.raises(ValueError):
            components.evaluate(tiny_nlp, wrong)
