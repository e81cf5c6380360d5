"""The encoder: word pieces find their tokens, threads do not disturb one another, weights are safe."""

import json
import pickle
import pickletools
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import safetensors.torch
import spacy
import torch
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Adam
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import BertConfig, BertModel
from transformers.activations import ACT2FN

from components.model import backend
from components.model.backend import choose_backend, choose_precision
from components.model.encoder import build_encoder, gather_evidence, get_network, set_network
from components.model.evidence import WEIGHTS, WIDTH
from components.model.network import ACTIVATIONS, NumpyNetwork
from components.model.torch_network import Bert
from components.model.windows import Window, _align, count_pieces, get_strips, read_windows
from components.shared.extras import ExtraError
from tests.cases import carry
from tests.conftest import run_python

TEXTS = [
    "Hej, jag heter Anna Lind och bor i Lund sen 3 maj. 070-1740605", "", "Bo",
    "mamma Eva: vårdcentralen, 8år! 😀 /LN", "\n \n", "-" * 2000, "ord " * 400,
]  # fmt: skip
THREAD_TEXTS = [
    f"Hej Anna Lind, {i} år, ring Bo Ek i Lund den {i % 28 + 1} maj!" for i in range(60)
]


def cut(network, doc, *context):
    """The windows of a document."""
    return [*read_windows([doc], network.tokenizer, network.max_pieces, 500, 100, *context)]


def make_config(**changed):
    shape = {
        "vocab_size": 50, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
        "intermediate_size": 24, "max_position_embeddings": 40,
    }  # fmt: skip
    return BertConfig(**{**shape, **changed})


def read_rows(bert, ids, there):
    """Read rows of one window each."""
    positions = torch.arange(ids.shape[1]).expand(ids.shape)
    return bert(ids, positions, there[:, :, None] == there[:, None, :])


def copy_of(pipe):
    return pickle.loads(pickle.dumps(pipe))


@pytest.fixture(params=["numpy", "torch"])
def encoder(tiny_nlp, request):
    encoder = copy_of(tiny_nlp.get_pipe("transformer"))
    encoder.backend = request.param
    return encoder


def set_evidence(encoder, weights):
    """Give an encoder other weights by which it reads the evidence."""
    network = get_network(encoder.model)
    weights = {**network.get_weights(), WEIGHTS: weights.astype(np.float16)}
    tokenizer = network.tokenizer.to_str()
    set_network(encoder.model, network.backend, network.config, weights, tokenizer)


def drop_nothing(encoder):
    for layer in get_network(encoder.model).modules():
        if isinstance(layer, torch.nn.Dropout):
            layer.p = 0.0
        layer.attention_dropout = 0.0


CONTEXTS = ["Hur gammal är du?", "", " \n", "Vad heter du? " * 40, "😀" * 300, "x" * 2000]


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("text", TEXTS)
def test_context_is_read_before_the_message(tiny_nlp, encoder, text, context):
    network = get_network(encoder.model)
    doc = tiny_nlp.make_doc(text)
    alone = cut(network, doc)
    windows = cut(network, doc, [context], 32)
    assert len(alone) == len(windows)
    for a, b in zip(alone, windows):
        extra = len(b.ids) - len(a.ids)
        assert 0 <= extra <= 32 and len(b.ids) <= network.max_pieces
        assert b.ids[0] == a.ids[0] and b.ids[1 + extra :] == a.ids[1:]
        np.testing.assert_array_equal(b.pieces, a.pieces + extra)
        np.testing.assert_array_equal(b.tokens, a.tokens)
        if extra:
            assert b.ids[extra] == a.ids[-1]
            read = network.tokenizer.encode(context).ids
            assert b.ids[1 : extra + 1] == read[1:][-extra:]
        else:
            assert not context.strip() or len(a.ids) == network.max_pieces


def test_context_changes_vectors_and_nothing_else(tiny_nlp, encoder):
    docs = [tiny_nlp.make_doc("52") for _ in range(3)]
    docs[1]._.context = "Hur gammal är du?"
    alone, seen, again = encoder.predict(docs)
    np.testing.assert_allclose(alone, again, atol=1e-5)
    assert alone.shape == seen.shape and np.abs(alone - seen).max() > 1e-3


@pytest.fixture
def reading(encoder):
    """An encoder that has learnt to read the evidence."""
    set_evidence(encoder, np.random.default_rng(0).normal(size=(16, WIDTH)))
    return encoder


