"""The extension attributes of the pipeline, set in this one place."""

from spacy.tokens import Doc, Span


def set_extensions() -> None:
    """Register the attributes on `Doc` and `Span`. Safe to call more than once.

    Span: `source` (str), which evidence a final entity rests on ("known", "rules", "phi",
    "conversation", "gazetteer", joined with "+"); `score` (float), the highest score among it,
    0 to 1; `trace` (sequence of dicts), in order, what found it and which rules of the `span_merger`
    changed it: `by`, and what it was then: `start`, `end` (characters), `label`, `score`.
    Doc: `conversation_id` (str or None), `context` (what was said right before, a str or None, which
    the encoder reads and nothing is found in) and `known` (what is known of the participants, or
    None, see `components.pipes.known_matcher`), set by the caller before the pipeline runs;
    `deidentified` (str) and `replacements` (list of dicts), written by the
    `surrogate_generator`, None before; `failed` (str or None), which pipe failed on the message,
    that then comes out wholly masked (see `components.messages.language`); `commonness` (array of shape (n_tokens, 2) or None), written by the
    `gazetteer_matcher`: how ordinary each word is, and whether it is a compound of such words.
    """
    for owner, name, default in (
        (Span, "source", ""),
        (Span, "score", 0.0),
        (Span, "trace", ()),
        (Doc, "conversation_id", None),
        (Doc, "context", None),
        (Doc, "known", None),
        (Doc, "deidentified", None),
        (Doc, "replacements", None),
        (Doc, "failed", None),
        (Doc, "commonness", None),
    ):
        if not owner.has_extension(name):
            owner.set_extension(name, default=default)


set_extensions()
