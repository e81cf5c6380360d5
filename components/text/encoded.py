"""What a message encodes in letters and digits, such as Base64: many word pieces, but no words."""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from spacy.attrs import IDX, LENGTH
from spacy.tokens import Doc

from .message import fold_doc, get_length

# A run is judged in pieces of so many characters: a part of it may be words.
SIZE = 60
RUN = re.compile(rf"[A-Za-z0-9+/=_%-]{{{SIZE},}}")
LETTERS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
DIGITS = re.compile(r"[0-9]+")
# In a piece of code, letters and digits change all the time; in words that are written together they do not.
MIN_LETTERS, MIN_DIGITS = 6, 3
MAX_MEAN = 2.9


def find_encoded(text: str) -> Iterator[tuple[int, int]]:
    """Find what is encoded in a text. A line break between two such stretches is part of them."""
    last: tuple[int, int] | None = None
    for run in RUN.finditer(text):
        # The last piece is longer, as far as the end.
        borders = [*range(run.start(), run.end() - SIZE + 1, SIZE), run.end()]
        for start, end in pairwise(borders):
            if not _is_encoded(text[start:end]):
                continue
            if last and not text[last[1] : start].strip():
                last = last[0], end
                continue
            if last:
                yield last
            last = start, end
    if last:
        yield last


def _is_encoded(piece: str) -> bool:
    letters = LETTERS.findall(piece)
    return (
        len(letters) >= MIN_LETTERS
        and len(DIGITS.findall(piece)) >= MIN_DIGITS
        and sum(map(len, letters)) <= MAX_MEAN * len(letters)
    )


def get_encoded_tokens(doc: Doc) -> list[tuple[int, int]]:
    """The tokens that lie wholly in each stretch of a document that is encoded."""
    if get_length(doc) < SIZE:
        return []
    found = [*find_encoded(fold_doc(doc).original)]
    if not found:
        return []
    starts, lengths = doc.to_array([IDX, LENGTH]).astype(np.int64).T
    ends = starts + lengths
    stretches = (
        (int(np.searchsorted(starts, start)), int(np.searchsorted(ends, end, side="right")))
        for start, end in found
    )
    return [(first, last) for first, last in stretches if first < last]
