"""Conversations as the tool writes them, under one key or another."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

from components.measures.gold import Row
from components.surrogates.surrogate_generator import KEY_VARIABLE, SurrogateGenerator
from lab.measures.replacing import GENERATOR, make_replacing_language, replace_gold
from lab.surrogate_checks import make_talks
from lab.surrogate_checks.base import Talk

Lists = Mapping[str, Sequence[Mapping[str, str]]]


@contextmanager
def use_key(key: str) -> Iterator[None]:
    """Use a key, and then the one that was there, or none.

    key (str): The key.
    """
    before = os.environ.get(KEY_VARIABLE)
    os.environ[KEY_VARIABLE] = key
    try:
        yield
    finally:
        if before is None:
            del os.environ[KEY_VARIABLE]
        else:
            os.environ[KEY_VARIABLE] = before


def replace_talks(
    rows: Sequence[Row], lists: Lists, key: str, hidden: Collection[str] = ()
) -> list[Talk]:
    """Replace what is annotated.

    rows (Sequence[Row]): Annotated messages.
    lists (Lists): The word lists that surrogates are drawn from.
    key (str): What they depend on.
    hidden (Collection[str]): Classes that become their labels instead of surrogates.
    RETURNS (list[Talk]): The conversations; a message that belongs to none is one.
    RAISES (ValueError): If the replacing fails on a message, or there is no such class.
    """
    with use_key(key):
        nlp = make_replacing_language(lists)
        if hidden:
            generator = cast(SurrogateGenerator, nlp.get_pipe(GENERATOR))
            generator.strategy = dict.fromkeys(hidden, "label")
        return make_talks(rows, replace_gold(nlp, rows))
