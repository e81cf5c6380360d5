"""What the text around a name tells of the organisation."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from ..core.scope import Mention

BEFORE, BEHIND = 30, 25  # so much of the text around is read
WORD = re.compile(r"[^\W\d_]+")
AT_WORK = ("prison", "care_home", "industry", "school")  # where nobody is `på` a town


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
