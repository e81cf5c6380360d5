"""Documents are the same on the other side."""

import pickle

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, Span, SpanGroup

import components  # noqa: F401
from components.language.processes import get_marks, is_plain, only_mark, pack, set_marks, unpack
from components.measures.formats.registry import chat_language
from components.shared.failures import SetupError

NLP = chat_language()


def describe(doc: Doc) -> tuple:
    groups = {
        key: ([(s.start, s.end, s.label_, s.id_) for s in group], dict(group.attrs))
        for key, group in doc.spans.items()
    }
    ents = [(e.start, e.end, e.label_, e._.source, e._.score, e._.trace) for e in doc.ents]
    words = [(token.text, token.whitespace_, token.ent_iob_) for token in doc]
    return words, groups, ents, doc._.conversation_id, doc._.context, doc._.known, doc._.failed


@given(st.lists(st.text("aÅ1 \n.😊\u200b", max_size=6), max_size=6).map(" ".join), st.data())
def test_round_trip(text: str, data: st.DataObject):
    doc = NLP.make_doc(text)
    doc._.conversation_id = 7
    doc._.context = "Hur gammal är du?"
    doc._.known = {"name": "Anna Lind"}
    if len(doc):
        start = data.draw(st.integers(0, len(doc) - 1))
        end = data.draw(st.integers(start + 1, len(doc)))
        span = Span(doc, start, end, label="PERSON", span_id="rule.x")
        doc.spans["rules"] = SpanGroup(doc, name="rules", spans=[span], attrs={"scores": [0.5]})
        doc.spans["empty"] = []
        doc.ents = [span]
        doc.ents[0]._.source, doc.ents[0]._.score = "rules", 0.5
        doc.ents[0]._.trace = [{"by": "rules:rule.x"}]
    assert is_plain(doc)
    there = unpack(spacy.blank("sv").vocab, pickle.loads(pickle.dumps(pack(doc))))
    assert there.text == text and describe(there) == describe(doc)
    back = NLP.make_doc(text)
    set_marks(back, pickle.loads(pickle.dumps(get_marks(there))))
    assert describe(back) == describe(doc)


def test_pipes_that_only_mark(tiny_nlp):
    names = tiny_nlp.pipe_names
    assert only_mark(tiny_nlp, names)
    nlp = spacy.blank("sv")
    nlp.add_pipe("sentencizer")
    assert not only_mark(nlp, nlp.pipe_names)
    assert only_mark(nlp, [])
    doc = NLP.make_doc("Hej du.")
    assert all(map(is_plain, (NLP.make_doc("Hej"), NLP.make_doc(""), doc)))
    doc[1].pos_ = "NOUN"
    assert not is_plain(doc)


def test_what_other_pipes_write_comes_back(make_nlp):
    nlp = make_nlp()
    nlp.add_pipe("sentencizer")
    texts = ["Hej. Anna bor i Kiruna. Hej då.", "52", ""]
    docs = [*nlp.pipe(texts, n_process=2)]
    assert [len([*doc.sents]) for doc in docs[:2]] == [3, 1]
    tagged = make_nlp().make_doc("Hej Anna")
    tagged[0].pos_ = "INTJ"
    (doc,) = make_nlp().pipe([tagged], n_process=2)
    assert doc[0].pos_ == "INTJ" and doc._.deidentified is not None
    # So do the vectors.
    nlp = make_nlp()
    (here,) = nlp.pipe(["Hej Anna"], disable=["doc_cleaner"])
    (there,) = nlp.pipe(["Hej Anna"], n_process=2, disable=["doc_cleaner"])
    np.testing.assert_allclose(there.tensor, here.tensor, atol=1e-5)
    assert here.tensor.shape[0] == 2
    (clean,) = nlp.pipe(["Hej Anna"], n_process=2)
    assert clean.tensor is None


def test_what_has_no_entities_stays_refused(make_nlp):
    """A pipeline without its merger is set up wrongly, in other processes, too."""
    nlp = make_nlp()
    with pytest.raises(SetupError, match="without entities"):
        [*nlp.pipe(["Hej Anna", "Hej Bo"], n_process=2, disable=["span_merger"])]
    assert not unpack(nlp.vocab, pack(nlp.make_doc("Hej Anna"))).has_annotation("ENT_IOB")
