"""Mentions of annotated entities, before and after."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from spacy.tokens import Doc

from components.measures.gold import Row
from components.text.casing import fold
from lab.measures.coreference import Key

WORD = re.compile(r"[^\W_]+")


class Mention(NamedTuple):
    """An entity where it stands, before and after.

    conversation (str): The conversation.
    label (str): The class.
    entity (str): What was annotated as one person, place or number, within the conversation.
    gender (str): The annotated gender, "" if there is none.
    before (str): What stands in front of it.
    original (str): The original.
    surrogate (str): The surrogate.
    message (str): The id of its message.
    """

    conversation: str
    label: str
    entity: str
    gender: str
    before: str
    original: str
    surrogate: str
    message: str = ""


def get_conversation(row: Row) -> str:
    """Tell the conversation of a message. One that belongs to none is one of its own.

    row (Row): The message.
    RETURNS (str): The conversation's name.
    """
    return row.get("conversation") or f"message {row['id']}"


def get_mentions(
    rows: Sequence[Row],
    docs: Sequence[Doc],
    annotated: Mapping[Key, tuple[str, str]],
    *,
    with_kept: bool = False,
) -> list[Mention]:
    """Gather what was replaced by what.

    rows (Sequence[Row]): The annotated messages.
    docs (Sequence[Doc]): Their docs, replaced.
    annotated (Mapping[Key, tuple[str, str]]): What `read_coreference` gives. Other
        mentions are one entity where they are spelled the same.
    with_kept (bool): Whether what is meant to stay is among them.
    RETURNS (list[Mention]): The mentions, in order.
    """
    mentions = []
    for row, doc in zip(rows, docs):
        text = doc.text
        for entry in doc._.replacements:
            if entry.get("kept") and not with_kept:
                continue
            start, end = entry["start"], entry["end"]
            original = text[start:end]
            key = (row["id"], start, end)
            entity, gender = annotated.get(key, (f"spelled {fold(original)}", ""))
            mentions.append(
                Mention(
                    get_conversation(row),
                    entry["label"],
                    entity,
                    gender,
                    text[:start],
                    original,
                    entry["replacement"],
                    row["id"],
                )
            )
    return mentions


def get_words(mention: Mention) -> tuple[list[str], list[str]]:
    """Read the words of an original and of its surrogate. Titles and kinship words that were
    carried over to the surrogate say nothing of who it is, and are left out of both.

    mention (Mention): The mention.
    RETURNS (tuple[list[str], list[str]]): Folded words.
    """
    original = WORD.findall(fold(mention.original))
    surrogate = WORD.findall(fold(mention.surrogate))
    if mention.label == "PERSON":
        while len(original) > 1 and len(surrogate) > 1 and original[0] == surrogate[0]:
            original, surrogate = original[1:], surrogate[1:]
    return original, surrogate


def get_digits(text: str) -> str:
    """Read a number without its spelling: grouping, country code, century, a letter O.

    text (str): A phone number or personnummer.
    RETURNS (str): Its digits.
    """
    digits = re.sub(r"\D", "", re.sub("[oO]", "0", text))
    return digits.removeprefix("00").removeprefix("46").removeprefix("0")[-10:]


def count_kept(docs: Iterable[Doc]) -> Counter[str]:
    """Count what is meant to stay.

    docs (Iterable[Doc]): The docs, replaced.
    RETURNS (Counter[str]): How many entities, by class.
    """
    return Counter(
        entry["label"] for doc in docs for entry in doc._.replacements if entry.get("kept")
    )
