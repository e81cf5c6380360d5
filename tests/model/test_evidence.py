"""The token features beside the encoder's vectors, and the pipe that gathers them."""

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, Span, SpanGroup
from spacy.training import Example
from thinc.api import Model

from components.model.evidence import (
    GAZETTEER_COLUMN,
    N_CONTEXT,
    N_HITS,
    N_WORD,
    RULE_COLUMN,
    SHAPES,
    WIDTH,
    EvidenceReader,
    get_evidence,
    with_evidence,
)
from components.shared.labels import GAZETTEER_KEY, RULES_KEY
from components.text.hits import write_hits
from tests.cases import cases, read_cases

VOCAB = spacy.blank("sv").vocab
CONTEXT = N_HITS + len(SHAPES)


def make_doc(words, spaces=None, vetoes=(), commonness=None, **groups):
    """Make a doc; a group is a list of (start, end, label, kind, score)."""
    doc = Doc(VOCAB, words=words, spaces=spaces)
    for key, rows in groups.items():
        hits = ((Span(doc, *row[:3], span_id=row[3]), row[4]) for row in rows)
        write_hits(doc, key, hits)
    doc.spans["vetoes"] = SpanGroup(doc, spans=[Span(doc, *ends) for ends in vetoes])
    if commonness is not None:
        doc._.commonness = np.asarray(commonness, dtype="float32")
    return doc


def get_share(seed: int, column: int, key: str, hits: list, **hide: float) -> float:
    """The share of hits that are left of many."""
    np.random.seed(seed)
    doc = make_doc([f"w{i}" for i in range(400)], **{key: [(i, i + 1, *hits) for i in range(400)]})
    return float((get_evidence(doc, hide)[:, column] > 0).mean())


def test_hits_begin_and_go_on_with_their_best_score():
    doc = make_doc(
        ["a", "b", "c", "d"],
        rules=[(1, 4, "DATE", "", 0.5), (1, 3, "DATE", "", 0.75), (0, 1, "UNKNOWN", "", 1.0)],
        gazetteer=[(0, 2, "PERSON", "first_name", 0.25), (0, 1, "PERSON", "odd", 1.0)],
    )
    features = get_evidence(doc)
    rule, list_ = RULE_COLUMN["DATE"], GAZETTEER_COLUMN["first_name"]
    assert features[:, rule].tolist() == [0, 0.75, 0, 0]
    assert features[:, rule + 1].tolist() == [0, 0, 0.75, 0.5]
    assert features[:, list_].tolist() == [0.25, 0, 0, 0]
    assert features[:, list_ + 1].tolist() == [0, 0.25, 0, 0]
    assert features[:, :N_HITS].sum() == 0.75 + 0.75 + 0.5 + 0.25 + 0.25
    # All columns are apart.
    columns = [*RULE_COLUMN.values(), *GAZETTEER_COLUMN.values()]
    assert sorted([*columns, *(column + 1 for column in columns)]) == list(range(N_HITS))
    assert N_HITS + len(SHAPES) + N_CONTEXT + N_WORD == WIDTH


@cases
def test_share_of_the_hits_is_hidden(key, label, kind, hide, left):
    column = RULE_COLUMN[label] if key == "rules" else GAZETTEER_COLUMN[kind]
    share = get_share(0, column, key, [label, kind, 1.0], **hide)
    assert share == left if left == 1.0 else abs(share - left) < 0.06


def test_shape_and_context():
    words = ["Hej", "ANNA", "lisa", "\n", "12", "!"]
    features = get_evidence(make_doc(words, [True, False, False, False, True, False]))
    columns = dict(
        zip(["title", "upper", "lower", "alpha", "digit", "punct", "space"], features[:, N_HITS:].T)
    )
    names = ["n_lower", "n_upper", "glued", "open", "first", "last", "length"]
    columns |= dict(zip(names, features[:, CONTEXT:-N_WORD].T))
    assert columns["lower"].tolist()[:3] == [0, 0, 1]
    expected = {
        "title": [1, 0, 0, 0, 0, 0], "upper": [0, 1, 0, 0, 0, 0], "alpha": [1, 1, 1, 0, 0, 0],
        "digit": [0, 0, 0, 0, 1, 0], "punct": [0, 0, 0, 0, 0, 1], "space": [0, 0, 0, 1, 0, 0],
        # How the message is cased, over its words of letters.
        "n_lower": [1 / 3] * 6, "n_upper": [1 / 3] * 6,
        # What a word is glued to, in front and behind.
        "glued": [0, 0, 1, 1, 1, 0], "open": [0, 1, 1, 1, 0, 1],
        # Where the text or a line begins and ends.
        "first": [1, 0, 0, 0, 1, 0], "last": [0, 0, 1, 0, 0, 1],
        "length": [len(word) / 20 for word in words],
    }  # fmt: skip
    for name, values in expected.items():
        assert columns[name].tolist() == pytest.approx(values), name
    # No letters, and long words.
    features = get_evidence(make_doc(["12", "x" * 25]))
    assert features[1, -N_WORD - 1] == 1.0
    assert not get_evidence(make_doc(["12", "3"]))[:, CONTEXT : CONTEXT + 2].any()