def make_docs_with_evidence(nlp, texts):
    docs = [nlp.make_doc(text) for text in texts]
    for doc in docs:
        doc._.evidence = np.random.default_rng(len(doc)).random((len(doc), WIDTH), dtype="float32")
    return docs


def test_evidence_is_read(tiny_nlp, reading):
    untrained = copy_of(reading)
    set_evidence(untrained, np.zeros((16, WIDTH)))
    for text in ("Hej Anna Lind", "Hej " * 300, ""):
        plain, marked = tiny_nlp.make_doc(text), tiny_nlp.make_doc(text)
        for doc in (plain, marked):
            doc._.evidence = np.zeros((len(doc), WIDTH), dtype="float32")
        marked._.evidence[len(doc) // 2 :, 0] = 1.0
        before, after = reading.predict([plain, marked])
        assert before.shape == after.shape == (len(doc), 16)
        assert not len(doc) or np.abs(before - after).max() > 1e-3
        # What has not learnt to read it yet is as without it.
        np.testing.assert_allclose(*untrained.predict([plain, marked]), atol=1e-5)


@pytest.mark.parametrize(("reads", "width"), [(True, None), (True, WIDTH + 1), (False, WIDTH)])
def test_encoder_of_another_version_is_not_loaded(encoder, tmp_path, reads, width):
    encoder.to_disk(tmp_path)
    weights = safetensors.torch.load_file(tmp_path / "model.safetensors")
    rows = weights.pop("evidence.weight").shape[0]
    if width is not None:
        weights["evidence.weight"] = torch.zeros((rows, width))
    safetensors.torch.save_file(weights, tmp_path / "model.safetensors")
    other = copy_of(encoder)
    other.model.attrs["evidence"] = reads
    said = f"trained with another version: it reads {width or 0} col"
    with pytest.raises(ValueError, match=said):
        other.from_disk(tmp_path)


def test_training_reads_as_prediction_does(tiny_nlp, reading):
    encoder = reading
    encoder.backend = "torch"
    encoder.model.attrs.update(context_dropout=0.0, mixed_precision=False)
    drop_nothing(encoder)
    docs = make_docs_with_evidence(tiny_nlp, [*TEXTS, *THREAD_TEXTS[:9]])
    for doc in docs[::2]:
        doc._.context = "Hur gammal är du?"
    read = encoder.predict(docs)
    trained, _ = encoder.model(docs, is_train=True)
    for a, b in zip(read, trained):
        np.testing.assert_allclose(a, b, atol=1e-5)
    empty, backprop = encoder.model([tiny_nlp.make_doc("")], is_train=True)
    assert empty[0].shape == (0, 16)
    backprop(empty)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_context_is_hidden_in_training(tiny_nlp, encoder, share):
    encoder.backend = "torch"
    encoder.model.attrs["context_dropout"] = share
    drop_nothing(encoder)
    docs = [tiny_nlp.make_doc("Bo 52") for _ in range(2)]
    docs[1]._.context = "Hur gammal är du?"
    (alone, seen), _ = encoder.model(docs, is_train=True)
    assert np.array_equal(alone.round(4), seen.round(4)) == bool(share)


def get_finds(doc):
    found = [(span.start, span.end, span.label_) for span in doc.spans["phi"]]
    return found, doc.spans["phi"].attrs["scores"], [(e.start, e.end, e.label_) for e in doc.ents]


def test_batches_and_backends_make_no_difference(tiny_nlp, reading):
    docs = make_docs_with_evidence(tiny_nlp, [*TEXTS, *THREAD_TEXTS[:9]])
    network, other = get_network(reading.model), copy_of(reading)
    other.backend = {"numpy": "torch", "torch": "numpy"}[reading.backend]
    for doc, vectors, theirs in zip(docs, reading.predict(docs), other.predict(docs)):
        assert vectors.shape == (len(doc), 16)
        np.testing.assert_allclose(theirs, vectors, atol=1e-5)
        np.testing.assert_allclose(reading.predict([doc])[0], vectors, atol=1e-4)
        windows = cut(network, doc)
        one_by_one = network.predict(windows, gather_evidence([doc], network), 1)
        np.testing.assert_allclose(one_by_one, vectors, atol=1e-4)
        assert [vector.any() for vector in vectors] == [not token.is_space for token in doc]
    assert reading.to_bytes() == other.to_bytes()


def test_each_token_is_the_mean_of_its_pieces(tiny_nlp, encoder):
    """Against the network itself, read by hand."""
    doc = tiny_nlp.make_doc("Hej Annas 8år")
    doc._.evidence = np.zeros((len(doc), WIDTH), dtype="float32")
    (vectors,) = encoder.predict([doc])
    network = get_network(encoder.model)
    encoding = network.tokenizer.encode(doc.text)
    hidden = network.read(np.array(encoding.ids), [len(encoding.ids)])
    assert [token.text for token in doc] == ["Hej", "Annas", "8", "år"]
    for token, vector in zip(doc, vectors):
        pieces = [
            i
            for i, (start, end) in enumerate(encoding.offsets)
            if start < end and start < token.idx + len(token) and token.idx < end
        ]
        assert pieces
        np.testing.assert_allclose(vector, hidden[pieces].mean(axis=0), atol=1e-5)


@given(st.lists(st.integers(1, 30), max_size=40), st.integers(1, 100))
def test_strips_of_windows(sizes, most):
    windows = [Window([i] * n, np.arange(n), np.full(n, i)) for i, n in enumerate(sizes)]
    strips = [*get_strips(windows, most)]
    assert [n for strip in strips for n in strip.lengths] == sorted(sizes)
    for strip in strips:
        assert len(strip.lengths) == 1 or len(strip.ids) <= most
        # Each piece is where its pair says, and there are no others.
        assert np.asarray(strip.ids)[strip.pieces].tolist() == strip.tokens.tolist()
        assert len(strip.pieces) == len(strip.ids) == sum(strip.lengths)


def test_windows_are_read_with_what_is_around(tiny_nlp, encoder):
    """A token in two windows is the mean of what both make of it."""
    network = get_network(encoder.model)
    doc = tiny_nlp.make_doc("ord " * 200)
    windows = cut(network, doc)
    assert len(windows) == 2
    counts = count_pieces(windows, len(doc))
    twice = counts.max() / counts.min()
    assert twice == 2.0
    assert (counts == counts.max()).sum() == 25


def test_what_is_folded_is_read_alike(tiny_nlp, encoder):
    plain, odd = (
        tiny_nlp.make_doc(text) for text in ("Hej Anna, 070-1740605", "Hej Аnna, ٠٧٠‑1740605")
    )
    assert len(plain) == len(odd)
    np.testing.assert_allclose(*encoder.predict([plain, odd]), atol=1e-5)
    # Half of a letter, or nothing that can be seen, is no piece of its own.
    (vectors,) = encoder.predict([tiny_nlp.make_doc("bra\u200bhar A\u030angelholm")])
    assert vectors.any(axis=1)[[0, -1]].all()


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), max_size=12),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=12),
)
def test_pieces_and_tokens_that_share_a_character(tokens, pieces):
    def place(parts):
        at, places = 0, []
        for gap, length in parts:
            places.append((at + gap, at + gap + length))
            at += gap + length
        return np.array(places, dtype=np.int64).reshape(-1, 2)

    words, offsets = place(tokens), place(pieces)
    found = {*zip(*(ends.tolist() for ends in _align(offsets, words[:, 0], words[:, 1])))}
    assert found == {
        (i, j)
        for i, (a, b) in enumerate(offsets.tolist())
        for j, (c, d) in enumerate(words.tolist())
        if a < b and a < d and c < b
    }


