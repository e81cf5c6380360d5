"""Leaks that hide among surrogates: what a tool that misses some entities writes, for an attacker to tell
which are which.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from spacy.tokens import Doc

from components.measures.gold import Row
from lab.attack.facts import Shown
from lab.attack.talks import Lists, use_key
from lab.measures.replacing import make_replacing_language, replace_gold
from lab.measures.surrogate_mentions import get_conversation


class Item(NamedTuple):
    """An entity of the output.

    shown (Shown): As a reader sees it.
    conversation (str): Where it stands.
    is_leak (bool): Whether it is an original that was missed.
    """

    shown: Shown
    conversation: str
    is_leak: bool


def hide_leaks(
    rows: Sequence[Row], lists: Lists, key: str, missed: float, rng: Random
) -> list[Item]:
    """Replace what is annotated, but for some entities, which stay as if they had been missed. What is
    meant to stay is neither.

    rows (Sequence[Row]): Annotated messages.
    lists (Lists): The word lists that surrogates are drawn from.
    key (str): What they depend on.
    missed (float): The share of entities that are missed, each as likely as any other.
    rng (Random): Source of chance.
    RETURNS (list[Item]): The entities of the output.
    RAISES (ValueError): If the replacing fails on a message.
    """
    with use_key(key):
        nlp = make_replacing_language(lists)
        kept = [_get_kept(doc) for doc in replace_gold(nlp, rows)]
        seen: list[Row] = []
        leaks: list[list[Item]] = []
        for row, stays in zip(rows, kept):
            left = [span for span in row["spans"] if rng.random() < missed]
            seen.append({**row, "spans": [span for span in row["spans"] if span not in left]})
            shown = [
                _show(row["text"], span["start"], span["end"], span["label"])
                for span in left
                if (span["start"], span["end"]) not in stays
            ]
            leaks.append([Item(one, get_conversation(row), True) for one in shown])
        docs = replace_gold(nlp, seen)
    items = []
    for row, doc, left_items in zip(rows, docs, leaks):
        items += [Item(shown, get_conversation(row), False) for shown in _get_surrogates(doc)]
        items += left_items
    return items


def _get_kept(doc: Doc) -> set[tuple[int, int]]:
    return {(entry["start"], entry["end"]) for entry in doc._.replacements if entry.get("kept")}


def _get_surrogates(doc: Doc) -> Iterator[Shown]:
    for entry in doc._.replacements:
        if not entry.get("kept"):
            yield _show(doc._.deidentified, entry["out_start"], entry["out_end"], entry["label"])


def _show(text: str, start: int, end: int, label: str) -> Shown:
    return Shown(label, text[start:end], text[:start])
