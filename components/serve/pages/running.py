"""Runs the pipeline on the messages that the page was given."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...batch.runs.rows import get_known
from ...pipes.known_matcher import group_known, read_known
from ..pipeline import BATCH, PipelineQueue, Work
from .given import Message

# Works of one page that wait at once, so that others get their turn.
AT_ONCE = 4
# Messages on a page, if a conversation is not longer.
PAGE = 40


def cut_pages(conversations: Iterable[Sequence[Message]]) -> list[list[Sequence[Message]]]:
    """Deal conversations out on pages, each whole.

    conversations (Iterable[Sequence[Message]]): The conversations.
    RETURNS (list[list[Sequence[Message]]]): Those of each page.
    """
    pages: list[list[Sequence[Message]]] = []
    n = PAGE
    for conversation in conversations:
        if n >= PAGE:
            pages.append([])
            n = 0
        pages[-1].append(conversation)
        n += len(conversation)
    return pages


async def run(
    queue: PipelineQueue,
    conversations: Iterable[Sequence[Message]],
    known: Sequence[Mapping[str, str]],
    settings: Mapping[str, Any],
) -> dict[int, dict[str, Any]]:
    """Run the pipeline on messages.

    queue (PipelineQueue): Runs it.
    conversations (Iterable[Sequence[Message]]): The messages.
    known (Sequence[Mapping[str, str]]): What is known of participants in all of them.
    settings (Mapping[str, Any]): What is set of the pipeline.
    RETURNS (dict[int, dict[str, Any]]): What became of each, by the number of its row.
    """
    pairs = read_known([*known])
    few = asyncio.Semaphore(AT_ONCE)

    async def do(messages: Sequence[Message]) -> dict[int, dict[str, Any]]:
        rows = [message.row for message in messages]
        own = get_known(rows) or {}
        shared = group_known([*pairs, *((label, v) for label in own for v in own[label])])
        texts = [message.text for message in messages]
        async with few:
            done = await queue.run(Work(texts, rows[0].conversation or "", shared, settings))
        return {row.number: result for row, result in zip(rows, done)}

    parts = await asyncio.gather(*map(do, _make_works(conversations)))
    return {number: result for part in parts for number, result in part.items()}


def _make_works(conversations: Iterable[Sequence[Message]]) -> list[Sequence[Message]]:
    """Put messages that stand alone and know nobody together, as they are read faster."""
    works: list[Sequence[Message]] = []
    alone: list[Message] = []
    for messages in conversations:
        if messages[0].row.conversation or messages[0].row.known:
            works.append(messages)
        else:
            alone += messages
    return [*works, *(alone[i : i + BATCH] for i in range(0, len(alone), BATCH))]
