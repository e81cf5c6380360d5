"""The pipes of `sv_deid_chat`. Importing the package registers their factories."""

from . import extensions, extras  # noqa: F401
from .batch.cli.explain_command import explain  # noqa: F401
from .batch.frames.frame import deidentify_frame  # noqa: F401
from .messages import language  # noqa: F401
from .messages.configuration import configure  # noqa: F401
from .messages.conversation import deidentify_conversation, pipe_conversations  # noqa: F401
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
