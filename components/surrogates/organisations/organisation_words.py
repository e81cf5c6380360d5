"""The words that say what an organisation is, in its name and around it."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

from ..core.scope import Mention
from .organisation_types import WEAK

Row = Mapping[str, str]

BEFORE, BEHIND = 30, 25  # so much of the text around is read
WORD = re.compile(r"[^\W\d_]+")
AT_WORK = ("prison", "care_home", "industry", "school")  # where nobody is `på` a town
MIN_END = 4  # letters of the end of a word; a shorter one only tells as a whole


class Head(NamedTuple):
    """What a word says: the type of organisation, and the end of the word that says it."""

    type: str
    text: str


class OrganisationWords:
    """Knows what the words of a name say, by the list `organisation_words`."""

    def __init__(self, rows: Sequence[Row] = ()) -> None:
        # The words that have a role in names; the types by whole words, and by the ends of words.
        self._roles: dict[str, set[str]] = {}
        self.heads: dict[str, str] = {}
        self._ends: dict[str, str] = {}
        for row in rows:
            self._roles.setdefault(row["role"], set()).add(row["word"])
            if row["role"] == "head":
                word, *endings = row["word"].lstrip("=").split("/")
                forms = dict.fromkeys((word, *(word + ending for ending in endings)), row["type"])
                self.heads |= forms
                if row["word"][0] != "=":
                    self._ends |= {form: forms[form] for form in forms if len(form) >= MIN_END}
        self._longest = max(map(len, self._ends), default=0)

    def having(self, role: str) -> AbstractSet[str]:
        return self._roles.get(role, frozenset())

    def find_head(self, word: str) -> Head | None:
        """Find what a word says of the sort of organisation, None if nothing: the longest end counts."""
        for base in (word, word[:-1]) if word.endswith("s") else (word,):
            if base in self.heads:
                return Head(self.heads[base], word)
            for start in range(max(1, len(base) - self._longest), len(base) - MIN_END + 1):
                if base[start:] in self._ends:
                    return Head(self._ends[base[start:]], word[start:])
        return None

    def read_type(self, words: Sequence[str]) -> str:
        """Read the type of an organisation from all words of its name, "" if no word tells."""
        heads = [(word, head) for word in words if (head := self.find_head(word))]
        if not heads:
            return ""
        (first, head), *_ = heads
        genitive = head.text.endswith("s") and not head.text.endswith("hus")
        if first is words[0] and head.type not in WEAK and not genitive:
            # `Hudkliniken Lunds lasarett`
            return head.type
        strong = [head.type for _, head in heads if head.type not in WEAK]
        return strong[-1] if strong else heads[-1][1].type


class OrganisationCues:
    """Reads words that speak for a type: on the job, at school, at home.

    rows (Sequence[Mapping[str, str]]): The list `organisation_words`; of its types the first counts.
    """

    def __init__(self, rows: Sequence[Mapping[str, str]] = ()) -> None:
        cues = [(row["word"], row["type"]) for row in rows if row["role"] == "cue"]
        self._types = [*dict.fromkeys(type_ for _, type_ in cues)]
        self._ranks = {cue: self._types.index(type_) for cue, type_ in reversed(cues)}

    def guess_types(self, mentions: Sequence[Mention]) -> dict[str, str]:
        """Tell the types of organisations by what stands around their mentions. Of several words
        that say something, the one that says most counts."""
        ranks: dict[str, int] = {}
        for mention in mentions:
            around = f"{mention.before[-BEFORE:]}\n{mention.after[:BEHIND]}".lower()
            found = self._rank(WORD.findall(around))
            if found:
                ranks[mention.text] = min(*found, ranks.get(mention.text, len(self._types)))
        return {text: self._types[rank] for text, rank in ranks.items()}

    def is_at_work(self, mention: Mention) -> bool:
        """Whether somebody works, studies or lives right there: `jobbar på Klippan` is at no town."""
        words = WORD.findall(mention.before[-BEFORE:].lower())[-2:]
        found = self._rank(words) if words[1:] == ["på"] else []
        return bool(found) and self._types[min(found)] in AT_WORK

    def _rank(self, words: Sequence[str]) -> list[int]:
        cues = (*words, *map(" ".join, pairwise(words)))
        return [self._ranks[cue] for cue in cues if cue in self._ranks]
