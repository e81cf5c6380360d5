"""The pipes of `sv_deid_chat`. Importing the package registers their factories."""

from .conversations.configuration import configure
from .conversations.conversation import deidentify, deidentify_conversation, pipe_conversations
from .conversations.explanation import explain
from .custom import custom_ruler  # noqa: F401
from .frames.frame import deidentify_frame
from .known import known_matcher  # noqa: F401
from .language import language  # noqa: F401
from .lists import gazetteer_matcher  # noqa: F401
from .measures.evaluation import evaluate
from .merging import span_merger  # noqa: F401
from .model import chat_encoder, evidence, phi_ner, scoring, training  # noqa: F401
from .rules import phi_entity_ruler  # noqa: F401
from .shared import extras  # noqa: F401
from .surrogates import surrogate_generator  # noqa: F401
from .text import (
    extensions,  # noqa: F401
    tokenizer,  # noqa: F401
)
from .text.cleaning.clean import clean_text
from .vault import Vault

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
