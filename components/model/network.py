"""The network of the encoder, a BERT that gives a vector for each token, and what computes it in numpy."""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from .backend import AUTO, FULL, NUMPY
from .evidence import WEIGHTS
from .windows import Window, count_pieces, get_strips


def check_config(config: Mapping[str, Any]) -> None:
    """Check that a network (transformers' `BertConfig`) can be computed, or raise ValueError."""
    if config["model_type"] != "bert" or config["hidden_act"] not in ACTIVATIONS:
        raise ValueError(
            f"A chat_encoder must be a BERT with one of the activations {', '.join(ACTIVATIONS)}, not "
            f"{config['model_type']} with {config['hidden_act']}. Other encoders run as the pipe "
            "`transformer` of spacy-transformers, which needs the extra [torch]."
        )


class Network(ABC):
    """A BERT, and the mean of its vectors over the word pieces of each token.

    The evidence of a token (what rules and lists say) may be added to the embeddings of its pieces,
    so that all layers read it (lexicon features as in Liu et al. 2021, Lexicon Enhanced Chinese
    Sequence Labeling Using BERT Adapter, where they come in between two layers).
    """

    # What computes it, "numpy" or "torch".
    backend: str

    def __init__(self, config: Mapping[str, Any], tokenizer: str) -> None:
        """Keep the shape, with the names of transformers' `BertConfig`, and the tokenizer as JSON."""
        super().__init__()
        self.config = dict(config)
        self.tokenizer = Tokenizer.from_str(tokenizer)
        # These are state of the tokenizer: setting them for each text would need a lock.
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()

    @property
    def width(self) -> int:
        """RETURNS (int): The width of the vectors."""
        return self.config["hidden_size"]

    @property
    def max_pieces(self) -> int:
        """RETURNS (int): The most word pieces that it reads in one go."""
        return self.config["max_position_embeddings"]

    @property
    @abstractmethod
    def evidence_weights(self) -> np.ndarray | None:
        """RETURNS (np.ndarray | None): The weights that embed the evidence, shape (width, WIDTH); None if
        it reads no evidence.
        """

    @abstractmethod
    def get_weights(self) -> dict[str, np.ndarray]:
        """RETURNS (dict[str, np.ndarray]): The weights, with the names of transformers' `BertModel`, and
        those of the evidence.
        """

    @abstractmethod
    def set_precision(self, precision: str) -> None:
        """precision (str): With how many bits to predict, one of `PRECISIONS`."""

    @abstractmethod
    def read(
        self, ids: np.ndarray, lengths: Sequence[int], added: np.ndarray | None = None
    ) -> np.ndarray:
        """Read word pieces without padding (Zeng et al. 2022, Boosting Distributed Training Performance of
        the Unpadded BERT Model). Attention is computed for all windows of one length in one go,
        everything else for all pieces. The result for a window does not depend on the others.

        ids (np.ndarray): The pieces of the windows, one window behind the other, shape (n_pieces,).
        lengths (Sequence[int]): The pieces of each window, those of one length side by side.
        added (np.ndarray | None): What is added to their embeddings, shape (n_pieces, width).
        RETURNS (np.ndarray): Their vectors, shape (n_pieces, width).
        """

    def predict(
        self, windows: Sequence[Window], evidence: np.ndarray, max_pieces: int
    ) -> np.ndarray:
        """Compute vectors, shape (n_tokens, width). Any number of threads may call this at once."""
        n_tokens, weights = len(evidence), self.evidence_weights
        embedded = None if weights is None else evidence @ weights.T
        vectors = np.zeros((n_tokens, self.width), dtype=np.float32)
        for ids, lengths, pieces, tokens in get_strips(windows, max_pieces):
            added = None
            if embedded is not None:
                added = np.zeros((len(ids), self.width), dtype=np.float32)
                np.add.at(added, pieces, embedded[tokens])
            np.add.at(vectors, tokens, self.read(np.asarray(ids), lengths, added)[pieces])
        return vectors / np.maximum(count_pieces(windows, n_tokens), 1)[:, None]


# So many rows stay in the cache of a core while several steps go over them.
BLOCK = 64
WORDS = "embeddings.word_embeddings.weight"
# Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 7.1.26: half the complement of the error
# function of |x| / sqrt(2), to 1e-7.
STEP = 0.3275911 * 2**-0.5
FACTORS = [0.5 * a for a in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)]
# Layers times width squared of BERT base, of which KB-BERT is one. One message takes a third of a second.
SLOW = 12 * 768**2


def gelu(x: np.ndarray) -> None:
    """Apply gelu (Hendrycks and Gimpel 2016), in place."""
    size = np.abs(x)
    t = 1 / (1 + STEP * size)
    tail = t * FACTORS[0]
    for factor in FACTORS[1:]:
        tail += factor
        tail *= t
    tail *= size
    size *= size
    size *= -0.5
    np.exp(size, out=size)
    tail *= size
    np.maximum(x, 0, out=x)
    x -= tail


def gelu_new(x: np.ndarray) -> None:
    """Apply gelu's approximation by a hyperbolic tangent, in place."""
    x *= 0.5 * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x * x * x)))


def relu(x: np.ndarray) -> None:
    """Set what is negative to zero, in place."""
    np.maximum(x, 0, out=x)


