"""The trainable pipe over a small convolutional encoder."""

import pickle

import numpy as np
import pytest
import spacy
from spacy.ml.models.tok2vec import build_hash_embed_cnn_tok2vec
from spacy.tokens import Doc, Span
from spacy.training import Example
from thinc.api import Adam, Config, Model

from components.model.decoding import get_tags
from components.model.evidence import WIDTH
from components.model.phi_ner import PhiNer
from components.model.tagger import build_phi_tagger
from components.shared.labels import LABELS, PHI_KEY, RULES_KEY
from components.text.hits import write_hits
from tests.cases import cases, read_cases
from tests.model.probabilities import make_probs

TEXTS = [
    ("Hej Anna Berg ring 0701740605", {"entities": [(4, 13, "PERSON"), (19, 29, "PHONE")]}),
    ("Jag bor i Lit", {"entities": [(10, 13, "LOCATION")]}),
    ("ont i magen", {"entities": []}),
    ("Hej Bo Ek", {"entities": [(4, 9, "PERSON")]}),
]


def make_tok2vec(width: int = 16):
    return build_hash_embed_cnn_tok2vec(
        width=width, depth=1, embed_size=200, window_size=1, maxout_pieces=2,
        subword_features=True, pretrained_vectors=None,
    )  # fmt: skip


def make_pipe(nlp, **kwargs) -> PhiNer:
    return PhiNer(nlp.vocab, build_phi_tagger(make_tok2vec(), 16, 1), **kwargs)


def make_examples(nlp):
    return [Example.from_dict(nlp.make_doc(text), gold) for text, gold in TEXTS]


def make_trained(steps: int = 0, **kwargs):
    spacy.util.fix_random_seed(0)
    nlp = spacy.blank("sv")
    pipe = make_pipe(nlp, **kwargs)
    pipe.initialize(lambda: make_examples(nlp), nlp=nlp)
    sgd = Adam(0.01)
    losses = []
    for _ in range(steps):
        losses.append(pipe.update(make_examples(nlp), sgd=sgd, drop=0.0)[pipe.name])
    return nlp, pipe, losses


def decode(pipe, doc, tags):
    """What the pipe makes of a network that is sure of a tag for each token."""
    probs = np.full((len(doc), len(get_tags(LABELS))), 1e-6, dtype="float32")
    for row, tag in zip(probs, tags):
        row[get_tags(LABELS).index(tag)] = 1.0
    given = probs.copy()
    pipe.model = Model("fixed", lambda model, docs, is_train: ([probs], lambda d_output: []))
    pipe(doc)
    assert np.array_equal(probs, given), "what the network gave stays as it is"
    return [(span.start, span.end) for span in doc.spans[PHI_KEY]]


def get_spans(doc):
    return [(span.start_char, span.end_char, span.label_) for span in doc.spans[PHI_KEY]]


@pytest.mark.parametrize("layers", [0, 1, 2])
def test_sees_the_evidence_of_so_many_neighbours(layers: int):
    nlp = spacy.blank("sv")
    pipe = PhiNer(nlp.vocab, build_phi_tagger(make_tok2vec(), 16, layers))
    pipe.initialize(lambda: make_examples(nlp), nlp=nlp)
    output = pipe.model.get_ref("output_layer")
    weights = np.random.default_rng(0).normal(size=output.get_param("W").shape)
    output.set_param("W", weights.astype("float32"))
    plain, marked = (nlp.make_doc("a b c d e f g h") for _ in range(2))
    for doc in (plain, marked):
        write_hits(doc, RULES_KEY, [(Span(doc, 0, 1, "PERSON"), 1.0)] if doc is marked else [])
    before, after = pipe.model.predict([plain, marked])
    changed = np.flatnonzero(np.abs(before - after).max(axis=1) > 1e-6)
    assert changed.tolist() == list(range(layers + 1))


def test_learns():
    nlp, pipe, losses = make_trained(80)
    assert losses[-1] < 0.1 * losses[0]
    pipe.scorer = spacy.util.registry.scorers.get("sv_deid_chat.group_scorer.v1")(PHI_KEY)
    examples = make_examples(nlp)
    for example, (_, gold) in zip(examples, TEXTS):
        doc = example.predicted = pipe(example.predicted)
        assert get_spans(doc) == gold["entities"]
        assert len(doc.spans[PHI_KEY].attrs["scores"]) == len(gold["entities"])
        assert doc.ents == ()
    scores = pipe.score(examples)
    assert scores["phi_f"] == 1.0
    assert set(scores["phi_per_type"]) == {"PERSON", "PHONE", "LOCATION"}


