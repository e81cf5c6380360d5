"""The network with torch, which trains, and predicts on a GPU and with fewer bits: a BERT (Devlin et al. 2019)
as plain torch modules.

It has the names and the arithmetic of `BertModel` of the library transformers, so that the weights fit,
but no pooler. The library itself is needed only to begin a training: importing it takes longer than
loading the pipeline, and it reads from the network and the disk.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import torch
from thinc.util import get_torch_default_device
from torch import nn
from torch.nn import functional

from .backend import FULL, TORCH, choose_precision
from .evidence import WEIGHTS
from .network import Network
from .windows import Batch

# The number of word pieces that are read in one go is a multiple of these, for a few pieces and for many.
# oneDNN caches a program for each number, up to a thousand of them, which is hundreds of megabytes.
ROUND, ROUND_MANY, MANY = 16, 64, 256
ACTIVATIONS = {
    "gelu": functional.gelu,
    "gelu_new": lambda x: functional.gelu(x, approximate="tanh"),
    "relu": functional.relu,
}


class Bert(nn.Module):
    """Reads word pieces. Its config has the names of transformers' `BertConfig`."""

    # For the type checker, which takes attributes of a module for tensors.
    encoder: Any

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        self.config = dict(config)
        self.attention_dropout = config["attention_probs_dropout_prob"]
        self.embeddings = _Embeddings(config)
        self.encoder = nn.Module()
        self.encoder.layer = nn.ModuleList(
            _Layer(config) for _ in range(config["num_hidden_layers"])
        )

    def forward(
        self,
        ids: torch.Tensor,
        positions: torch.Tensor,
        mask: torch.Tensor,
        added: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Read rows of word pieces in training: the pieces and their places in windows, shape
        (n_rows, n_pieces); which sees which, bool, shape (n_rows, n_pieces, n_pieces), one at
        least; and what is added to embeddings, of the shape of the vectors, (n_rows, n_pieces,
        width).
        """

        hidden = ~mask.unsqueeze(1)

        def attend(*projected: torch.Tensor) -> torch.Tensor:
            # As three plain operations: on a CPU torch's own attention takes longer with a
            # gradient.
            query, key, value = map(self._part, projected)
            seen = (query @ key.transpose(-1, -2)) * query.shape[-1] ** -0.5
            weights = seen.masked_fill(hidden, -torch.inf).softmax(-1).to(value.dtype)
            dropped = functional.dropout(weights, self.attention_dropout, self.training)
            return self._join(dropped @ value)

        return self._run_layers(ids, positions, added, attend)

    def read(
        self, ids: torch.Tensor, lengths: Sequence[int], added: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Read word pieces without padding, as `Network.read` does."""
        groups = [(length, sum(1 for _ in same)) for length, same in groupby(lengths)]
        n_filling = -len(ids) % (ROUND if len(ids) < MANY else ROUND_MANY)
        if n_filling:
            # Filled up with windows of one piece each, which are dropped.
            groups.append((1, n_filling))
        sizes = [length * n for length, n in groups]

        def attend(*projected: torch.Tensor) -> torch.Tensor:
            split = zip(groups, *(one.split(sizes) for one in projected))
            return torch.cat(
                [
                    self._attend(*(one.view(n, length, -1) for one in parts)).flatten(0, 1)
                    for (length, n), *parts in split
                ]
            )

        positions = torch.cat([torch.arange(length).repeat(n) for length, n in groups])
        filled = functional.pad(ids, (0, n_filling), value=self.config["pad_token_id"])
        if added is not None:
            added = functional.pad(added, (0, 0, 0, n_filling))
        return self._run_layers(filled, positions.to(ids.device), added, attend)[: len(ids)]

    def _run_layers(
        self,
        ids: torch.Tensor,
        positions: torch.Tensor,
        added: torch.Tensor | None,
        attend: Callable[..., torch.Tensor],
    ) -> torch.Tensor:
        # The layers may compute with fewer bits than the embeddings have.
        hidden = self.embeddings(ids, positions, added)
        hidden = hidden.to(next(self.encoder.parameters()).dtype)
        for layer in self.encoder.layer:
            hidden = layer(hidden, attend)
        return hidden

    def _attend(self, *projected: torch.Tensor) -> torch.Tensor:
        """Mix vectors by query, key and value, each of shape (n_windows, n_pieces, width)."""
        query, key, value = map(self._part, projected)
        return self._join(functional.scaled_dot_product_attention(query, key, value))

    def _part(self, projected: torch.Tensor) -> torch.Tensor:
        """Part vectors among the heads."""
        shape = (*projected.shape[:2], self.config["num_attention_heads"], -1)
        return projected.view(shape).transpose(1, 2)

    def _join(self, mixed: torch.Tensor) -> torch.Tensor:
        """Put the heads' vectors together again."""
        return mixed.transpose(1, 2).flatten(2)


class _Embedding(nn.Embedding):
    def reset_parameters(self) -> None:
        # To draw weights that are only laid out, torch imports its compiler: a second of loading.
        if not self.weight.is_meta:
            super().reset_parameters()


class _Embeddings(nn.Module):
    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        width = config["hidden_size"]
        self.word_embeddings = _Embedding(config["vocab_size"], width)
        self.position_embeddings = _Embedding(config["max_position_embeddings"], width)
        self.token_type_embeddings = _Embedding(config["type_vocab_size"], width)
        self.LayerNorm = nn.LayerNorm(width, eps=config["layer_norm_eps"])
        self.dropout = nn.Dropout(config["hidden_dropout_prob"])

    def forward(
        self, ids: torch.Tensor, positions: torch.Tensor, added: torch.Tensor | None
    ) -> torch.Tensor:
        hidden = self.word_embeddings(ids) + self.token_type_embeddings.weight[0]
        hidden = hidden + self.position_embeddings(positions)
        if added is not None:
            hidden = hidden + added
        return self.dropout(self.LayerNorm(hidden))


class _Layer(nn.Module):
    attention: Any
    intermediate: Any

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        width, inner = config["hidden_size"], config["intermediate_size"]
        self.activation = ACTIVATIONS[config["hidden_act"]]
        self.attention = nn.Module()
        projections = {name: nn.Linear(width, width) for name in ("query", "key", "value")}
        self.attention.add_module("self", nn.ModuleDict(projections))
        self.attention.output = _Output(width, width, config)
        self.intermediate = nn.Module()
        self.intermediate.dense = nn.Linear(width, inner)
        self.output = _Output(inner, width, config)

    def forward(self, hidden: torch.Tensor, attend: Callable[..., torch.Tensor]) -> torch.Tensor:
        heads = self.attention.self
        mixed = attend(*(heads[name](hidden) for name in ("query", "key", "value")))
        hidden = self.attention.output(mixed, hidden)
        return self.output(self.activation(self.intermediate.dense(hidden)), hidden)


class _Output(nn.Module):
    def __init__(self, n_in: int, n_out: int, config: Mapping[str, Any]) -> None:
        super().__init__()
        self.dense = nn.Linear(n_in, n_out)
        self.LayerNorm = nn.LayerNorm(n_out, eps=config["layer_norm_eps"])
        self.dropout = nn.Dropout(config["hidden_dropout_prob"])

    def forward(self, hidden: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        return self.LayerNorm(self.dropout(self.dense(hidden)) + before)


class TorchNetwork(Network, torch.nn.Module):
    """A network that can be trained. Its arguments are those of `NumpyNetwork`."""

    backend = TORCH

    def __init__(
        self, config: Mapping[str, Any], weights: Mapping[str, np.ndarray], tokenizer: str
    ) -> None:
        super().__init__(config, tokenizer)
        own = {name: torch.tensor(weight, dtype=torch.float32) for name, weight in weights.items()}
        self.evidence: torch.nn.Linear | None = None
        if WEIGHTS in own:
            width, columns = own[WEIGHTS].shape
            self.evidence = torch.nn.Linear(columns, width, bias=False)
            self.evidence.weight.data = own.pop(WEIGHTS)
        with torch.device("meta"):
            self.bert = Bert(config)
        self.bert.load_state_dict(own, assign=True)
        # Weights made on the device `meta` are not trained otherwise.
        self.requires_grad_(True)
        self.to(get_torch_default_device()).eval()
        self.set_precision(FULL)

    def set_precision(self, precision: str) -> None:
        reader = self.bert
        if choose_precision(precision) != FULL:
            # It shares the embeddings, whose size is most of a small network's.
            reader = copy.copy(self.bert)
            reader._modules = dict(self.bert._modules)
            # It never trains, though the other may be about to.
            reader.encoder = copy.deepcopy(self.bert.encoder).to(torch.bfloat16).eval()
        # Inside a tuple it is not one of the modules that are trained, saved and moved.
        self._reader = (reader,)

    @property
    def reader(self) -> Bert:
        """RETURNS (Bert): The network that predicts."""
        return self._reader[0]

    @property
    def device(self) -> torch.device:
        """RETURNS (torch.device): Where it computes."""
        return next(self.parameters()).device

    @property
    def evidence_weights(self) -> np.ndarray | None:
        return None if self.evidence is None else self.evidence.weight.detach().cpu().numpy()

    def get_weights(self) -> dict[str, np.ndarray]:
        weights = {name: weight.cpu().numpy() for name, weight in self.bert.state_dict().items()}
        evidence = self.evidence_weights
        return weights if evidence is None else {**weights, WEIGHTS: evidence}

    def read(
        self, ids: np.ndarray, lengths: Sequence[int], added: np.ndarray | None = None
    ) -> np.ndarray:
        if self.training:
            # After a training only: a loaded network never trains.
            self.eval()
        with torch.no_grad():
            pieces = torch.from_numpy(ids).to(self.device)
            more = None if added is None else torch.from_numpy(added).to(self.device)
            return self.reader.read(pieces, lengths, more).float().cpu().numpy()

    def forward(
        self, batches: Sequence[Batch], counts: torch.Tensor, evidence: torch.Tensor
    ) -> torch.Tensor:
        """Compute vectors, shape (n_tokens, width), in training: windows, counts, evidence."""
        embedded = None if self.evidence is None else self.evidence(evidence).float()
        sums = counts.new_zeros((len(counts), self.width))
        for batch in batches:
            ids, pieces, tokens, added = batch.ids, batch.pieces, batch.tokens, None
            if embedded is not None:
                added = embedded.new_zeros((ids.numel(), self.width))
                added = added.index_add(0, pieces, embedded[tokens]).view(*ids.shape, -1)
            hidden = self.bert(ids, batch.positions, batch.mask, added).flatten(0, 1).float()
            sums = sums.index_add(0, tokens, hidden[pieces])
        return sums / counts.clamp(min=1).unsqueeze(1)
