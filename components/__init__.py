"""The pipes of `sv_deid_chat`. Importing the package registers their factories."""

# All modules: what Python compiles them to counts in the checksum by which `spacy project run` knows
# whether this folder has changed.
from . import (  # noqa: F401
    bert,
    cli,
    conversation,
    encoder,
    entity_ruler,
    extensions,
    gazetteer_matcher,
    known_matcher,
    language,
    phi_ner,
    restore,
    scoring,
    span_merger,
    surrogate_generator,
    tokenizer,
    training,
    windows,
)
from .conversation import deidentify_conversation, pipe_conversations  # noqa: F401
