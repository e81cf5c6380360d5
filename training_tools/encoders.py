"""Encoders to begin a training with, from a folder or from the hub."""

from typing import Any

import numpy as np
from spacy.util import registry
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging

# On top of the last layer, for tasks on whole texts.
POOLER = "pooler."


@registry.readers("sv_deid_chat.encoder.v1")
def read_encoder(path: str, hidden_dropout: float | None = None) -> dict[str, Any]:
    """Read a pretrained encoder."""
    # It would warn of the pooler, which is not used.
    logging.set_verbosity_error()
    tokenizer = AutoTokenizer.from_pretrained(path, use_fast=True)
    if not tokenizer.is_fast:
        raise ValueError(f"The tokenizer of {path} has no fast version, which is needed.")
    model = AutoModel.from_pretrained(path)
    config = model.config.to_dict()
    if hidden_dropout is not None:
        config["hidden_dropout_prob"] = hidden_dropout
    tokenizer = tokenizer.backend_tokenizer.to_str()
    return {"config": config, "weights": get_weights(model), "tokenizer": tokenizer}


def get_weights(network: Any) -> dict[str, np.ndarray]:
    """RETURNS (dict[str, np.ndarray]): The weights of a network of transformers, by name, up to its last layer."""
    weights = network.state_dict().items()
    return {k: v.float().cpu().numpy() for k, v in weights if not k.startswith(POOLER)}
