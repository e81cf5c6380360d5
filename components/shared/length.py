"""The length of a document's text."""

from spacy.tokens import Doc


def get_length(doc: Doc) -> int:
    """Measure the text of a document without building `doc.text`, which is slow.

    doc (Doc): The document.
    RETURNS (int): The number of characters.
    """
    if not len(doc):
        return 0
    last = doc[-1]
    return last.idx + len(last) + len(last.whitespace_)
