"""The head that ships with an encoder: what training made of the pipes that learn, to go on from."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import safetensors
import safetensors.numpy
import torch
from spacy.language import Language
from thinc.api import Config, Model

from components.lists.gazetteer_matcher import GazetteerMatcher
from components.model.chat_encoder import ChatEncoder
from components.model.encoder import get_network
from components.model.evidence import WEIGHTS
from components.model.phi_ner import PhiNer, Threshold

# In the folder of the encoder.
FILE = "head.safetensors"
ENCODER, TAGGER = "encoder.", "tagger."
# The training leaves them as they are.
FROZEN = "embeddings.word_embeddings.weight"
ENCODER_PIPE, TAGGER_PIPE, LISTS_PIPE = "transformer", "phi_ner", "gazetteer_matcher"
# The entries of the file's metadata.
THRESHOLDS, ORDINARY = "thresholds", "ordinary"


class Head(NamedTuple):
    """Weights, the threshold with those of the modes, and names that are ordinary words in the data."""

    weights: Mapping[str, np.ndarray]
    thresholds: tuple[Threshold, Mapping[str, Threshold]]
    ordinary: list[str]


def choose_head(config: Config) -> Path | None:
    """RETURNS (Path | None): The head that a training by a config begins with, if there is one."""
    path = Path(config["paths"]["encoder"], FILE)
    return path if path.is_file() and "with_head" in config.get("schedule", {}) else None


def get_weights(nlp: Language) -> dict[str, np.ndarray]:
    """Get the weights that a training has changed, in half precision: those of the encoder but for the
    embeddings of its word pieces, those by which it reads the evidence, and those of the tagger.
    """
    network, tagger = _get_parts(nlp)
    weights = {
        name if name == WEIGHTS else f"{ENCODER}{name}": weight
        for name, weight in network.get_weights().items()
        if name != FROZEN
    }
    weights |= {
        name: node.ops.to_numpy(node.get_param(own)) for name, node, own in _list_params(tagger)
    }
    return {name: np.ascontiguousarray(weight, np.float16) for name, weight in weights.items()}


def set_head(nlp: Language, head: Head) -> None:
    """Put a head into a pipeline that was initialized with its encoder."""
    own, weights = get_weights(nlp), head.weights
    if {k: v.shape for k, v in own.items()} != {k: v.shape for k, v in weights.items()}:
        raise ValueError(
            "The head that ships with the encoder is of another version: its network or its evidence "
            "differs from that of the config. Begin without it (--from-encoder)."
        )
    network, tagger = _get_parts(nlp)
    own_to_encoder = {
        name.replace(ENCODER, "bert.", 1): torch.from_numpy(weight)
        for name, weight in weights.items()
        if not name.startswith(TAGGER)
    }
    network.load_state_dict(own_to_encoder, strict=False)
    for name, node, param in _list_params(tagger):
        values: Any = weights[name].astype(np.float32)
        array: Any = node.ops.asarray(values)
        node.set_param(param, array)
    cast(GazetteerMatcher, nlp.get_pipe(LISTS_PIPE)).ordinary.update(head.ordinary)


def read_head(path: Path) -> Head:
    with safetensors.safe_open(path, "numpy") as file:
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        told = file.metadata()
        return Head(weights, json.loads(told[THRESHOLDS]), json.loads(told[ORDINARY]))


def write_head(nlp: Language, encoder: Path) -> Path:
    """Write the head of a trained and tuned pipeline into the folder of its encoder."""
    path, tagger = encoder / FILE, cast(PhiNer, nlp.get_pipe(TAGGER_PIPE))
    told = {
        THRESHOLDS: (tagger.cfg["threshold"], tagger.thresholds),
        ORDINARY: sorted(cast(GazetteerMatcher, nlp.get_pipe(LISTS_PIPE)).ordinary),
    }
    metadata = {name: json.dumps(value) for name, value in told.items()}
    safetensors.numpy.save_file(get_weights(nlp), path, metadata={"format": "pt", **metadata})
    return path


def _get_parts(nlp: Language) -> tuple[Any, Model]:
    encoder, tagger = nlp.get_pipe(ENCODER_PIPE), nlp.get_pipe(TAGGER_PIPE)
    if not isinstance(encoder, ChatEncoder):
        raise ValueError(f"A head belongs to a chat_encoder; '{ENCODER_PIPE}' is another pipe.")  # noqa: TRY004
    return get_network(encoder.model), cast(PhiNer, tagger).model


def _list_params(model: Model) -> Iterator[tuple[str, Model, str]]:
    """The parameters of a network, named by their place in it."""
    for number, node in enumerate(model.walk()):
        for param in node.param_names:
            yield f"{TAGGER}{number}.{param}", node, param
