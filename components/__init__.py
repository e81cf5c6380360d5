"""The pipes of `sv_deid_chat`. Importing the package registers their factories."""

from . import (  # noqa: F401
    conversation,
    entity_ruler,
    extensions,
    gazetteer_matcher,
    known_matcher,
    phi_ner,
    scoring,
    span_merger,
    surrogate_generator,
    tokenizer,
    training,
    windows,
)
from .conversation import deidentify_conversation, pipe_conversations  # noqa: F401
