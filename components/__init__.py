"""The pipes of `sv_deid_chat`. Importing the package registers their factories."""

from . import (  # noqa: F401
    entity_ruler,
    extensions,
    gazetteer_matcher,
    phi_ner,
    scoring,
    span_merger,
    surrogate_generator,
    tokenizer,
    training,
    windows,
)
