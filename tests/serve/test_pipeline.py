"""The queue in front of the pipeline: what nobody waits for is not done."""

import asyncio
from ctypes import c_int
from multiprocessing.sharedctypes import RawValue

import pytest
from spacy.language import Language

from components.serve.pipeline import PipelineQueue
from components.serve.work import Work

# Of all processes.
n_read = RawValue(c_int)


@Language.component("counting")
def count(doc):
    n_read.value += 1
    return doc


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
