"""The `transformer` of spacy-transformers, which a training needs, becomes a `chat_encoder`, which needs
neither that library nor transformers, holds no pickle and may be used by any number of threads.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, cast

import numpy as np
from spacy.language import Language
from spacy.pipeline import TrainablePipe

from components.model.chat_encoder import ChatEncoder
from components.model.encoder import EncoderListener
from components.model.network import ACTIVATIONS
from components.model.phi_ner import PhiNer
from components.shared.find_pipes import find_pipes
from training_tools.assembly import load_trained
from training_tools.registered import get_weights

POSITIONS = "embeddings.position_embeddings.weight"
# The same network, whose positions are counted from behind the number of the padding.
SHIFTED = ("xlm-roberta", "roberta", "camembert")
KNOWN = ("bert", *SHIFTED)
# What both read in one go.
SPANS = "sv_deid_chat.strided_spans.v1"
# Where the `transformer` leaves what it computes, and where a `chat_encoder` does.
STORES = {"_.trf_data": "tensor"}


def find_stock(nlp: Language) -> str | None:
    """Find the `transformer` of spacy-transformers."""
    modules = ((name, type(pipe).__module__.partition(".")[0]) for name, pipe in nlp.pipeline)
    return next((name for name, module in modules if module == "spacy_transformers"), None)


def load_lean(path: str | Path, exclude: Sequence[str] = ()) -> Language:
    """Load what `scripts.train` has saved, with all pipes, and without what only a training needs."""
    nlp = load_trained(path, exclude)
    make_lean(nlp)
    return nlp


def make_lean(nlp: Language) -> None:
    """Replace the `transformer` of a trained pipeline by a `chat_encoder` with its weights. An encoder of
    another architecture stays, without dropout: a prediction in one thread would turn it on in all.
    """
    name = find_stock(nlp)
    if name is None:
        return
    stock: Any = nlp.get_pipe(name)
    network, tokenizer = stock.model.transformer, stock.model.tokenizer
    if not is_known(network.config, tokenizer):
        settings = deepcopy(nlp.get_pipe_config(name))
        # It may be a path of this machine.
        settings["model"]["name"] = stock.model.attrs["name"] = network.config.model_type
        quieten(network)
        _copy(stock, _replace(nlp, name, settings))
        return
    spans = nlp.get_pipe_config(name)["model"]["get_spans"]
    if spans.get("@misc") != SPANS:
        raise ValueError(
            f"'{name}' reads other spans than a chat_encoder: give it {SPANS} for its get_spans "
            "(see configs/kb_bert.cfg) and train again."
        )
    model = {
        "@architectures": "sv_deid_chat.Encoder.v1",
        "window": spans["window"],
        "overlap": spans["overlap"],
        "max_batch_pieces": 2048,
        "mixed_precision": False,
        "context_pieces": 0,
        "context_dropout": 0.0,
        "evidence": False,
    }
    config, weights = get_bert(network)
    encoder = cast(ChatEncoder, nlp.replace_pipe(name, "chat_encoder", config={"model": model}))
    encoder.set_network(config, weights, tokenizer.backend_tokenizer.to_str())
    for ner in find_pipes(nlp, PhiNer):
        listen_to(nlp, ner, encoder)
    for pipe_name in nlp.pipe_names:
        if nlp.get_pipe_meta(pipe_name).factory == "doc_cleaner":
            settings = deepcopy(nlp.get_pipe_config(pipe_name))
            attrs = settings["attrs"].items()
            settings["attrs"] = {STORES.get(attr, attr): value for attr, value in attrs}
            _replace(nlp, pipe_name, settings)


def is_known(config: Any, tokenizer: Any) -> bool:
    """Tell whether a `chat_encoder` can compute a network of transformers."""
    return (
        config.model_type in KNOWN
        and config.hidden_act in ACTIVATIONS
        and config.position_embedding_type == "absolute"
        and tokenizer.is_fast
    )


def get_bert(network: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Get the shape, as `BertConfig` names it, and the weights of a network as a BERT's."""
    config = network.config.to_dict()
    weights = get_weights(network)
    if config["model_type"] in SHIFTED:
        weights[POSITIONS] = weights[POSITIONS][config["pad_token_id"] + 1 :]
        config.update(model_type="bert", max_position_embeddings=len(weights[POSITIONS]))
    return config, weights


def listen_to(nlp: Language, ner: PhiNer, encoder: ChatEncoder) -> None:
    """Let a trained `phi_ner` read the vectors of a `chat_encoder`."""
    settings = deepcopy(nlp.get_pipe_config(ner.name))
    architecture = "sv_deid_chat.EncoderListener.v1"
    settings["model"]["tok2vec"] = {"@architectures": architecture, "upstream": "*"}
    reader = ner.model.layers[0]
    reader.layers[0] = EncoderListener("*", encoder.model.get_dim("nO"))
    _copy(ner, _replace(nlp, ner.name, settings))


def quieten(network: Any) -> None:
    """Turn dropout off for good, in the config that the network is loaded by."""
    for name, value in network.config.to_dict().items():
        if "drop" in name and isinstance(value, float):
            setattr(network.config, name, 0.0)
    network.config._name_or_path = ""


def _replace(nlp: Language, name: str, settings: Mapping[str, Any]) -> Any:
    factory = nlp.get_pipe_meta(name).factory
    own = {key: value for key, value in settings.items() if key != "factory"}
    return nlp.replace_pipe(name, factory, config=own)


def _copy(pipe: TrainablePipe, other: TrainablePipe) -> None:
    other.from_bytes(pipe.to_bytes(exclude=["vocab"]), exclude=["vocab"])
