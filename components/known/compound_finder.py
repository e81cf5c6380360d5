"""Finds words that begin with a known name: `Bangkokresan`, `Lindqvistarna`."""

from collections.abc import Iterable, Iterator

from ..text.compounds import LONGEST, is_ending
from .words import COMPOUND, Hit, Word, get_words

# A shorter name begins too many words.
MIN_STEM = 4


class CompoundFinder:
    """Finds words that a name and an ending of its class make up, whatever their casing.

    names (Iterable[tuple[str, str]]): Label and name. Each word of a name counts.
    """

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._labels: dict[str, str] = {}
        for label, name in names:
            for word in get_words(name):
                if len(word.key) >= MIN_STEM and word.key.isalpha():
                    self._labels.setdefault(word.key, label)
        # Other words are skipped.
        self._beginnings = {name[:MIN_STEM] for name in self._labels}

    def __bool__(self) -> bool:
        return bool(self._labels)

    def find(self, words: Iterable[Word]) -> Iterator[Hit]:
        """Those of the words that begin with a name."""
        for word in words:
            key = word.key
            if key[:MIN_STEM] not in self._beginnings:
                continue
            # The longest name first: `Karlssonsfamiljen` is of Karlsson, not of Karl.
            for end in range(len(key) - 2, max(MIN_STEM, len(key) - LONGEST) - 1, -1):
                label = self._labels.get(key[:end])
                if label is not None and is_ending(label, key[end:]):
                    yield Hit(word.start, word.end, label, COMPOUND)
                    break