def test_threshold_moves_on_a_loaded_pipe():
    nlp, pipe, _ = make_trained(6)
    found = {}
    for threshold in (0.0, 0.3, 0.6, 1.0):
        pipe.threshold = threshold
        docs = [pipe(nlp.make_doc(text)) for text, _ in TEXTS]
        found[threshold] = sum(len(span) for doc in docs for span in doc.spans[PHI_KEY])
    assert found[0.0] >= found[0.3] >= found[0.6] >= found[1.0] == 0
    assert found[0.0] == sum(len(nlp.make_doc(text)) for text, _ in TEXTS)


def set_masses(pipe, doc, rows):
    """Decode what the test says: for each token the probability of labels."""
    tokens = [{f"U-{label}": mass for label, mass in row.items()} for row in rows]
    probs = make_probs(get_tags(pipe.labels), tokens)
    pipe.set_annotations([doc], [probs])
    return [(span.text, span.label_) for span in doc.spans[PHI_KEY]]


MASSES = [{"PERSON": 0.3}, {"DATE": 0.3}, {"PERSON": 0.2, "LOCATION": 0.15}, {"AGE": 0.6}]


@cases
def test_threshold_by_class(threshold, found):
    nlp, pipe, _ = make_trained()
    pipe.threshold = threshold
    assert pipe.threshold == threshold
    if isinstance(threshold, dict):
        # It is replaced whole.
        threshold["default"] = 7
        assert pipe.threshold["default"] != 7
        with pytest.raises(TypeError):
            pipe.threshold["default"] = 0.2
    assert set_masses(pipe, nlp.make_doc("a b c d"), MASSES) == found


@pytest.mark.parametrize(
    "threshold, said",
    [*read_cases(__file__)["test_threshold_that_cannot_be"], (float("nan"), "threshold")],
)
def test_threshold_that_cannot_be(threshold, said):
    _, pipe, _ = make_trained()
    with pytest.raises(ValueError, match=said):
        pipe.threshold = threshold
    assert pipe.threshold == 0.5


def test_threshold_by_class_in_the_config(tiny_path, tmp_path):
    by_class = {"default": 0.25, "PERSON": 0.125}
    nlp = spacy.load(tiny_path)
    nlp.get_pipe("phi_ner").threshold = by_class
    nlp.get_pipe_config("phi_ner")["threshold"] = by_class
    nlp.to_disk(tmp_path / "model")
    for other in (spacy.load(tmp_path / "model"), pickle.loads(pickle.dumps(nlp))):
        assert other.get_pipe("phi_ner").threshold == by_class
        assert other.config["components"]["phi_ner"]["threshold"] == by_class


@cases
def test_config_sets_the_threshold(lines, threshold):
    text = '[nlp]\nlang = "sv"\npipeline = ["phi_ner"]\n[components]\n[components.phi_ner]\n'
    config = Config().from_str(f'{text}factory = "phi_ner"\n{lines}\n')
    nlp = spacy.util.load_model_from_config(config, auto_fill=True)
    assert nlp.get_pipe("phi_ner").threshold == threshold


def test_modes_are_thresholds():
    nlp = spacy.blank("sv")
    pipe = make_pipe(nlp, thresholds={"balanced": 0.3, "careful": {"PERSON": 0.01, "default": 0.1}})
    assert pipe.mode is None
    pipe.mode = "careful"
    assert (pipe.mode, pipe.threshold["PERSON"]) == ("careful", 0.01)
    pipe.mode = "balanced"
    assert (pipe.mode, pipe.threshold) == ("balanced", 0.3)
    with pytest.raises(ValueError, match="mode must be one of balanced, careful"):
        pipe.mode = "bold"
    with pytest.raises(ValueError, match="has no threshold for 'careful'"):
        make_pipe(nlp).mode = "careful"


def test_single_class():
    nlp, pipe, _ = make_trained(80, single_class=True)
    assert pipe.labels == ("PHI",)
    text, gold = TEXTS[0]
    expected = [(start, end, "PHI") for start, end, _ in gold["entities"]]
    assert get_spans(pipe(nlp.make_doc(text))) == expected


