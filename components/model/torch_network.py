"""The network with torch, which trains, and predicts on a GPU and with fewer bits."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from thinc.util import get_torch_default_device

from .backend import FULL, TORCH, choose_precision
from .evidence import WEIGHTS
from .network import Network
from .packing import Batch
from .torch_bert import Bert


class TorchNetwork(Network, torch.nn.Module):
    """A network that can be trained.

    config (Mapping[str, Any]): Its shape, with the names of transformers' `BertConfig`.
    weights (Mapping[str, np.ndarray]): Its weights, and those of the evidence if it reads any.
    tokenizer (str): Its tokenizer, as JSON.
    """

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
        """Compute the vectors in training.

        batches (Sequence[Batch]): The windows.
        counts (torch.Tensor): The number of pieces of each token, shape (n_tokens,).
        evidence (torch.Tensor): The evidence of the tokens, shape (n_tokens, WIDTH).
        RETURNS (torch.Tensor): The mean of each token, shape (n_tokens, width).
        """
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
