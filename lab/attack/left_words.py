"""Rare words that are left: what is in no list and in no other conversation tells who it is to whoever
knows that the person uses it.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from components.measures.gold import Row, group_conversations
from components.text.casing import fold
from lab.surrogate_checks.known import WORD, Known
from training_tools.binomial import get_exact_interval

SHORT = 3  # letters: such words are abbreviations


def find_rare_words(rows: Sequence[Row], known: Known) -> list[set[str]]:
    """Find the rare words outside of what is annotated. Slips of the keys are among them, and compounds
    that nobody has listed.

    rows (Sequence[Row]): Annotated messages.
    known (Known): The lists.
    RETURNS (list[set[str]]): Of each conversation, the folded words that no list has and no other
        conversation.
    """
    words: list[set[str]] = []
    where: dict[str, set[int]] = defaultdict(set)
    for number, places in enumerate(group_conversations(rows)):
        own = {word for place in places for word in _read_words(rows[place])}
        words.append(own)
        for word in own:
            where[word].add(number)
    return [
        {word for word in own if len(where[word]) == 1 and not _is_listed(word, known)}
        for own in words
    ]


def _read_words(row: Row) -> set[str]:
    spans = [(span["start"], span["end"]) for span in row["spans"]]
    return {
        fold(match[0])
        for match in WORD.finditer(row["text"])
        if len(match[0]) > SHORT
        and not any(start < match.end() and match.start() < end for start, end in spans)
    }


def _is_listed(word: str, known: Known) -> bool:
    forms = {word, word.removesuffix("s"), known.get_base(word)}
    return any(form in known.ordinary or known.is_name(form) for form in forms)


def measure_rare_words(rows: Sequence[Row], known: Known) -> dict[str, Any]:
    """Measure how many conversations have rare words left.

    rows (Sequence[Row]): Annotated messages.
    known (Known): The lists.
    RETURNS (dict[str, Any]): How many `conversations` there are, the `share` that has any, its
        `interval`, and how many there are in the `mean`.
    """
    found = find_rare_words(rows, known)
    having = sum(map(bool, found))
    return {
        "conversations": len(found),
        "share": having / len(found),
        "interval": list(get_exact_interval(having, len(found))),
        "mean": sum(map(len, found)) / len(found),
    }
