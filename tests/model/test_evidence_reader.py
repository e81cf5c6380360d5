"""The pipe that gathers the evidence, and hides part of it in training."""

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example

from components.model.evidence import WIDTH, EvidenceReader, get_evidence
from components.shared.labels import GAZETTEER_KEY, RULES_KEY

N = 3000


@pytest.fixture
def doc():
    doc = Doc(spacy.blank("sv").vocab, words=["Anna"] * N)
    for key, id in ((RULES_KEY, ""), (GAZETTEER_KEY, "first_name")):
        spans = [Span(doc, i, i + 1, label="PERSON", span_id=id) for i in range(N)]
        group = SpanGroup(doc, name=key, spans=spans)
        group.attrs["scores"] = [1.0] * N
        doc.spans[key] = group
    doc._.commonness = np.full((N, 2), 0.5, dtype="float32")
    return doc


def test_all_of_it_is_seen_in_use(doc):
    pipe = EvidenceReader(rule_dropout=1.0, gazetteer_dropout=1.0, word_dropout=1.0)
    assert doc._.evidence is None
    assert pipe(doc) is doc
    assert doc._.evidence.shape == (N, WIDTH)
    np.testing.assert_array_equal(doc._.evidence, get_evidence(doc))


@pytest.mark.parametrize("shares", [(0.5, 0.0, 0.0), (0.0, 0.25, 0.0), (0.0, 0.0, 0.75)])
def test_a_share_is_hidden_in_training(doc, shares):
    rules, lists, words = shares
    pipe = EvidenceReader(rule_dropout=rules, gazetteer_dropout=lists, word_dropout=words)
    example = Example(doc, Doc(doc.vocab, words=["Anna"] * N))
    losses = {"phi_ner": 1.0}
    assert pipe.update([example], drop=0.2, sgd=None, losses=losses) is losses
    assert pipe.update([]) == {}
    seen, hidden = get_evidence(doc) > 0, doc._.evidence > 0
    columns = np.flatnonzero(seen.all(axis=0))
    lost = [float(1 - hidden[:, column].mean()) for column in columns]
    assert max(lost) == pytest.approx(max(shares), abs=0.05)
    assert sum(share > 0.01 for share in lost) < len(lost)


def test_encoder_and_tagger_see_the_same(make_nlp, monkeypatch):
    nlp = make_nlp()
    seen = []
    tagger = nlp.get_pipe("phi_ner").model.layers[0]
    forward = tagger._func

    def spy(model, docs, is_train):
        seen.extend(doc._.evidence.copy() for doc in docs)
        return forward(model, docs, is_train)

    tagger._func = spy
    encoder = nlp.get_pipe("transformer")
    update = encoder.update

    def spy_too(examples, **kwargs):
        seen.extend(example.predicted._.evidence.copy() for example in examples)
        return update(examples, **kwargs)

    monkeypatch.setattr(encoder, "update", spy_too)
    doc = nlp.make_doc("Hej Anna Lind i Lund")
    example = Example.from_dict(doc, {"entities": [(4, 13, "PERSON")]})
    nlp.update(
        [example], annotates=["entity_ruler", "gazetteer_matcher"], sgd=nlp.resume_training()
    )
    assert len(seen) == 2
    np.testing.assert_array_equal(*seen)


def test_nothing_of_it_is_left(tiny_nlp):
    assert tiny_nlp("Hej Anna Lind")._.evidence is None
