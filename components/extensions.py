"""The extension attributes of the pipeline, set in this one place."""

from spacy.tokens import Doc, Span

from .languages import detect_language


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
    that then comes out wholly masked (see `components.messages.language`); `withheld` (str or None), why
    a message that nothing failed on comes out wholly masked, too, and is not read (see
    `components.messages.policies`); `threshold_factor` (float), what the threshold of the `phi_ner` is
    multiplied by for this message; `commonness` (array of shape (n_tokens, 2) or None), written by the
    `gazetteer_matcher`: how ordinary each word is, and whether it is a compound of such words;
    `evidence` (array or None), written by the `evidence_reader`: what rules and lists say of each token;
    `language` (str or None), the language of the message, detected whenever it is asked for (see
    `components.languages`).
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
        (Doc, "withheld", None),
        (Doc, "threshold_factor", 1.0),
        (Doc, "commonness", None),
        (Doc, "evidence", None),
    ):
        if not owner.has_extension(name):
            owner.set_extension(name, default=default)
    if not Doc.has_extension("language"):
        Doc.set_extension("language", getter=lambda doc: detect_language(doc.text))


set_extensions()
