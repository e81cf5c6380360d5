"""How tables are written down in this package: bags of words, and entries with weights."""

from random import Random

Weighted = tuple[tuple[str, int], ...]
"""Entries and how often each is drawn."""


def bag(words: str) -> tuple[str, ...]:
    """Make a tuple of the words in a text."""
    return tuple(words.split())


def weighted(table: Weighted, rng: Random) -> str:
    """Draw an entry of a table."""
    return rng.choices([entry for entry, _ in table], [weight for _, weight in table])[0]
