"""The queue in front of the pipeline: what nobody waits for is not done."""

import asyncio
import time
from ctypes import c_int
from multiprocessing.sharedctypes import RawValue

import pytest
from spacy.language import Language

from components.serve.pipeline import LONG, PipelineQueue
from components.serve.work import Work
from components.text.sections import SIZE

# Of all processes.
n_read = RawValue(c_int)


@Language.component("counting")
def count(doc):
    n_read.value += 1
    return doc


@Language.component("dawdling")
def dawdle(doc):
    """Reads 100,000 characters a second."""
    time.sleep(len(doc.text) / 100_000)
    return count(doc)


@pytest.mark.parametrize("workers", [0, 1], ids=["thread", "process"])
def test_work_that_nobody_waits_for_ends(make_nlp, workers):
    nlp = make_nlp()
    nlp.add_pipe("counting", first=True)
    queue = PipelineQueue(nlp, workers, seconds=0.05)
    n_read.value = 0
    n_texts = 500

    async def ask():
        with pytest.raises(TimeoutError):
            await queue.run(Work(["Hej, jag heter Anna Lind"] * n_texts))
        queue.seconds = 600
        await queue.run(Work(["Hej Anna"]))

    asyncio.run(ask())
    queue.close()
    assert n_read.value < n_texts
    assert queue.n_left == 1 and not queue.is_broken


@pytest.fixture
def slow_nlp(make_nlp):
    nlp = make_nlp()
    nlp.add_pipe("dawdling", first=True)
    n_read.value = 0
    return nlp


@pytest.mark.parametrize("workers", [0, 1], ids=["thread", "process"])
def test_one_long_message_ends_midway(slow_nlp, workers):
    n_sections = 20
    queue = PipelineQueue(slow_nlp, workers, seconds=0.05)
    n_read.value = 0

    async def ask():
        with pytest.raises(TimeoutError):
            await queue.run(Work(["Hej, " * (n_sections * SIZE // 5)]))
        queue.seconds = 600
        await queue.run(Work(["Hej Anna. " * (LONG // 10 + 1)]))

    asyncio.run(ask())
    queue.close()
    assert n_read.value < n_sections // 2


def test_others_are_answered_while_a_long_message_is_read(slow_nlp):
    queue = PipelineQueue(slow_nlp, workers=1, seconds=600)

    async def ask():
        long = asyncio.create_task(queue.run(Work(["Hej, " * (LONG * 10 // 5)])))
        await asyncio.sleep(0.05)
        assert (await queue.run(Work(["Hej Anna"])))[0]["text"]
        assert not long.done() and queue.is_ready
        assert (await long)[0]["text"]

    asyncio.run(ask())
    queue.close()


def test_a_queue_that_answers_too_late_is_not_ready(slow_nlp):
    queue = PipelineQueue(slow_nlp, workers=1, seconds=0.02)

    async def ask():
        assert queue.is_ready
        # One section is not stopped midway.
        with pytest.raises(TimeoutError):
            await queue.run(Work(["Hej, " * (LONG // 5)]))
        assert not queue.is_ready
        queue.seconds = 600
        await queue.run(Work(["Hej Anna"]))
        assert queue.is_ready

    asyncio.run(ask())
    queue.close()
