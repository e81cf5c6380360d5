"""How long the text of a document is."""

from spacy.tokens import Doc


def get_length(doc: Doc) -> int:
    """Measure the text of a document without making it, which takes spaCy as long as many a pipe.

    doc (Doc): The document.
    RETURNS (int): The characters of its text.
    """
    if not len(doc):
        return 0
    last = doc[-1]
    return last.idx + len(last) + len(last.whitespace_)