def test_threads_find_what_one_finds(make_nlp):
    nlp = make_nlp()
    alone = [get_finds(nlp(text)) for text in THREAD_TEXTS]
    with ThreadPoolExecutor(4) as pool:
        together = [get_finds(doc) for doc in pool.map(nlp, THREAD_TEXTS)]
        streams = pool.map(lambda _: [*map(get_finds, nlp.pipe(THREAD_TEXTS))], range(4))
        streams = [*streams]
    assert together == alone
    for stream in streams:
        assert [(phi, ents) for phi, _, ents in stream] == [(phi, ents) for phi, _, ents in alone]


def test_dropout_is_never_on_in_a_loaded_pipeline(tiny_path, monkeypatch):
    """No prediction may so much as touch the mode of the network, which threads share."""
    nlp = spacy.load(tiny_path, config={"components": {"transformer": {"backend": "torch"}}})
    network = get_network(nlp.get_pipe("transformer").model)
    assert not any(module.training for module in network.modules())
    monkeypatch.setattr(torch.nn.Module, "train", pytest.fail)
    monkeypatch.setattr(torch.nn.Module, "eval", pytest.fail)
    nlp(TEXTS[0])
    [*nlp.pipe(TEXTS)]


def test_dropout_is_off_after_training(make_nlp):
    """With the dropout of the training two predictions would differ."""
    nlp = make_nlp({"initialize.components.transformer.pretrained.hidden_dropout": 0.1})
    network = get_network(nlp.get_pipe("transformer").model)
    assert network.config["hidden_dropout_prob"] == 0.1
    assert network.training
    np.testing.assert_array_equal(*(nlp.get_pipe("transformer").predict([nlp(TEXTS[0])]) * 2))
    assert not network.training
    # That of the attention is on in a training, too.
    config = make_config(hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.5)
    bert = Bert(config.to_dict())
    ids, there = torch.ones((1, 9), dtype=torch.long), torch.ones((1, 9), dtype=torch.bool)
    for train in (True, False):
        bert.train(train)
        one, other = (read_rows(bert, ids, there) for _ in range(2))
        assert torch.equal(one, other) != train


