"""The pipes of `sv_deid_chat`. Importing the package registers their factories."""

# All modules: what Python compiles them to counts in the checksum by which `spacy project run` knows
# whether this folder has changed.
from . import extensions, extras  # noqa: F401
from .cleaning import clean, originals  # noqa: F401
from .cli import deidentify, evaluate, restore  # noqa: F401
from .cli.explain import explain  # noqa: F401
from .frames import loading, spark  # noqa: F401
from .frames.frame import deidentify_frame  # noqa: F401
from .measures import bootstrap, evaluation, figures, gold, scores, spans  # noqa: F401
from .messages import language, policies  # noqa: F401
from .messages.conversation import deidentify_conversation, pipe_conversations  # noqa: F401
from .messages.custom import configure  # noqa: F401
from .model import bert, mish, neighbours, precision, scoring, training, windows  # noqa: F401
from .patterns import needs, regex  # noqa: F401
from .pipes import (  # noqa: F401
    chat_encoder,
    custom_ruler,
    entity_ruler,
    evidence_reader,
    gazetteer_matcher,
    known_matcher,
    phi_ner,
    span_merger,
    surrogate_generator,
)
from .reports import dry_run, page, sample  # noqa: F401
from .swedish import tokenizer  # noqa: F401
