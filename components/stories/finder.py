"""Finds what may tell who somebody is: the phrases of lists, and what patterns match."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import srsly

from ..custom.phrase_list import PhraseList
from ..rules.phi_entity_ruler import MACRO
from ..rules.regex import BoundedRegex
from ..shared.words import read_words
from ..text.folding import fold_text

FOLDER = Path(__file__).parent
# A list of phrases each, in a file of this name in small letters.
KINDS = ("DIAGNOSIS", "JOB", "EVENT", "FAMILY", "PROTECTED", "ACHIEVEMENT", "KEPT")
# Letters of a phrase that takes endings; a shorter one would become another word.
LEAST = 5
REST_OF_WORD = re.compile(r"[^\W_]*")


class Find(NamedTuple):
    """Where something stands that may tell who somebody is, and of what kind it is."""

    start: int
    end: int
    kind: str


class StoryFinder:
    """Finds the phrases of the lists, also in the genitive and with endings, and what the patterns match."""

    def __init__(self) -> None:
        words = read_words(__file__, "words.txt")
        self._phrases = {kind: PhraseList(_read_phrases(kind, words[kind])) for kind in KINDS}
        self._patterns: list[tuple[str, BoundedRegex]] = []
        macros = {name: "|".join(words[name]) for name in words}
        for row in srsly.read_jsonl(FOLDER / "patterns.jsonl"):
            regex = MACRO.sub(lambda match: f"(?:{macros[match[1]]})", row["regex"])
            if "macro" in row:
                macros[row["macro"]] = regex
            else:
                self._patterns.append((row["label"], BoundedRegex(regex, [])))

    def find(self, text: str) -> list[Find]:
        """RETURNS (list[Find]): In order; of those that overlap the longest.
        RAISES (RunawayRegexError): If a pattern takes too long.
        """
        folded = fold_text(text)
        found = [
            Find(start, end, kind)
            for kind, phrases in self._phrases.items()
            for start, end in phrases.find(folded, joined=True)
        ]
        for kind, regex in self._patterns:
            for start, end in regex.find(folded.text, True):
                match = REST_OF_WORD.match(folded.text, end)
                found.append(Find(*folded.to_original(start, match.end() if match else end), kind))
        taken = bytearray(len(text))
        kept: list[Find] = []
        for find in sorted(found, key=lambda find: (find.start - find.end, find)):
            if not any(taken[find.start : find.end]):
                taken[find.start : find.end] = b"\1" * (find.end - find.start)
                kept.append(find)
        return sorted(kept)


def _read_phrases(kind: str, endings: Sequence[str]) -> Iterator[str]:
    """Read a list: phrases with commas between them, each also with the endings of its kind."""
    lines = (FOLDER / f"{kind.lower()}.txt").read_text(encoding="utf8").splitlines()
    for phrase in ", ".join(line for line in lines if not line.startswith("#")).split(", "):
        yield phrase
        if len(phrase) >= LEAST:
            yield from (phrase + ending for ending in endings)