def test_training_moves_the_encoder(make_nlp, encoder_path):
    encoder = make_nlp().get_pipe("transformer")
    encoder.backend = "torch"
    weights = get_network(encoder.model).bert.state_dict()
    before = safetensors.torch.load_file(encoder_path / "model.safetensors")
    moved = {key for key, value in weights.items() if not torch.equal(value, before[key].half())}
    assert "encoder.layer.0.attention.self.query.weight" in moved
    # See `freeze_embeddings`.
    assert "embeddings.word_embeddings.weight" not in moved
    assert not any(key.startswith("pooler") for key in weights)


def test_saved_as_plain_files(tiny_path, encoder_path):
    path = tiny_path / "transformer"
    assert sorted(file.name for file in path.iterdir()) == [
        "config.json", "model.safetensors", "tokenizer.json",
    ]  # fmt: skip
    config = json.loads((path / "config.json").read_text(encoding="utf8"))
    # What `transformers` needs to read it as a BERT.
    assert config["model_type"] == "bert"
    assert config["architectures"] == ["BertModel"]
    assert config["torch_dtype"] == "float16"
    assert str(encoder_path) not in json.dumps(config)
    assert safetensors.torch.load_file(path / "model.safetensors")
    # No file of the pipeline is code, or a pickle, that loading would run.
    for file in tiny_path.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert b"torch._utils" not in data
            with pytest.raises(ValueError):
                [*pickletools.genops(data)]


@pytest.mark.parametrize("how", ["bytes", "pickle", "disk"])
def test_saving_keeps_everything(tiny_nlp, reading, tmp_path, how):
    docs = make_docs_with_evidence(tiny_nlp, TEXTS)
    other = carry(reading, spacy.blank("sv").add_pipe("chat_encoder"), how, tmp_path)
    assert how != "pickle" or other.model.attrs == reading.model.attrs
    other.precision, other.backend = "fp32", reading.backend
    # In half precision on disk: what was loaded once stays as it is.
    again = spacy.blank("sv").add_pipe("chat_encoder").from_bytes(other.to_bytes())
    again.precision, again.backend = "fp32", reading.backend
    for a, b, c in zip(reading.predict(docs), other.predict(docs), again.predict(docs)):
        np.testing.assert_allclose(a, b, atol=5e-3)
        np.testing.assert_array_equal(b, c)
    assert len(reading.to_bytes(exclude=["model"])) < 10
    reading.to_disk(tmp_path / "bare", exclude=["model"])
    assert not any((tmp_path / "bare").iterdir())
    assert reading.from_disk(tmp_path / "bare", exclude=["model"]) is reading


def test_without_weights_it_says_what_to_do():
    nlp = spacy.blank("sv")
    encoder = nlp.add_pipe("chat_encoder")
    with pytest.raises(ValueError, match=r"initialize.components.chat_encoder.pretrained"):
        encoder.initialize(list)
    with pytest.raises(ValueError, match="initialize"):
        encoder.predict([Doc(nlp.vocab, words=["Hej"])])
    for window, overlap in ((10, 10), (10, -1), (0, 0)):
        with pytest.raises(ValueError, match="overlap"):
            build_encoder(window, overlap, 4096, False)
    for change in ({"model_type": "electra"}, {"hidden_act": "silu"}):
        config, (named,) = {**BertConfig().to_dict(), **change}, change.values()
        with pytest.raises(ValueError, match=rf"must be a BERT .*{named}.*\[torch\]"):
            set_network(build_encoder(9, 1, 9, False), "numpy", config, {}, "")


