"""Encoders of transformers, trained by spacy-transformers as `kb_bert.cfg` says, and what is shipped of
them.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from zipfile import ZipFile

import numpy as np
import pytest
import spacy
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertModel,
    ModernBertConfig,
    ModernBertModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaModel,
    XLMRobertaConfig,
    XLMRobertaModel,
)

from components.model.chat_encoder import ChatEncoder
from components.text.folding import fold_text
from scripts.package_pipeline import load_clean, package_pipeline
from tests.conftest import EXAMPLES, train_tiny
from training_tools.conversion import find_stock, make_lean

SHAPE = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "pad_token_id": 1,
}
MADE = {
    "xlm-roberta": (XLMRobertaModel, XLMRobertaConfig, {"max_position_embeddings": 514}),
    "roberta": (RobertaModel, RobertaConfig, {"max_position_embeddings": 514}),
    "modernbert": (ModernBertModel, ModernBertConfig, {"max_position_embeddings": 512}),
    # The network of multilingual-e5: a BERT with XLM-R's word pieces.
    "e5": (BertModel, BertConfig, {"max_position_embeddings": 512}),
    # What no `chat_encoder` computes, in a network that it otherwise knows.
    "relative": (BertModel, BertConfig, {"position_embedding_type": "relative_key"}),
}
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
KNOWN = ["bert", "xlm-roberta", "roberta", "e5"]
UNKNOWN = ["modernbert", "relative"]
LONG = " ".join(text for text, _ in EXAMPLES * 9)
TEXTS = [
    *(text for text, _ in EXAMPLES),
    "Bo",
    "Hej 😊🇸🇪 Bo Ek!\n\nMVH Åsa",
    "070" * 60 + " Anna Lind",
    "😊" * 300 + " Anna Lind",
    LONG,
    "",
]


def make_bytes() -> Tokenizer:
    """A tokenizer of bytes, as RoBERTa's: a letter may be several pieces."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {piece: i for i, piece in enumerate([*SPECIAL, *alphabet, "He", "Hej"])}
    tokenizer = Tokenizer(models.BPE(vocabulary, [("H", "e"), ("He", "j")], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return tokenizer


def make_unigrams(pieces: list[str]) -> Tokenizer:
    """A tokenizer as XLM-R's."""
    vocabulary = [(piece, -float(place)) for place, piece in enumerate(pieces)]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=SPECIAL.index("<unk>")))
    tokenizer.normalizer = normalizers.NFKC()
    parts = [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(prepend_scheme="always")]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(parts)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.add_special_tokens(SPECIAL)
    return tokenizer


def make_encoder(kind, path):
    """Write a tiny encoder as a folder of transformers."""
    model, config, settings = MADE[kind]
    letters = "abcdefghijklmnopqrstuvwxyzåäöABCDEFGHIJKLMNOPQRSTUVWXYZÅÄÖ0123456789.,!-😊"
    pieces = [*SPECIAL, "\u2581", *letters, "\u2581Hej", "\u2581jag", "ar", "er"]
    made = make_bytes() if kind in ("roberta", "modernbert") else make_unigrams(pieces)
    names = ("bos_token", "pad_token", "eos_token", "unk_token")
    options = dict(zip(names, SPECIAL))
    if kind == "modernbert":
        options["model_input_names"] = ["input_ids", "attention_mask"]
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, model_max_length=512, **options)
    tokenizer.save_pretrained(path)
    torch.manual_seed(0)
    model(config(vocab_size=len(tokenizer), **SHAPE, **settings)).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def folders(tmp_path_factory, encoder_path, lists_path):
    """The folders of the trained pipelines, which are made when they are asked for."""
    made = {}

    def get(kind):
        if kind not in made:
            folder = tmp_path_factory.mktemp(kind)
            path = encoder_path if kind == "bert" else make_encoder(kind, folder / "secret")
            train_tiny(path, lists_path, config="kb_bert").to_disk(folder / "model")
            made[kind] = folder / "model"
        return made[kind]

    return get


def get_finds(doc):
    groups = {"ents": doc.ents, **doc.spans}
    return {key: [(s.start, s.end, s.label_) for s in spans] for key, spans in groups.items()}


def get_vectors(nlp, texts):
    """The vectors that `phi_ner` reads, fp32."""
    listener = nlp.get_pipe("phi_ner").model.layers[0].layers[0]
    kept = [name for name in nlp.pipe_names if name != "doc_cleaner"]
    with nlp.select_pipes(enable=kept):
        return [listener.predict([doc])[0] for doc in nlp.pipe(texts) if len(doc)]


def load_exact(path):
    """What is packaged, in fp32."""
    nlp = load_clean(path)
    pipe = nlp.get_pipe("transformer")
    if isinstance(pipe, ChatEncoder):
        pipe.precision = "fp32"
    return nlp


