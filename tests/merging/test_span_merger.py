"""Merging of the evidence."""

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, Span
from spacy.training import Example

from components.merging.rules import Rule, merger_rules
from components.merging.span_merger import SpanMerger
from components.model.scoring import make_merger_scorer
from components.shared.labels import LABELS
from components.text.hits import write_hits
from tests.cases import carry, cases

VOCAB = spacy.blank("sv").vocab
STANDALONE = ["first_name", "surname", "place", "organisation", "unit"]


def make_doc(words, spaces=None, **groups):
    """Make a doc; a group is a list of (start, end, label[, id[, score]])."""
    doc = Doc(VOCAB, words=words, spaces=spaces)
    for key in ("rules", "gazetteer", "phi", "conversation"):
        rows = [tuple(row) + ("", 1.0)[len(row) - 3 :] for row in groups.get(key, [])]
        spans = (Span(doc, s, e, label=label, span_id=id_) for s, e, label, id_, _ in rows)
        write_hits(doc, key, zip(spans, (score for *_, score in rows)))
    return doc


def merge(words, spaces=None, **groups):
    doc = SpanMerger(standalone=STANDALONE)(make_doc(words, spaces, **groups))
    return [(ent.text, ent.label_, ent._.source) for ent in doc.ents]


@cases
def test_merging(words, groups, ents):
    assert merge(words, **groups) == ents


def test_score_class_and_spaces():
    doc = make_doc(["3", "maj"], rules=[(0, 2, "DATE", "x", 0.7)], phi=[(0, 1, "DATE", "", 0.9)])
    assert [ent._.score for ent in SpanMerger()(doc).ents] == [pytest.approx(0.9)]
    # A single class takes the label of better evidence.
    groups = {"phi": [(0, 1, "PHI")], "gazetteer": [(0, 1, "LOCATION", "place")]}
    assert merge(["Visby"], **groups)[0][:2] == ("Visby", "LOCATION")
    assert merge(["Visby"], phi=[(0, 1, "PHI")])[0][:2] == ("Visby", "PHI")
    # Names join over one space only.
    groups = {"gazetteer": [(0, 1, "PERSON", "first_name")], "phi": [(2, 3, "PERSON")]}
    ents = merge(["Anna", ",", "Ydremo"], [False, True, False], **groups)
    assert [text for text, _, _ in ents] == ["Anna", "Ydremo"]


@cases
def test_word_boundaries(words, spaces, span, text):
    doc = SpanMerger()(make_doc(words, spaces, phi=[span]))
    assert [ent.text for ent in doc.ents] == [text]


@cases
def test_an_entity_of_another_component_stays(own, phi, ents):
    doc = make_doc(["Anna", "Lund", "ringde"], phi=[phi])
    doc.ents = [Span(doc, own[0], own[1], label=own[2])]
    for _ in range(2):
        SpanMerger()(doc)
        assert [(ent.text, ent.label_, ent._.source) for ent in doc.ents] == ents
    # What we made before does not stay.
    del doc.spans["phi"]
    assert "phi" not in [ent._.source for ent in SpanMerger()(doc).ents]


WORDS = ["Anna", "Berg", "-", "Lund", "mamma", "3", "maj", ".", "/", "070", "i"]
KINDS = [("PERSON", "first_name"), ("LOCATION", "place"), ("NEGATIVE", "eponym"),
         ("TITLE", "title"), ("ORGANISATION", "unit")]  # fmt: skip


@st.composite
def evidence(draw, words=WORDS):
    words = draw(st.lists(st.sampled_from(words), min_size=1, max_size=12))
    spaces = draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    n = len(words)

    def get_spans(labels):
        rows = []
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, n - 1))
            end = draw(st.integers(start + 1, n))
            rows.append((start, end, draw(st.sampled_from(labels)), "", draw(st.floats(0.1, 1))))
        return rows

    groups = {"rules": get_spans(LABELS), "phi": get_spans(LABELS), "gazetteer": []}
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, n - 1))
        end = draw(st.integers(start + 1, n))
        label, kind = draw(st.sampled_from(KINDS))
        score = draw(st.sampled_from([0.5, 1.0]))
        groups["gazetteer"].append((start, end, label, kind, score))
    return words, spaces, groups


@given(evidence())
def test_nothing_found_is_ever_uncovered(case):
    words, spaces, groups = case
    doc = make_doc(words, spaces, **groups)
    SpanMerger(standalone=STANDALONE)(doc)
    found = [span for key in ("rules", "phi") for span in doc.spans[key]]
    left = [*doc.ents, *doc.spans["doubted"]]
    must, covered = (
        {i for span in spans for i in range(span.start, span.end)} for spans in (found, left)
    )
    assert must <= covered
    assert all(ent._.source and 0 < ent._.score <= 1 for ent in doc.ents)
    # Of what the model is sure only signs are taken, a word of the lists is left at any score.
    sure = [
        span
        for span, score in zip(doc.spans["phi"], doc.spans["phi"].attrs["scores"])
        if score >= 0.9 and span.label_ not in ("PID", "PHONE")
    ]
    must, covered = (
        {i for span in spans for i in range(span.start_char, span.end_char)}
        for spans in (sure, doc.ents)
    )
    assert {i for i in must if doc.text[i].isalnum()} <= covered


@cases
def test_of_one_source_the_surer_then_the_longer_names_the_class(scores, label, score):
    """What both cover stays covered, with the score of the surer."""
    one, two = scores
    groups = {"rules": [(0, 2, "ORGANISATION", "", one), (1, 4, "LOCATION", "", two)]}
    doc = SpanMerger(standalone=STANDALONE)(make_doc(["Bo", "Ek", "i", "Lit"], **groups))
    (ent,) = doc.ents
    assert (ent.text, ent.label_, ent._.score) == ("Bo Ek i Lit", label, score)


