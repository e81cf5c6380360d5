"""The extension attributes of the pipeline, set in this one place."""

from typing import Any

from spacy.tokens import Doc, Span
from spacy.tokens.underscore import Underscore

from ..shared.failures import SetupError
from .message import get_language

ATTRIBUTES: tuple[tuple[type[Doc] | type[Span], str, dict[str, Any]], ...] = (
    # The evidence of an entity, joined with "+": known, rules, phi, conversation, gazetteer (str).
    (Span, "source", {"default": ""}),
    # The highest score among the evidence, 0 to 1.
    (Span, "score", {"default": 0.0}),
    # The steps that made an entity, in order: dicts with `by`, a source or the id of a rule of the
    # `span_merger`, and the entity at that time: `start`, `end` (characters), `label`, `score`.
    (Span, "trace", {"default": ()}),
    # Set by the caller before the pipeline runs: the conversation of a message (str or None, empty for
    # none); the message before it, which only encoder and patterns read (str or None); what is known
    # of the participants.
    (Doc, "conversation_id", {"default": None}),
    (Doc, "context", {"default": None}),
    (Doc, "known", {"default": None}),
    # The steps that cleaned the text before it was read, empty for none (str).
    (Doc, "cleaned", {"default": ""}),
    # The result of the `surrogate_generator` (str, list of dicts), None before.
    (Doc, "deidentified", {"default": None}),
    (Doc, "replacements", {"default": None}),
    # The pipe that failed on the message; or why the message is not read. Either is masked whole.
    (Doc, "failed", {"default": None}),
    (Doc, "withheld", {"default": None}),
    # The threshold of the `phi_ner` is multiplied by it for this message.
    (Doc, "threshold_factor", {"default": 1.0}),
    # Not written any more: the `doc_cleaner` of saved pipelines takes it away.
    (Doc, "folded", {"default": None}),
    # How common each word is, and whether it is a compound of common words: written by the
    # `gazetteer_matcher`, shape (n_tokens, 2).
    (Doc, "commonness", {"default": None}),
    # What rules and lists say of each token, written by the `evidence_reader`.
    (Doc, "evidence", {"default": None}),
    # The language of the message, detected when it is first asked for (str or None).
    (Doc, "language", {"getter": get_language}),
)
# The attributes that were set here, as spaCy keeps them. They survive a reload of this module.
_set: dict[str, Any] = globals().get("_set", {})


def set_extensions() -> None:
    """Register the attributes on `Doc` and `Span`, also again. See `check_extensions`."""
    for owner, name, how in ATTRIBUTES:
        if not owner.has_extension(name):
            owner.set_extension(name, **how)
            _set[f"{owner.__name__}._.{name}"] = _get(owner, name)
    check_extensions()


def check_extensions() -> None:
    """Check that no other code has set an attribute of the same name, or raise SetupError."""
    for owner, name, _ in ATTRIBUTES:
        called = f"{owner.__name__}._.{name}"
        if called not in _set or _get(owner, name) is not _set[called]:
            raise SetupError(
                f"{called} is set by other code, a package or your own. This pipeline needs the name. Rename "
                "the other attribute, or call, before you load the pipeline: "
                f"{owner.__name__}.remove_extension({name!r})."
            )


def _get(owner: type[Doc] | type[Span], name: str) -> Any:
    own = Underscore.doc_extensions if owner is Doc else Underscore.span_extensions
    return own.get(name)


set_extensions()
