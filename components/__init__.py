"""The pipes of `sv_deid_chat`. Importing the package registers their factories."""

from . import extensions, extras  # noqa: F401
from .batch.frames.frame import deidentify_frame
from .batch.vault import Vault
from .cleaning.clean import clean_text
from .measures.evaluation import evaluate
from .messages import language  # noqa: F401
from .messages.configuration import configure
from .messages.conversation import deidentify, deidentify_conversation, pipe_conversations
from .messages.explanation import explain
from .model import scoring, training  # noqa: F401
from .pipes import (  # noqa: F401
    chat_encoder,
    custom_ruler,
    evidence_reader,
    gazetteer_matcher,
    known_matcher,
    phi_entity_ruler,
    phi_ner,
    span_merger,
    surrogate_generator,
)
from .swedish import tokenizer  # noqa: F401

__all__ = [
    "Vault",
    "clean_text",
    "configure",
    "deidentify",
    "deidentify_conversation",
    "deidentify_frame",
    "evaluate",
    "explain",
    "pipe_conversations",
]
