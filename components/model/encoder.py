"""The encoder as thinc's model: its architecture, and the listener that passes its vectors on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from spacy.pipeline.tok2vec import Tok2VecListener
from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import ArgsKwargs, Model, PyTorchGradScaler, PyTorchShim, torch2xp, xp2torch
from thinc.shims import Shim
from thinc.types import Floats2d

from .backend import AUTO, FULL, TORCH, choose_precision, load_torch
from .evidence import WEIGHTS, WIDTH, read_evidence
from .network import Network, NumpyNetwork, check_config
from .windows import Batch, Window, count_pieces, pack, read_windows


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
    attrs = {
        "window": window,
        "overlap": overlap,
        "max_batch_pieces": max_batch_pieces,
        "context_pieces": context_pieces,
        "context_dropout": context_dropout,
        "evidence": evidence,
        "mixed_precision": mixed_precision,
    }
    return Model("encoder", _forward, dims={"nO": None}, attrs=attrs, shims=[Shim(None)])


@registry.architectures("sv_deid_chat.EncoderListener.v1")
def build_listener(upstream: str) -> Tok2VecListener:
    """Build a listener that takes its width from the encoder."""
    return EncoderListener(upstream, None)


class EncoderListener(Tok2VecListener):
    """Gives the vectors in doc.tensor; in training, those of the encoder's present batch."""

    def __init__(self, upstream: str, width: int | None) -> None:
        super().__init__(upstream, width)  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the batch that it saw last.
        return EncoderListener, (self.upstream_name, self.maybe_get_dim("nO"))


def get_network(model: Model) -> Network:
    """Get the network of an encoder, or raise ValueError if it has no weights yet."""
    network = model.shims[0]._model
    if network is None:
        raise ValueError(
            "The encoder has no weights yet. Load a trained pipeline, or call nlp.initialize()."
        )
    return network


def set_network(
    model: Model,
    backend: str,
    config: Mapping[str, Any],
    weights: Mapping[str, np.ndarray],
    tokenizer: str,
) -> Network:
    """Give an encoder another network, in fp32: shape by transformers' `BertConfig`, tokenizer as
    JSON.

    RAISES (ValueError, ExtraError): If it is no BERT, or needs torch, which is not installed.
    """
    check_config(config)
    weights = dict(weights)
    if not model.attrs["evidence"]:
        weights.pop(WEIGHTS, None)
    elif WEIGHTS not in weights:
        weights[WEIGHTS] = np.zeros((config["hidden_size"], WIDTH), dtype=np.float32)
    if backend == TORCH:
        load_torch()
        from .torch_network import TorchNetwork

        network: Any = TorchNetwork(config, weights, tokenizer)
        # bf16 has the range of fp32, so that on a CPU no gradient needs scaling.
        scaled = model.attrs["mixed_precision"] and network.device.type == "cuda"
        shim: Shim = PyTorchShim(
            network, mixed_precision=scaled, grad_scaler=PyTorchGradScaler(scaled)
        )
    else:
        network = NumpyNetwork(config, weights, tokenizer)
        shim = Shim(network)
    model.shims[:] = [shim]
    model.set_dim("nO", network.width, force=True)
    return network


def change_backend(model: Model, backend: str) -> Network:
    """Compute with another backend ("numpy" or "torch"). It may raise ExtraError."""
    network = get_network(model)
    if network.backend == backend:
        return network
    tokenizer = network.tokenizer.to_str()
    return set_network(model, backend, network.config, network.get_weights(), tokenizer)


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
            network.max_pieces,
            attrs["window"],
            attrs["overlap"],
            contexts,
            attrs["context_pieces"],
        )
    ]
    lengths = [len(doc) for doc in docs]
    evidence = gather_evidence(docs, network)
    if is_train and windows:
        return _train(model, windows, evidence, lengths)
    vectors = network.predict(windows, evidence, attrs["max_batch_pieces"])
    array: Any = model.ops.xp.asarray(vectors)
    return _split(array, lengths), lambda d_vectors: []


def _train(
    model: Model, windows: Sequence[Window], evidence: np.ndarray, lengths: Sequence[int]
) -> tuple[list[Floats2d], Callable[[list[Floats2d]], list[Doc]]]:
    torch = load_torch()
    # A pipeline that was loaded to predict may be trained on.
    network, attrs = change_backend(model, TORCH), model.attrs
    # The network that predicts with fewer bits would not be trained.
    network.set_precision(FULL)
    shim: Any = model.shims[0]

    def move(array: np.ndarray) -> Any:
        return torch.from_numpy(array).to(shim.device)

    packed = pack(windows, attrs["max_batch_pieces"], network.config["pad_token_id"])
    batches = [Batch(*map(move, batch)) for batch in packed]
    counts = count_pieces(windows, len(evidence))
    reduced = attrs["mixed_precision"] and choose_precision(AUTO) != FULL
    with torch.autocast("cpu", torch.bfloat16, enabled=reduced and shim.device.type == "cpu"):
        inputs = (batches, move(counts), move(evidence))
        output, backprop_network = shim(ArgsKwargs(inputs, {}), True)

    def backprop(d_vectors: list[Floats2d]) -> list[Doc]:
        gradient = xp2torch(model.ops.xp.vstack(d_vectors), requires_grad=True)
        backprop_network(ArgsKwargs(((output,),), {"grad_tensors": gradient}))
        return []

    return _split(torch2xp(output), lengths), backprop


def _split(vectors: Any, lengths: Iterable[int]) -> list[Floats2d]:
    ends = np.cumsum([0, *lengths]).tolist()
    return [vectors[start:end] for start, end in pairwise(ends)]


def gather_evidence(docs: Sequence[Doc], network: Network) -> np.ndarray:
    """The evidence that the network reads, shape (n_tokens, WIDTH), or (n_tokens, 0) for none."""
    if network.evidence_weights is None or not docs:
        return np.zeros((sum(map(len, docs)), 0), dtype=np.float32)
    return np.concatenate([read_evidence(doc) for doc in docs])