def test_merger_scorer():
    gold, found, empty = (make_doc(["Anna", "Berg", "i", "Lit"]) for _ in range(3))
    gold.ents = [Span(gold, 0, 2, "PERSON"), Span(gold, 3, 4, "LOCATION")]
    found.ents = [Span(found, 0, 2, "PERSON")]
    scores = SpanMerger(scorer=make_merger_scorer()).score([Example(found, gold)])
    assert (scores["ents_p"], scores["ents_r"]) == (1.0, 0.5)
    assert make_merger_scorer()([Example(found, empty)])["ents_f"] is None
    assert SpanMerger().score([Example(found, gold)]) == {}


# What a rule drops.
NUMBER = {"phi": [(0, 1, "PHONE", "", 0.9)]}


def test_a_rule_is_switched_off_and_on():
    merger = SpanMerger()
    assert not merger(make_doc(["1234"], **NUMBER)).ents
    merger.disable = ["doubt.form"]
    assert merger.disable == ["doubt.form"]
    assert merger(make_doc(["1234"], **NUMBER)).ents
    merger.disable = []
    assert not merger(make_doc(["1234"], **NUMBER)).ents


def test_without_a_model_weak_patterns_count():
    groups = {"rules": [(0, 1, "DATE", "date.slash")]}
    doc = make_doc(["3/4"], **groups)
    assert not SpanMerger()(doc).ents
    assert [span.id_ for span in doc.spans["doubted"]] == ["confirm.weak_pattern"]
    del doc.spans["phi"]
    assert SpanMerger()(doc).ents


def test_rules_that_are_added_act_on_a_saved_pipeline(tmp_path, monkeypatch):
    nlp = spacy.blank("sv")
    nlp.add_pipe("span_merger")
    nlp.to_disk(tmp_path)
    monkeypatch.setattr(merger_rules, "get_all", _with_rule("doubt.anna"))
    merger = spacy.load(tmp_path).get_pipe("span_merger")
    assert not merger(make_doc(["Anna"], phi=[(0, 1, "PERSON")])).ents
    merger.disable = ["doubt.anna"]
    assert merger(make_doc(["Anna"], phi=[(0, 1, "PERSON")])).ents
    monkeypatch.setattr(merger_rules, "get_all", _with_rule("doubts.anna"))
    with pytest.raises(ValueError, match="begins with its stage: doubts.anna. Stages: edit"):
        SpanMerger()


def _with_rule(id):
    rule = Rule(id, frozenset(["PERSON"]), lambda facts, find: True)
    rules = {**merger_rules.get_all(), id: rule}
    return lambda: rules


def test_rules_that_were_removed_are_left_out_of_a_saved_pipeline():
    with pytest.warns(UserWarning, match="rules that do not exist are left out: trim.gone."):
        merger = SpanMerger(disable=["doubt.form", "trim.gone"])
    assert merger.disable == ["doubt.form"]
    # What is set on the loaded pipe is a slip.
    with pytest.raises(ValueError, match="No such rules: trim.gone. Rules: confirm.weak_pattern"):
        merger.disable = ["trim.gone"]
    with pytest.raises(TypeError, match="must be a list of ids"):
        SpanMerger(disable="doubt.form")
    with pytest.raises(TypeError, match="must be a list of ids"):
        merger.disable = "x"


@pytest.mark.parametrize("changes", [{}, {"disable": ["edit.flat"]}])
@pytest.mark.parametrize("way", ["disk", "bytes"])
def test_what_was_changed_is_saved(tmp_path, changes, way):
    merger, loaded, other = (
        SpanMerger(disable=[id]) for id in ("doubt.form", "doubt.form", "join.word")
    )
    for name, value in changes.items():
        setattr(merger, name, value)
    loaded = carry(merger, loaded, way, tmp_path)
    assert loaded.disable == merger.disable
    # What is from a config stays there.
    assert other.from_bytes(merger.to_bytes()).disable == changes.get("disable", ["join.word"])
    # A pipe that was saved without its own file.
    (tmp_path / "bare").mkdir()
    bare = SpanMerger(disable=["edit.flat"]).from_disk(tmp_path / "bare")
    assert bare.disable == ["edit.flat"]


def test_trace_and_doubted():
    groups = {"phi": [(0, 3, "PERSON", "", 0.9)], "gazetteer": [(0, 1, "PERSON", "first_name")]}
    doc = SpanMerger(standalone=STANDALONE)(make_doc(["Anna", ",", "-"], **groups))
    (ent,) = doc.ents
    assert ent._.trace == [
        {"by": "phi", "start": 0, "end": 8, "label": "PERSON", "score": 0.9},
        {"by": "edit.punctuation", "start": 0, "end": 4, "label": "PERSON", "score": 0.9},
        {"by": "gazetteer:first_name", "start": 0, "end": 4, "label": "PERSON", "score": 1.0},
        {"by": "unite", "start": 0, "end": 4, "label": "PERSON", "score": 1.0},
    ]
    found = [(span.text, span.label_, span.id_) for span in doc.spans["doubted"]]
    assert found == [(", -", "PERSON", "edit.punctuation")]
    assert doc.spans["doubted"].attrs["scores"] == [0.9]


def test_trace_of_very_many_names_in_a_row():
    n = 3000
    doc = SpanMerger()(make_doc(["Anna"] * n, phi=[(i, i + 1, "PERSON") for i in range(n)]))
    (ent,) = doc.ents
    assert len(ent) == n
    found = [step for step in ent._.trace if step["by"] == "phi"]
    assert [step["start"] for step in found] == [5 * i for i in range(n)]
    assert ent._.trace[-1]["end"] == ent.end_char