TOKENIZER = Tokenizer(WordLevel({"[UNK]": 0}, "[UNK]")).to_str()
SHAPES = [{}, {"hidden_act": "gelu_new", "layer_norm_eps": 1e-5}, {"hidden_act": "relu"}]


@pytest.mark.parametrize("shape", SHAPES)
def test_network_is_the_one_of_transformers(shape):
    """Also without padding, one text behind the other."""
    torch.manual_seed(1)
    config = make_config(num_attention_heads=4, num_hidden_layers=3, initializer_range=0.5, **shape)
    theirs = BertModel(config, add_pooling_layer=False).eval()
    ours = Bert(config.to_dict()).eval()
    ours.load_state_dict(theirs.state_dict())
    weights = {name: weight.numpy() for name, weight in theirs.state_dict().items()}
    plain = NumpyNetwork(config.to_dict(), weights, TOKENIZER)
    ids, lengths = torch.randint(0, 50, (5, 33)), [1, 5, 7, 20, 33]
    mask = torch.arange(33)[None] < torch.tensor(lengths)[:, None]
    with torch.no_grad():
        expected = theirs(input_ids=ids, attention_mask=mask.long()).last_hidden_state[mask]
        in_numpy = torch.from_numpy(plain.read(ids[mask].numpy(), lengths))
        for found in (read_rows(ours, ids, mask)[mask], ours.read(ids[mask], lengths), in_numpy):
            torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)
    assert (plain.width, plain.max_pieces) == (16, 40)
    x = np.linspace(-12, 12, 10_001, dtype=np.float32)
    wanted = ACT2FN[config.hidden_act](torch.from_numpy(x)).numpy()
    ACTIVATIONS[config.hidden_act](x)
    np.testing.assert_allclose(x, wanted, atol=1e-6)


def test_only_a_training_needs_transformers():
    code = "import os, sys; before = dict(os.environ); import components; "
    done = run_python(f"{code}assert dict(os.environ) == before; print([*sys.modules])")
    assert done.returncode == 0
    for name in ("transformers", "huggingface_hub", "torch._inductor"):
        assert f"'{name}'" not in done.stdout


@pytest.mark.parametrize("precision, most", [("fp32", 1e-5), ("bf16", 0.2)])
def test_precisions(tiny_path, precision, most):
    texts = [*TEXTS, "Anna Lind " * 80]
    config = {"components": {"transformer": {"precision": "fp32", "backend": "torch"}}}
    encoder = spacy.load(tiny_path, config=config).get_pipe("transformer")
    assert get_network(encoder.model).reader is get_network(encoder.model).bert
    nlp = spacy.load(tiny_path)
    other = nlp.get_pipe("transformer")
    other.backend = "torch"
    other.precision = precision
    docs = [nlp.make_doc(text) for text in texts]
    for a, b in zip(encoder.predict(docs), other.predict(docs)):
        assert a.dtype == b.dtype == np.float32
        np.testing.assert_allclose(a, b, atol=most)
        assert precision == "fp32" or not a.any() or not np.array_equal(a, b)
    # What is saved has all bits.
    assert other.to_bytes() == encoder.to_bytes()
    assert pickle.loads(pickle.dumps(other)).precision == precision


def test_unknown_precision(tiny_path, encoder):
    with pytest.raises(ValueError, match="auto, fp32, bf16, got 'fp16'"):
        encoder.precision = "fp16"
    with pytest.raises(ValueError, match="precision"):
        spacy.load(tiny_path, config={"components": {"transformer": {"precision": "half"}}})
    with pytest.raises(ValueError, match="auto, numpy, torch, got 'jax'"):
        encoder.backend = "jax"
    encoder.precision, encoder.backend = "auto", "numpy"
    with pytest.raises(ValueError, match="numpy computes in fp32 only"):
        encoder.precision = "bf16"
    assert (encoder.precision, encoder.backend) == ("auto", "numpy")


def test_best_precision(able):
    assert choose_precision("auto") == ("bf16" if able else "fp32")
    # torch where it is faster, or asked for.
    assert choose_backend("auto", "auto") == ("torch" if able else "numpy")
    assert choose_backend("auto", "bf16") == choose_backend("torch", "auto") == "torch"
    assert choose_backend("numpy", "auto") == "numpy"