def test_gradient_equals_the_numeric_one():
    nlp, pipe, _ = make_trained()
    examples = make_examples(nlp)
    docs = [example.predicted for example in examples]
    scores, backprop = pipe.model.begin_update(docs)
    _, d_scores = pipe.get_loss(examples, scores)
    backprop(d_scores)
    output = pipe.model.get_ref("output_layer")
    weights, analytic = output.get_param("W"), output.get_grad("W").copy()
    rng = np.random.default_rng(0)
    for _ in range(25):
        at = (rng.integers(weights.shape[0]), rng.integers(weights.shape[1]))
        losses = []
        for step in (1e-2, -1e-2):
            moved = weights.copy()
            moved[at] += step
            output.set_param("W", moved)
            losses.append(pipe.get_loss(examples, pipe.model.predict(docs))[0])
        output.set_param("W", weights)
        assert (losses[0] - losses[1]) / 2e-2 == pytest.approx(analytic[at], abs=2e-2, rel=2e-2)
    # Missing gold does not count.
    for entities in (["-", "-", "-"], ["O", "-", "-"]):
        example = Example.from_dict(nlp.make_doc("Hej Anna Berg"), {"entities": entities})
        loss, (gradient,) = pipe.get_loss([example], pipe.model.predict([example.predicted]))
        assert bool(loss) == bool(np.abs(gradient[0]).sum()) == ("O" in entities)
        assert np.abs(gradient[1:]).sum() == 0 or "O" in entities


def test_labels():
    nlp, pipe, _ = make_trained()
    assert pipe.labels == LABELS
    assert pipe.model.get_ref("output_layer").get_dim("nO") == len(get_tags(LABELS)) == 33
    example = Example.from_dict(nlp.make_doc("Hej Anna"), {"entities": [(4, 8, "NAME")]})
    with pytest.raises(ValueError, match="'NAME'"):
        pipe.update([example])
    with pytest.raises(ValueError, match="initialize"):
        pipe.add_label("NAME")
    # Those of a threshold are checked when they are known.
    pipe = make_pipe(nlp, threshold={"default": 0.5, "PHI": 0.1}, single_class=True)
    pipe.initialize(lambda: make_examples(nlp), nlp=nlp)
    assert pipe.threshold == {"default": 0.5, "PHI": 0.1}
    other = make_pipe(nlp, threshold={"default": 0.5, "PERSON": 0.1}, single_class=True)
    with pytest.raises(ValueError, match="'PERSON'"):
        other.initialize(lambda: make_examples(nlp), nlp=nlp)


@pytest.mark.parametrize("way", ["bytes", "disk"])
def test_model_of_another_version_is_not_loaded(way, tmp_path, monkeypatch):
    nlp, pipe, _ = make_trained()
    pipe.to_disk(tmp_path / "pipe")
    data = pipe.to_bytes()
    monkeypatch.setattr("components.model.evidence.WIDTH", WIDTH + 1)
    said = f"trained with another version: it reads {WIDTH} .* gives {WIDTH + 1}"
    with pytest.raises(ValueError, match=said):
        if way == "bytes":
            make_pipe(nlp).from_bytes(data)
        else:
            make_pipe(nlp).from_disk(tmp_path / "pipe")


def test_empty_documents():
    nlp, pipe, _ = make_trained(5)
    docs = [nlp.make_doc(text) for text in ("", "Hej Anna Berg", "", " ")]
    assert [len(doc.spans[PHI_KEY]) >= 0 for doc in pipe.pipe(docs)] == [True] * 4
    assert get_spans(pipe(nlp.make_doc(""))) == []
    example = Example.from_dict(nlp.make_doc(""), {"entities": []})
    assert pipe.update([example, *make_examples(nlp)])[pipe.name] > 0


@cases
def test_white_space_and_symbols_within_a_name(words, found):
    nlp, pipe, _ = make_trained()
    doc = Doc(nlp.vocab, words=words, spaces=[False] * len(words))
    kinds = ["B", *["I"] * (len(words) - 2), "L"]
    assert decode(pipe, doc, [f"{kind}-PERSON" for kind in kinds]) == found
    assert len(doc.spans[PHI_KEY].attrs["scores"]) == len(found)
