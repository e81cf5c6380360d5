"""Windows of a message that the encoder reads in one go."""

from collections.abc import Callable, Iterable
from functools import partial

from spacy.tokens import Doc, Span
from spacy_transformers.util import registry


@registry.span_getters("sv_deid_chat.char_windows.v1")
def configure_char_windows(window: int, overlap: int) -> Callable[[list[Doc]], list[list[Span]]]:
    """Configure overlapping windows of at most `window` characters.

    A window counted in tokens can hold more than the 512 word pieces that BERT reads (long
    numbers), and what is beyond is cut in silence: tokens without a vector, names never found.
    A word piece has at least one character, so 500 characters always fit.

    window (int): The most characters in a window. A longer token has a window to itself.
    overlap (int): Characters that a window shares with the one before.
    RETURNS (Callable[[List[Doc]], List[List[Span]]]): The windows of each doc.
    """
    if not 0 <= overlap < window:
        raise ValueError(f"overlap ({overlap}) must be at least 0 and less than window ({window}).")
    return partial(get_char_windows, window=window, overlap=overlap)


def get_char_windows(docs: Iterable[Doc], window: int, overlap: int) -> list[list[Span]]:
    return [_split(doc, window, overlap) for doc in docs]


def _split(doc: Doc, window: int, overlap: int) -> list[Span]:
    if len(doc) == 0:
        return []
    if len(doc.text) <= window:
        return [doc[:]]
    spans: list[Span] = []
    start = end = 0
    while end < len(doc):
        first = doc[start].idx
        end = max(end, start + 1)
        while end < len(doc) and doc[end].idx + len(doc[end]) - first <= window:
            end += 1
        spans.append(doc[start:end])
        last = doc[end - 1].idx + len(doc[end - 1])
        start = end
        while start - 1 > spans[-1].start and last - doc[start - 1].idx <= overlap:
            start -= 1
    return spans
