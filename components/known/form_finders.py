"""Finds what is made of known names: longer words (`Lindqvistarna`) and initials."""

import re
from collections.abc import Collection, Iterable, Iterator

from ..text.compounds import LONGEST, PARTICLES, is_ending
from .words import COMPOUND, INITIALS, WORDS, Hit, Word, get_words

Words = tuple[str, ...]

LETTER = "A-ZÅÄÖ"
# `M:s`, `LN:s`.
GENITIVE = re.compile(rf"(?<![\w:.])(?P<letters>[{LETTER}]{{1,3}}):[sS](?!\w)")
# `/MK`, `// M.K.`, `mvh LN`, or alone on its line, at the end of a message.
SIGNATURE = re.compile(
    r"(?:(?<![\w/])//?|\n|\b(?:[mM][vV][hH]|[hH]älsningar|[hH]älsn|[vV]änligen|[kK]ram(?:ar)?)"
    rf"[ ,.!:\n]{{1,3}})[ \t]{{0,3}}(?P<letters>[{LETTER}](?:\.? ?[{LETTER}]){{0,2}}\.?)!?\s*\Z"
)
# `/mk` ends a message.
LOWER = re.compile(r"(?<![\w/])//?[ \t]*(?P<letters>[a-zåäö]{2,3})\s*\Z")
# `M.K.`, `M. K.`
DOTTED = re.compile(rf"(?<![\w.])(?P<letters>[{LETTER}]\. ?(?:[{LETTER}]\. ?)?[{LETTER}]\.)(?!\w)")
# `M. ringde`: within a sentence. The word before must not be in LETTERED.
SINGLE = re.compile(rf"(?<=[^\W\d_] )(?P<letters>[{LETTER}]\.)(?= [a-zåäö]|,)")
# A single letter after one of these words is no initial: `vitamin D.`
LETTERED = frozenset(WORDS["lettered"])

# A shorter name begins too many words.
MIN_STEM = 4


class CompoundFinder:
    """Finds words made of a name (label and name) and an ending of its class."""

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


class InitialsFinder:
    """Finds initials that exactly one of the people has."""

    def __init__(self, names: Iterable[str]) -> None:
        full: dict[Words, None] = {}
        for name in names:
            last, comma, first = name.partition(",")
            keys = (word.key for word in get_words(f"{first} {last}" if comma else name))
            words = tuple(key for key in keys if key.isalpha() and key not in PARTICLES)
            # Names that are initials themselves have none.
            if words and all(len(word) > 1 for word in words):
                full[words] = None
        people = _get_people(full)
        owners: dict[str, set[Words]] = {}
        for words in people:
            for letters in _get_ways(words):
                owners.setdefault(letters, set()).add(words)
        self._letters = {letters for letters, own in owners.items() if len(own) == 1}

    def __bool__(self) -> bool:
        return bool(self._letters)

    def find(self, text: str) -> list[Hit]:
        """Find the initials in a folded text."""
        hits: set[Hit] = set()
        for pattern in (GENITIVE, DOTTED, SIGNATURE, LOWER, SINGLE):
            for match in pattern.finditer(text):
                if pattern is SINGLE and _get_word_before(text, match.start()) in LETTERED:
                    continue
                letters = "".join(c for c in match["letters"].casefold() if c.isalpha())
                if letters in self._letters:
                    start, end = match.span("letters")
                    # The s of a genitive is of the word.
                    end = match.end() if pattern is GENITIVE else end
                    hits.add(Hit(start, end, "PERSON", INITIALS))
        return sorted(hits)


def _get_people(names: Collection[Words]) -> Iterator[Words]:
    """The names that are no part of a longer one, nor the genitive of another."""
    by_word: dict[str, list[Words]] = {}
    for name in names:
        for word in {*name}:
            by_word.setdefault(word, []).append(name)
    for name in names:
        base = (*name[:-1], name[-1].removesuffix("s"))
        if base != name and base in names:
            continue
        for own in {name, base}:
            # Look only among the names that share the rarest word.
            others = min((by_word.get(word, []) for word in own), key=len)
            if any(len(other) > len(own) and {*own} <= {*other} for other in others):
                break
        else:
            yield name


def _get_ways(words: Words) -> set[str]:
    """The ways to write the initials of a name."""
    letters = "".join(word[0] for word in words)
    return {letters, letters[0], letters[0] + letters[-1]} if len(words) > 1 else {letters}


def _get_word_before(text: str, start: int) -> str:
    before = text[:start].rstrip()
    return before[before.rfind(" ") + 1 :].rpartition("\n")[2].casefold()
