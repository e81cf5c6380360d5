"""Finds the phrases of a long list, exactly as they stand there."""

from collections.abc import Iterable, Iterator
from typing import Any

from ahocorasick import Automaton

from ..text.folding import Folded, fold_text

# Signs that join two pieces of one word, number or address.
JOINTS = frozenset("-.@/_:'’+&")
GENITIVES = ("s", ":s", "'s")


class PhraseList:
    """Finds phrases as whole words, whatever their casing, spaces, hyphens and digits."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._automaton = Automaton()
        for phrase in phrases:
            key, _ = _read(fold_text(phrase).text)
            key = key.strip()
            if key:
                self._automaton.add_word(key, len(key))
        if len(self._automaton):
            self._automaton.make_automaton()

    def find(self, text: str | Folded, *, joined: bool) -> Iterator[tuple[int, int]]:
        """Find phrases, which may overlap. `joined`: also in `Anna-Lena` and in the genitive."""
        if not len(self._automaton):
            return
        folded = text if isinstance(text, Folded) else fold_text(text)
        key, places = _read(folded.text)
        for last, length in self._automaton.iter(key):
            start, end = last + 1 - length, last + 1
            if joined:
                end = _add_genitive(key, end)
            if _is_whole(key, start, end, joined):
                yield folded.to_original(places[start], places[end - 1] + 1)

    def __reduce__(self) -> tuple[Any, ...]:
        # Save the phrases: the automaton is ten times as large.
        return PhraseList, ([*self._automaton.keys()] if len(self._automaton) else [],)


def _read(text: str) -> tuple[str, list[int]]:
    """A text in lower case with single spaces, and where each of its characters stands."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char.isspace():
            if chars and chars[-1] == " ":
                continue
            char = " "
        lower = char.lower()
        chars.append(lower if len(lower) == 1 else char)
        places.append(place)
    return "".join(chars), places


def _add_genitive(key: str, end: int) -> int:
    for ending in GENITIVES:
        after = end + len(ending)
        if key.startswith(ending, end) and not key[after : after + 1].isalnum():
            return after
    return end


def _is_whole(key: str, start: int, end: int, joined: bool) -> bool:
    before, after = key[max(0, start - 2) : start], key[end : end + 2]
    if key[start].isalnum() and _goes_on(before[::-1], joined):
        return False
    return not (key[end - 1].isalnum() and _goes_on(after, joined))


def _goes_on(chars: str, joined: bool) -> bool:
    """Whether a word goes on beyond its edge: what stands there, the nearest first."""
    if not chars or chars[0].isalnum():
        return bool(chars)
    return not joined and chars[0] in JOINTS and chars[1:].isalnum()
