"""Guessing by frequency: if a value always became the same other one, the most frequent surrogate would be
that of the most frequent original.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random

import numpy as np

from components.measures.bootstrap import get_middle
from components.text.casing import fold
from lab.surrogate_checks.base import Talk
from lab.surrogate_checks.known import Known
from lab.surrogate_checks.traces import get_telling_words

CLASSES = ("PERSON", "LOCATION", "ORGANISATION")
SHUFFLES = 200

# An original and its surrogate.
Change = tuple[str, str]


def gather_changes(talks: Sequence[Talk], label: str, known: Known) -> list[Change]:
    """Gather what became what; what is the same before and after stays on purpose, and is left out.

    talks (Sequence[Talk]): The conversations.
    label (str): A class.
    known (Known): The lists.
    RETURNS (list[Change]): Folded words without titles and the like.
    """
    changes = []
    for talk in talks:
        for mention in talk.of(label):
            old, new = (
                " ".join(get_telling_words(label, text, known)) or fold(text)
                for text in (mention.original, mention.surrogate)
            )
            if mention.original != mention.surrogate:
                changes.append((old, new))
    return changes


def guess_by_frequency(
    changes: Sequence[Change], *, seed: int = 0
) -> dict[str, float | list[float]]:
    """Guess that the surrogate of a rank is that of the original of the same rank. The attacker knows how
    frequent the originals are.

    changes (Sequence[Change]): What became what.
    seed (int): Of the guesses by chance.
    RETURNS (dict[str, float | list[float]]): The share of entities guessed (`found`), the `mean` of
        guesses in which originals are given out at random, and between which (`chance`) 95 % of
        those lie.
    """
    olds, news = (Counter(values) for values in zip(*changes))
    pairs = Counter(changes)
    by_rank = [sorted(counts, key=lambda value: (-counts[value], value)) for counts in (olds, news)]

    def measure(originals: Sequence[str]) -> float:
        return sum(pairs[pair] for pair in zip(originals, by_rank[1])) / len(changes)

    rng = Random(seed)
    shuffled = [rng.sample(by_rank[0], len(by_rank[0])) for _ in range(SHUFFLES)]
    chance = np.array([measure(originals) for originals in shuffled])
    return {
        "found": measure(by_rank[0]),
        "mean": float(chance.mean()),
        "chance": list(get_middle(chance)),
    }
