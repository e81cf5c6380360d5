"""Runs the pipeline on the messages that the page was given, and looks at the other columns of their file."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...known.known_matcher import group_known, read_known
from ...reports.copied_columns import TIME, Found, count_cells, find_copied
from ...runs.rows import get_known
from ...text.cleaning.clean import clean_text
from ..pipeline import PipelineQueue
from ..work import BATCH, Result, Work
from .given import Given, Message
from .view import tell_label

# Requests of one page that wait at once, so that others get their turn.
AT_ONCE = 4


def deal(conversations: Iterable[Sequence[Message]], size: int) -> list[list[Sequence[Message]]]:
    """Deal whole conversations out into parts, of a number of messages at most if no conversation is longer."""
    parts: list[list[Sequence[Message]]] = []
    n = size
    for conversation in conversations:
        n += len(conversation)
        if n > size:
            parts.append([])
            n = len(conversation)
        parts[-1].append(conversation)
    return parts


async def run(
    queue: PipelineQueue,
    conversations: Iterable[Sequence[Message]],
    known: Sequence[Mapping[str, str]],
    settings: Mapping[str, Any],
) -> dict[int, Result]:
    """Run the pipeline on messages. RETURNS (dict): The results, by the number of the row."""
    pairs = read_known([*known])
    few = asyncio.Semaphore(AT_ONCE)

    async def do(request: Sequence[Sequence[Message]]) -> None:
        works = [_make_work(messages, pairs, settings) for messages in request]
        async with few:
            results = await queue.run_all(works)
        for messages, own in zip(request, results):
            done.update((message.row.number, each) for message, each in zip(messages, own))

    done: dict[int, Result] = {}
    await asyncio.gather(*map(do, deal(conversations, BATCH)))
    return done


def _make_work(
    messages: Sequence[Message], pairs: Iterable[tuple[str, str]], settings: Mapping[str, Any]
) -> Work:
    rows = [message.row for message in messages]
    own = get_known(rows) or {}
    known = group_known([*pairs, *((label, value) for label in own for value in own[label])])
    return Work([message.text for message in messages], rows[0].conversation or "", known, settings)


def find_columns(given: Given, done: Mapping[int, Result]) -> dict[str, list[str]]:
    """Find columns that should not be written as they are, and what they hold (`find_copied`)."""
    counts: dict[str, Counter[str]] = {}
    has_dates = False
    if not given.is_file:
        return {}
    for messages in given.conversations:
        values = [pair for message in messages for pair in message.row.known]
        for message in messages:
            result = done.get(message.row.number, {"replacements": (), "failed": ""})
            for entry in () if result["failed"] else result["replacements"]:
                if not entry.get("kept"):
                    original = message.text[entry["start"] : entry["end"]]
                    values.append((entry["label"], clean_text(original).text))
                    has_dates = has_dates or entry["label"] == "DATE"
        found = Found(values)
        for message in messages:
            others = {name: v for name, v in message.values.items() if name != given.text_column}
            count_cells(counts, others, found)
    return find_copied(counts, has_dates)


def tell_columns(copied: Mapping[str, Sequence[str]], words: Mapping[str, Any]) -> list[str]:
    """Write sentences for people on each such column."""
    said = []
    for name, labels in copied.items():
        if TIME in labels:
            said.append(words["copied_time"].format(name=name))
        if classes := [tell_label(label, words) for label in labels if label != TIME]:
            said.append(words["copied"].format(name=name, classes=", ".join(classes)))
    return said