@pytest.mark.parametrize("kind", [*KNOWN, *UNKNOWN])
def test_any_encoder_is_trained(folders, kind):
    """It has learnt its few messages."""
    nlp = spacy.load(folders(kind))
    assert find_stock(nlp) == "transformer"
    docs = [nlp(text) for text, _ in EXAMPLES]
    found = {ent.text for doc in docs for ent in doc.spans["phi"]}
    assert found & {phi for _, spans in EXAMPLES for phi in spans}


@pytest.mark.parametrize("kind", [*KNOWN, *UNKNOWN])
def test_no_token_is_without_a_vector(folders, kind):
    """spaCy's strided spans are counted in tokens: what is beyond 512 word pieces has none."""
    nlp = spacy.load(folders(kind))
    texts = TEXTS[:-1]
    for text, vectors in zip(texts, get_vectors(nlp, texts)):
        doc = nlp.make_doc(text)
        missed = [t.text for t in doc if not t.is_space and not vectors[t.i].any()]
        assert not missed
    for doc in nlp.pipe(texts, disable=["doc_cleaner"]):
        assert doc._.trf_data.wordpieces.input_ids.shape[-1] <= 512


@pytest.mark.parametrize("kind", KNOWN)
def test_what_is_packaged_finds_the_same(folders, kind):
    stock, lean = spacy.load(folders(kind)), load_exact(folders(kind))
    assert isinstance(lean.get_pipe("transformer"), ChatEncoder)
    # What folding changes is read otherwise, and a word that is cut at 512 pieces is cut elsewhere.
    texts = [text for text in TEXTS if fold_text(text).text == text and "😊" * 9 not in text]
    assert len(texts) == 8
    for one, other in zip(get_vectors(stock, texts), get_vectors(lean, texts)):
        np.testing.assert_allclose(one, other, atol=2e-5)
    for one, other in zip(stock.pipe(texts), lean.pipe(texts)):
        assert get_finds(one) == get_finds(other)


@pytest.mark.parametrize("kind", KNOWN)
def test_what_is_packaged_is_lean(folders, kind, tmp_path):
    nlp = load_clean(folders(kind))
    assert nlp.pipe_names == spacy.load(folders(kind)).pipe_names
    assert "spacy-transformers" not in nlp.config.to_str() and find_stock(nlp) is None
    nlp.to_disk(tmp_path)
    # No pickle, and no path of this machine.
    names = {file.name for file in (tmp_path / "transformer").iterdir()}
    assert names == {"config.json", "model.safetensors", "tokenizer.json"}
    assert not [f for f in tmp_path.rglob("*") if f.is_file() and b"secret" in f.read_bytes()]
    doc = spacy.load(tmp_path)(LONG)
    assert doc.tensor is None and get_finds(doc) == get_finds(nlp(LONG))
    # Once more changes nothing.
    before = nlp.to_bytes()
    make_lean(nlp)
    assert nlp.to_bytes() == before


@pytest.mark.parametrize("kind", UNKNOWN)
def test_another_architecture_stays_as_it_is(folders, kind, tmp_path):
    stock, kept = spacy.load(folders(kind)), load_exact(folders(kind))
    assert find_stock(kept) == "transformer"
    for one, other in zip(stock.pipe(TEXTS), kept.pipe(TEXTS)):
        assert get_finds(one) == get_finds(other)
    kept.to_disk(tmp_path)
    assert not [f for f in tmp_path.rglob("*") if f.is_file() and b"secret" in f.read_bytes()]


@pytest.mark.parametrize("kind", ["bert", *UNKNOWN])
@pytest.mark.parametrize("threads", [1, 4, 16])
def test_threads_find_what_one_finds(folders, kind, threads, tmp_path):
    load_clean(folders(kind)).to_disk(tmp_path)
    nlp = spacy.load(tmp_path)
    texts = TEXTS[:-1] * 8
    alone = [get_finds(nlp(text)) for text in texts]
    with ThreadPoolExecutor(threads) as pool:
        assert [get_finds(doc) for doc in pool.map(nlp, texts)] == alone
    if find_stock(nlp):
        network = nlp.get_pipe("transformer").model.transformer
        network.train()
        rates = [layer.p for layer in network.modules() if isinstance(layer, torch.nn.Dropout)]
        assert not any(rates)


def test_other_spans_are_refused(folders):
    """A `chat_encoder` would read other windows than the ones that it was trained with."""
    spans = {"@span_getters": "spacy-transformers.doc_spans.v1"}
    config = {"components": {"transformer": {"model": {"get_spans": spans}}}}
    with pytest.raises(ValueError, match="get_spans"):
        make_lean(spacy.load(folders("bert"), config=config))


@pytest.mark.slow
def test_the_wheel_of_another_architecture_needs_spacy_transformers(folders, tmp_path):
    package_pipeline(folders("modernbert"), tmp_path, "deid_chat", "0.1.0", tmp_path, url="")
    wheel = next(tmp_path.rglob("*.whl"))
    with ZipFile(wheel) as archive:
        text = archive.read("sv_deid_chat-0.1.0.dist-info/METADATA").decode()
    assert re.search(r"^Requires-Dist: spacy-transformers", text, re.MULTILINE)
