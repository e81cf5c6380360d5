"""The extension attributes of the pipeline, set in this one place."""

from typing import Any

from spacy.tokens import Doc, Span
from spacy.tokens.underscore import Underscore

from .failures import SetupError
from .reading.cleaned_doc import get_language

ATTRIBUTES: tuple[tuple[type[Doc] | type[Span], str, dict[str, Any]], ...] = (
    (Span, "source", {"default": ""}),
    (Span, "score", {"default": 0.0}),
    (Span, "trace", {"default": ()}),
    (Doc, "conversation_id", {"default": None}),
    (Doc, "context", {"default": None}),
    (Doc, "known", {"default": None}),
    (Doc, "cleaned", {"default": ""}),
    (Doc, "deidentified", {"default": None}),
    (Doc, "replacements", {"default": None}),
    (Doc, "failed", {"default": None}),
    (Doc, "withheld", {"default": None}),
    (Doc, "threshold_factor", {"default": 1.0}),
    (Doc, "folded", {"default": None}),
    (Doc, "commonness", {"default": None}),
    (Doc, "evidence", {"default": None}),
    (Doc, "language", {"getter": get_language}),
)
# What spaCy keeps of each attribute that was set here; after a reload, too.
_set: dict[str, Any] = globals().get("_set", {})


def set_extensions() -> None:
    """Register the attributes on `Doc` and `Span`. Safe to call more than once.

    Span: `source` (str), which evidence a final entity rests on ("known", "rules", "phi",
    "conversation", "gazetteer", joined with "+"); `score` (float), the highest score among it,
    0 to 1; `trace` (sequence of dicts), in order, what found it and which rules of the `span_merger`
    changed it: `by`, and what it was then: `start`, `end` (characters), `label`, `score`.
    Doc: `conversation_id` (str or None; an empty one is none), `context` (what was said right before, a
    str or None, which the encoder reads and nothing is found in) and `known` (what is known of the
    participants, or None, see `components.pipes.known_matcher`), set by the caller before the pipeline
    runs; `cleaned` (str), what was cleaned away before the message was read, empty where nothing was (see
    `components.reading.cleaned_doc`); `deidentified` (str) and `replacements` (list of dicts), written by the
    `surrogate_generator`, None before; `failed` (str or None), which pipe failed on the message,
    that then comes out wholly masked (see `components.messages.language`); `withheld` (str or None), why
    a message that nothing failed on comes out wholly masked, too, and is not read (see
    `components.messages.policies`); `threshold_factor` (float), what the threshold of the `phi_ner` is
    multiplied by for this message; `folded`, the folded text (`components.swedish.folding`); `commonness` (array of shape (n_tokens, 2) or None), written by the
    `gazetteer_matcher`: how ordinary each word is, and whether it is a compound of such words;
    `evidence` (array or None), written by the `evidence_reader`: what rules and lists say of each token;
    `language` (str or None), the language of the message, detected when it is first asked for (see
    `components.languages`).

    RAISES (SetupError): If somebody else has set an attribute of that name.
    """
    for owner, name, how in ATTRIBUTES:
        if not owner.has_extension(name):
            owner.set_extension(name, **how)
            _set[f"{owner.__name__}._.{name}"] = _get(owner, name)
    check_extensions()


def check_extensions() -> None:
    """Check that what is read as an attribute of the pipeline is one.

    RAISES (SetupError): If somebody else has set an attribute of that name.
    """
    for owner, name, _ in ATTRIBUTES:
        called = f"{owner.__name__}._.{name}"
        if called not in _set or _get(owner, name) is not _set[called]:
            raise SetupError(
                f"{called} is set by somebody else, another package or your own code: this pipeline keeps "
                "its own there, and would take theirs for it. Give theirs another name. Or, before you "
                f"load the pipeline: {owner.__name__}.remove_extension({name!r})."
            )


def _get(owner: type[Doc] | type[Span], name: str) -> Any:
    own = Underscore.doc_extensions if owner is Doc else Underscore.span_extensions
    return own.get(name)


set_extensions()
