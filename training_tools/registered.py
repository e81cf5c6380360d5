"""What the configs name that only a training needs: its corpus, its encoder, its log."""

import sys
import time
from collections.abc import Callable, Iterable
from itertools import islice, repeat
from pathlib import Path
from typing import IO, Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Corpus, Example
from spacy.training.loggers import console_logger
from spacy.util import registry
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging

import training_tools.formats  # noqa: F401  (reads docs faster)
from components.text import extensions  # noqa: F401

# On top of the last layer, for tasks on whole texts.
POOLER = "pooler."
Log = tuple[Callable[[dict[str, Any] | None], None], Callable[[], None]]
# Seconds between two lines that say how far a training is.
EVERY = 30


@registry.readers("sv_deid_chat.Corpus.v1")
def read_corpus(path: Path, limit: int = 0) -> Callable[[Language], Iterable[Example]]:
    """Read annotated messages, each with its `_.context`, from a `.spacy` file, up to a limit."""
    return ChatCorpus(path, limit=limit)


class ChatCorpus(Corpus):
    """spaCy's corpus, in which a message keeps what was said before it."""

    def _make_example(self, nlp: Language, reference: Doc, gold_preproc: bool) -> Example:
        example = super()._make_example(nlp, reference, gold_preproc)
        example.predicted._.context = reference._.context
        return example


@registry.readers("sv_deid_chat.encoder.v1")
def read_encoder(path: str, hidden_dropout: float | None = None) -> dict[str, Any]:
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


@registry.loggers("sv_deid_chat.RateLogger.v1")
def make_rate_logger(progress_bar: bool) -> Callable[[Language, IO, IO], Log]:
    """Make spaCy's logger that also tells the time left, and the last learning rate."""

    def start(nlp: Language, stdout: IO = sys.stdout, stderr: IO = sys.stderr) -> Log:
        log, finish = console_logger(progress_bar)(nlp, stdout, stderr)
        setting = nlp.config.interpolate()["training"]["optimizer"]["learn_rate"]
        rates = registry.resolve({"rates": setting})["rates"] if isinstance(setting, dict) else None
        rates, last = rates or repeat(setting), -1
        steps, begin = nlp.config["training"]["max_steps"], time.monotonic()
        said = begin

        def log_step(info: dict[str, Any] | None) -> None:
            nonlocal last, said
            last += 1
            log(info)
            now = time.monotonic()
            if info is None and now - said >= EVERY and steps:
                said = now
                left = (now - begin) / (last + 1) * (steps - last)
                stdout.write(f"Step {last} of {steps}, {left / 60:.1f} minutes left\n")
                stdout.flush()

        def finish_log() -> None:
            value = next(islice(rates, max(0, last), None))
            stdout.write(f"Learning rate of the last step, {last}: {value:.2g}\n")
            finish()

        return log_step, finish_log

    return start