def test_without_torch(monkeypatch, tiny_nlp, encoder):
    monkeypatch.setattr(backend, "has_torch", False)
    monkeypatch.setitem(sys.modules, "torch", None)
    encoder.backend, encoder.precision = "auto", "auto"
    assert choose_backend("auto", "auto") == "numpy"
    backend.set_threads(1)
    for change in ({"backend": "torch"}, {"precision": "bf16"}):
        with pytest.raises(ExtraError, match=r"torch, which is not installed.*\[torch\]"):
            for name, value in change.items():
                setattr(encoder, name, value)
    doc = tiny_nlp.make_doc(TEXTS[0])
    assert encoder.predict([doc])[0].any()
    example = Example.from_dict(doc, {"entities": []})
    with pytest.raises(ExtraError, match=r"\[torch\]"):
        encoder.update([example])


def test_a_large_encoder_warns_of_numpy():
    shape = make_config(hidden_size=768, num_hidden_layers=12, num_attention_heads=12)
    names = BertModel(make_config(num_hidden_layers=12), add_pooling_layer=False).state_dict()
    weights = {name: np.zeros((768, 1), dtype=np.float32) for name in names}
    with pytest.warns(UserWarning, match=r"a third of a second.*\[torch\]"):
        NumpyNetwork(shape.to_dict(), weights, TOKENIZER)


def test_training_in_half_precision(tiny_nlp, encoder, able):
    docs = [tiny_nlp.make_doc(text) for text in TEXTS]
    encoder.backend = "torch"
    outputs, gradients = [], []
    for mixed_precision in (False, True):
        copy = copy_of(encoder)
        copy.model.attrs.update(context_dropout=0.0, mixed_precision=mixed_precision)
        drop_nothing(copy)
        vectors, backprop = copy.model(docs, is_train=True)
        assert all(vector.dtype == np.float32 for vector in vectors)
        backprop([np.ones_like(vector) for vector in vectors])
        outputs.append(np.vstack(vectors))
        weights = get_network(copy.model).bert.encoder.layer[0].intermediate.dense.weight
        assert weights.dtype == weights.grad.dtype == torch.float32
        gradients.append(weights.grad.numpy())
    for full, half in (outputs, gradients):
        # Where the processor cannot, it trains as ever.
        assert np.array_equal(full, half) != able
        np.testing.assert_allclose(full, half, atol=0.03 * np.abs(full).max())


@pytest.mark.parametrize("before", ["numpy", "torch"])
def test_a_loaded_pipe_that_trains_predicts_with_what_it_learnt(tiny_path, before):
    nlp = spacy.load(tiny_path)
    encoder = nlp.get_pipe("transformer")
    encoder.backend = before
    if before == "torch":
        encoder.precision = "bf16"
        assert get_network(encoder.model).reader is not get_network(encoder.model).bert
    example = Example.from_dict(nlp.make_doc(TEXTS[0]), {"entities": [(15, 24, "PERSON")]})
    sgd = Adam(0.01)
    nlp.resume_training(sgd=sgd)
    nlp.update([example], sgd=sgd)
    network = get_network(encoder.model)
    assert network.reader is network.bert
    # Right after a step the network drops out; what predicts must not.
    encoder.backend = "torch"
    encoder.precision = "bf16"
    docs = [nlp.make_doc(TEXTS[0])]
    np.testing.assert_array_equal(encoder.predict(docs)[0], encoder.predict(docs)[0])
    before = encoder.predict(docs)[0]
    nlp.update([example], sgd=sgd)
    assert not np.array_equal(before, encoder.predict([nlp.make_doc(TEXTS[0])])[0])


LAY_OUT = """
import sys
import torch
from components.model.torch_network import Bert
from tests.cases import carry

shape = dict(
    model_type="bert", hidden_act="gelu", hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
    intermediate_size=16, vocab_size=20, max_position_embeddings=10, type_vocab_size=2, pad_token_id=0,
    layer_norm_eps=1e-12, hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
)
with torch.device("meta"):
    Bert(shape)
assert "torch._dynamo" not in sys.modules
assert float(Bert(shape).embeddings.word_embeddings.weight.detach().std()) > 0.5
"""


def test_a_network_that_is_laid_out_needs_no_compiler():
    done = run_python(LAY_OUT)
    assert done.returncode == 0, done.stderr


def test_another_default_of_torch_changes_nothing(tiny_nlp):
    want = tiny_nlp("Hej, jag heter Anna Lind")
    torch.set_default_dtype(torch.float64)
    try:
        doc = tiny_nlp("Hej, jag heter Anna Lind")
    finally:
        torch.set_default_dtype(torch.float32)
    assert not doc._.failed and doc._.deidentified == want._.deidentified
