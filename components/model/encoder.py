"""The encoder as thinc's model: its architecture, and the listener that passes its vectors on."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from spacy.pipeline.tok2vec import Tok2VecListener
from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import ArgsKwargs, Model, PyTorchGradScaler, PyTorchShim, torch2xp, xp2torch
from thinc.types import Floats2d
from thinc.util import get_torch_default_device

from .evidence import read_evidence
from .packing import count_pieces, pack
from .precision import AUTO, FULL, choose_precision
from .token_encoder import TokenEncoder
from .windows import read_windows


@registry.architectures("sv_deid_chat.Encoder.v1")
def build_encoder(
    window: int,
    overlap: int,
    max_batch_pieces: int,
    mixed_precision: bool,
    context_pieces: int = 0,
    context_dropout: float = 0.0,
    evidence: bool = False,
) -> Model[list[Doc], list[Floats2d]]:
    """Build an encoder. Its weights come when it is initialized, or loaded with the pipeline.

    window (int): The most bytes of UTF-8 that it reads in one go, 500 at most for 512 word pieces.
    overlap (int): The bytes that two windows share.
    max_batch_pieces (int): The most word pieces that it reads in one go; in training, padding
        included.
    mixed_precision (bool): Whether to train with half precision where it is safe: on a GPU, and on a
        processor that computes with bf16, where a step takes some two thirds of the time.
    context_pieces (int): The most word pieces of `doc._.context` that it reads before a message.
    context_dropout (float): The share of the messages whose context is hidden in training, so that it
        also learns to read them alone.
    evidence (bool): Whether it reads `doc._.evidence`, what rules and lists say of each token.
    RETURNS (Model[list[Doc], list[Floats2d]]): A vector for each token, shape (n_tokens, width).
    """
    if not 0 <= overlap < window:
        raise ValueError(f"overlap ({overlap}) must be at least 0 and less than window ({window}).")
    # bf16 has the range of fp32, so that on a CPU no gradient needs scaling.
    scaled = mixed_precision and get_torch_default_device().type == "cuda"
    shim = PyTorchShim(None, mixed_precision=scaled, grad_scaler=PyTorchGradScaler(scaled))
    attrs = {
        "window": window,
        "overlap": overlap,
        "max_batch_pieces": max_batch_pieces,
        "context_pieces": context_pieces,
        "context_dropout": context_dropout,
        "evidence": evidence,
        "mixed_precision": mixed_precision,
    }
    return Model("encoder", _forward, dims={"nO": None}, attrs=attrs, shims=[shim])


@registry.architectures("sv_deid_chat.EncoderListener.v1")
def build_listener(upstream: str) -> Tok2VecListener:
    """Build a listener that takes its width from the encoder."""
    return EncoderListener(upstream, None)


class EncoderListener(Tok2VecListener):
    """Gives the vectors in doc.tensor; in training, those of the encoder's present batch.

    upstream (str): The name of the encoder's pipe, or "*".
    width (int | None): The width of the vectors, None if it is not known yet.
    """

    def __init__(self, upstream: str, width: int | None) -> None:
        super().__init__(upstream, width)  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the batch that it saw last.
        return EncoderListener, (self.upstream_name, self.maybe_get_dim("nO"))


def get_network(model: Model) -> TokenEncoder:
    """Get the network of an encoder.

    model (Model): The encoder.
    RETURNS (TokenEncoder): The network.
    RAISES (ValueError): If it has no weights yet.
    """
    network = model.shims[0]._model
    if network is None:
        raise ValueError(
            "The encoder has no weights yet. Load a trained pipeline, or call nlp.initialize()."
        )
    return network


def _forward(
    model: Model, docs: Sequence[Doc], is_train: bool
) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Doc]]]:
    network, attrs = get_network(model), model.attrs
    contexts = [doc._.context for doc in docs]
    if is_train:
        hidden = np.random.random(len(docs)) < attrs["context_dropout"]
        contexts = [None if hide else context for hide, context in zip(hidden, contexts)]
    windows = [
        *read_windows(
            docs,
            network.tokenizer,
            network.bert.max_pieces,
            attrs["window"],
            attrs["overlap"],
            contexts,
            attrs["context_pieces"],
        )
    ]
    lengths = [len(doc) for doc in docs]
    evidence = gather_evidence(docs, network)
    if not is_train or not windows:
        vectors = network.predict(windows, evidence, attrs["max_batch_pieces"])
        return _split(torch2xp(vectors), lengths), lambda d_vectors: []
    shim: Any = model.shims[0]
    # The network that predicts with fewer bits would not be trained.
    network.set_precision(FULL)
    counts = torch.from_numpy(count_pieces(windows, sum(lengths))).to(shim.device)
    batches = [*pack(windows, attrs["max_batch_pieces"], network.bert.pad, shim.device)]
    reduced = attrs["mixed_precision"] and choose_precision(AUTO, shim.device) != FULL
    with torch.autocast("cpu", torch.bfloat16, enabled=reduced and shim.device.type == "cpu"):
        inputs = (batches, counts, evidence.to(shim.device))
        output, backprop_network = shim(ArgsKwargs(inputs, {}), True)

    def backprop(d_vectors: list[Floats2d]) -> list[Doc]:
        gradient = xp2torch(model.ops.xp.vstack(d_vectors), requires_grad=True)
        backprop_network(ArgsKwargs(((output,),), {"grad_tensors": gradient}))
        return []

    return _split(torch2xp(output), lengths), backprop


def _split(vectors: Any, lengths: Iterable[int]) -> list[Floats2d]:
    ends = np.cumsum([0, *lengths]).tolist()
    return [vectors[start:end] for start, end in pairwise(ends)]


def gather_evidence(docs: Sequence[Doc], network: TokenEncoder) -> torch.Tensor:
    """Gather the evidence that the encoder reads.

    docs (Sequence[Doc]): The documents.
    network (TokenEncoder): The network.
    RETURNS (torch.Tensor): The evidence of all tokens, shape (n_tokens, WIDTH), or (n_tokens, 0) if
        the network reads none.
    """
    if network.evidence is None or not docs:
        return torch.zeros((sum(map(len, docs)), 0))
    return torch.from_numpy(np.concatenate([read_evidence(doc) for doc in docs]))
