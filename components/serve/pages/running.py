"""Runs the pipeline on the messages that the page was given."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...known.known_matcher import group_known, read_known
from ...runs.rows import get_known
from ..pipeline import PipelineQueue
from ..work import BATCH, Result, Work
from .given import Message

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
    """Run the pipeline on messages.

    known (Sequence[Mapping[str, str]]): What is known of participants in all of them.
    settings (Mapping[str, Any]): Settings of the pipeline.
    RETURNS (dict[int, Result]): The results, by the number of the row.
    """
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