ACTIVATIONS: Mapping[str, Callable[[np.ndarray], None]] = {
    "gelu": gelu, "gelu_new": gelu_new, "relu": relu,
}  # fmt: skip


class NumpyNetwork(Network):
    """A network whose weights never change: by their names in transformers, and `evidence`."""

    backend = NUMPY

    def __init__(
        self, config: Mapping[str, Any], weights: Mapping[str, np.ndarray], tokenizer: str
    ) -> None:
        super().__init__(config, tokenizer)
        self._weights = dict(weights)
        # Most weights are those of the word pieces, of which a message needs few.
        own = {n: w if n == WORDS else np.asarray(w, np.float32) for n, w in weights.items()}
        self._evidence = own.get(WEIGHTS)
        self._embeddings = {n: w for n, w in own.items() if n.startswith("embeddings.")}
        self._activate = ACTIVATIONS[config["hidden_act"]]
        self._epsilon = np.float32(config["layer_norm_eps"])
        n_layers, self._n_heads = config["num_hidden_layers"], config["num_attention_heads"]
        self._layers = [self._lay_out(own, f"encoder.layer.{i}.") for i in range(n_layers)]
        if n_layers * self.width**2 >= SLOW:
            warnings.warn(
                "An encoder of this size takes a third of a second or more for each message with numpy. "
                "Install torch for a processor with bf16 or a GPU: the extra [torch].",
                stacklevel=2,
            )

    def _lay_out(self, weights: Mapping[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
        """Transpose a layer's weights for products from the left; join query, key and value."""
        layer = {n.removeprefix(prefix): w for n, w in weights.items() if n.startswith(prefix)}
        scale = np.float32((self.width // self._n_heads) ** -0.5)
        for part in ("weight", "bias"):
            query, key, value = (
                layer.pop(f"attention.self.{name}.{part}") for name in ("query", "key", "value")
            )
            layer[f"attention.self.{part}"] = np.concatenate([query * scale, key, value])
        return {n: np.ascontiguousarray(w.T) if w.ndim == 2 else w for n, w in layer.items()}

    @property
    def evidence_weights(self) -> np.ndarray | None:
        return self._evidence

    def get_weights(self) -> dict[str, np.ndarray]:
        return self._weights

    def set_precision(self, precision: str) -> None:
        assert precision in (AUTO, FULL)

    def read(
        self, ids: np.ndarray, lengths: Sequence[int], added: np.ndarray | None = None
    ) -> np.ndarray:
        groups = [(length, sum(1 for _ in same)) for length, same in groupby(lengths)]
        positions = np.concatenate([np.tile(np.arange(length), n) for length, n in groups])
        hidden = self._embeddings[WORDS][ids].astype(np.float32)
        hidden += self._embeddings["embeddings.position_embeddings.weight"][positions]
        hidden += self._embeddings["embeddings.token_type_embeddings.weight"][0]
        if added is not None:
            hidden += added
        self._normalize(hidden, self._embeddings, "embeddings")
        for layer in self._layers:
            mixed = self._attend(_project(hidden, layer, "attention.self"), groups)
            hidden += _project(mixed, layer, "attention.output.dense")
            self._normalize(hidden, layer, "attention.output")
            inner = hidden @ layer["intermediate.dense.weight"]
            for start in range(0, len(inner), BLOCK):
                block = inner[start : start + BLOCK]
                block += layer["intermediate.dense.bias"]
                self._activate(block)
            hidden += _project(inner, layer, "output.dense")
            self._normalize(hidden, layer, "output")
        return hidden

    def _attend(self, projected: np.ndarray, groups: Sequence[tuple[int, int]]) -> np.ndarray:
        """Mix the vectors of each window by query, key and value, shape (n_pieces, 3 * width)."""
        output = np.empty((len(projected), self.width), dtype=np.float32)
        start = 0
        for length, n in groups:
            end = start + length * n
            shape = (n, length, 3, self._n_heads, -1)
            # Each of shape (n, n_heads, length, width of a head).
            query, key, value = projected[start:end].reshape(shape).transpose(2, 0, 3, 1, 4)
            seen = query @ key.swapaxes(-1, -2)
            seen -= seen.max(axis=-1, keepdims=True)
            np.exp(seen, out=seen)
            mixed = seen @ value
            mixed /= seen.sum(axis=-1, keepdims=True)
            output[start:end].reshape(n, length, self._n_heads, -1)[:] = mixed.swapaxes(1, 2)
            start = end
        return output

    def _normalize(self, hidden: np.ndarray, weights: Mapping[str, np.ndarray], name: str) -> None:
        scale, bias = weights[f"{name}.LayerNorm.weight"], weights[f"{name}.LayerNorm.bias"]
        for start in range(0, len(hidden), BLOCK):
            block = hidden[start : start + BLOCK]
            block -= block.mean(axis=1, keepdims=True)
            squares = np.einsum("ij,ij->i", block, block)[:, None]
            block /= np.sqrt(squares / block.shape[1] + self._epsilon)
            block *= scale
            block += bias


def _project(hidden: np.ndarray, weights: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    projected = hidden @ weights[f"{name}.weight"]
    projected += weights[f"{name}.bias"]
    return projected
