"""The words of a message, which marks snap to. Offsets count characters as Python does."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from spacy.language import Language

from ..measures.spans import Bounds


def find_words(nlp: Language, text: str) -> list[Bounds]:
    """Find where each token begins and ends that is not white space, in order."""
    return [
        (token.idx, token.idx + len(token)) for token in nlp.make_doc(text) if not token.is_space
    ]


def snap(words: Sequence[Bounds], start: int, end: int) -> Bounds | None:
    """Widen a stretch of text to whole words; None if no word is in it."""
    first = bisect_right(words, start, key=lambda word: word[1])
    behind = bisect_left(words, end, key=lambda word: word[0])
    return (words[first][0], words[behind - 1][1]) if first < behind else None


def cut(text: str, words: Sequence[Bounds], edges: Sequence[int]) -> list[tuple[int, int, int]]:
    """Cut a text at edges: start, end and number of the word of each piece, -1 between words."""
    cuts = sorted({0, len(text), *edges, *(edge for word in words for edge in word)})
    pieces = []
    number = 0
    for start, end in pairwise(cuts):
        while number < len(words) and words[number][1] <= start:
            number += 1
        inside = number < len(words) and words[number][0] <= start
        pieces.append((start, end, number if inside else -1))
    return pieces
