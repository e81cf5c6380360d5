"""The extension attributes of the pipeline, set in this one place."""

from spacy.tokens import Doc, Span


def set_extensions() -> None:
    """Register the attributes on `Doc` and `Span`. Safe to call more than once.

    Span: `source` (str), which evidence a final entity rests on ("rules", "gazetteer",
    "phi", joined with "+"); `score` (float), the highest score among it, 0 to 1.
    Doc: `conversation_id` (str or None), set by the caller before the pipeline runs;
    `deidentified` (str) and `replacements` (list of dicts), written by the
    `surrogate_generator`.
    """
    for owner, name, default in (
        (Span, "source", ""),
        (Span, "score", 0.0),
        (Doc, "conversation_id", None),
        (Doc, "deidentified", ""),
        (Doc, "replacements", []),
    ):
        if not owner.has_extension(name):
            owner.set_extension(name, default=default)


set_extensions()