def test_words():
    """Ordinary, a compound of ordinary words, unknown though all letters, part of a dose."""
    doc = make_doc(
        ["ont", "magkatarr", "Fadumo", "12"], vetoes=[(2, 4)], commonness=[[0.4, 0], [0, 1], [0, 0], [0, 0]]
    )  # fmt: skip
    words = get_evidence(doc)[:, -N_WORD:]
    assert words.tolist() == pytest.approx(
        np.array([[0.4, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 1], [0, 0, 0, 0, 1]])
    )
    # A word that is made unknown looks like any other unknown word.
    hidden = get_evidence(doc, {"words": 1.0})[:, -N_WORD:]
    assert hidden[:, 2:].tolist() == [[1, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]
    assert not hidden[:, :2].any()
    assert not get_evidence(doc, {"rules": 1.0})[:, -1].any()
    assert not get_evidence(make_doc(["ont"]))[:, -N_WORD:].any()


def test_form_of_a_surname():
    words, commonness, expected = zip(*read_cases(__file__)["surnames"])
    doc = make_doc(words, commonness=commonness)
    assert get_evidence(doc)[:, -2].tolist() == [*map(float, expected)]
    assert not get_evidence(make_doc(words))[:, -2].any(), "nobody has told which are words"


@cases
@pytest.mark.parametrize("start", [0, 1])
def test_what_a_list_calls_a_drug_a_term_or_a_title_is_no_surname(start, label, kind, seen):
    hit = (start, 2, label, kind, 0.5)
    doc = make_doc(["herr", "Wikelius"], gazetteer=[hit], commonness=[[0.4, 0], [0, 0]])
    assert get_evidence(doc)[:, -2].tolist() == [0, seen]
    # Where the hit is hidden, it is a word like any other.
    hidden = get_evidence(doc, {"rules": 1.0})[1, -2]
    assert hidden == (1 if label == "NEGATIVE" else seen)


def test_form_is_hidden_like_a_list_and_shown_by_hidden_words():
    np.random.seed(0)
    n = 400
    doc = make_doc(["Wikelius"] * n, commonness=[[0, 0]] * n)
    assert abs(float(get_evidence(doc, {"gazetteer": 0.25})[:, -2].mean()) - 0.75) < 0.06
    assert get_evidence(doc, {"words": 1.0, "rules": 1.0})[:, -2].all()
    known = make_doc(["undersköldst", "sandal"] * n, commonness=[[0.2, 0]] * 2 * n)
    assert not get_evidence(known)[:, -2].any()
    shown = get_evidence(known, {"words": 0.5})
    seen = [i % 2 == 1 and row[-3] > 0 for i, row in enumerate(shown)]
    assert (shown[:, -2] > 0).tolist() == seen
    assert abs(float(shown[1::2, -2].mean()) - 0.5) < 0.06
    # Words and vetoes are hidden at their rates.
    np.random.seed(0)
    vetoes = [(i, i + 1) for i in range(n)]
    doc = make_doc(["ont"] * n, vetoes=vetoes, commonness=[[0.4, 1]] * n)
    words = get_evidence(doc, {"words": 0.25, "rules": 0.75})[:, -N_WORD:]
    assert abs(float((words[:, 0] > 0).mean()) - 0.75) < 0.06
    assert (words[:, 0] > 0).tolist() == (words[:, 1] > 0).tolist()
    assert abs(float(words[:, 4].mean()) - 0.25) < 0.06


def test_stands_behind_the_vectors():
    def forward(model, docs, is_train):
        return [np.ones((len(doc), 3), dtype="float32") for doc in docs], lambda d: d

    model = with_evidence(Model("vectors", forward))
    full = make_doc(["Anna"], rules=[(0, 1, "PERSON", "", 1.0)], commonness=[[0.5, 0]])
    docs = [full, make_doc([])]
    model.initialize(X=docs)
    assert model.get_dim("nO") == 3 + WIDTH
    seen, empty = model.predict(docs)
    assert seen.shape == (1, 3 + WIDTH) and empty.shape == (0, 3 + WIDTH)
    assert seen[0, :3].tolist() == [1, 1, 1]
    assert seen[0, 3:].tolist() == get_evidence(full)[0].tolist()
    full._.evidence = get_evidence(full, {"rules": 1.0, "words": 1.0})
    (hidden, _), backprop = model.begin_update(docs)
    assert not hidden[0, 3 : 3 + N_HITS].any() and hidden[0, -N_WORD] == 0
    gradients = backprop([np.arange(3 + WIDTH, dtype="float32")[None], np.zeros((0, 3 + WIDTH))])
    assert gradients[0].tolist() == [[0, 1, 2]] and gradients[0].flags["C_CONTIGUOUS"]


N = 3000
IDS = {RULES_KEY: "", GAZETTEER_KEY: "first_name"}


@pytest.fixture
def doc():
    hits = {key: [(i, i + 1, "PERSON", id, 1.0) for i in range(N)] for key, id in IDS.items()}
    return make_doc(["Anna"] * N, commonness=[[0.5, 0.5]] * N, **hits)


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
    assert nlp("Hej Anna Lind")._.evidence is None, "nothing of it is left"
