"""The network of the encoder: a BERT that gives a vector for each token instead of each word piece."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from .windows import Window, count_pieces, get_strips

ACTIVATIONS = ("gelu", "gelu_new", "relu")


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
