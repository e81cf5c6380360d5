"""How many sentences a message has."""

import pytest

from components.swedish.sentences import count_sentences


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("Hej! Jag heter Anna. Tack", 3), ("Hej\nJag heter Anna\n\nmvh", 3),
        ("kl. 10.30 på fredag", 2), ("hej... är du där?!", 2), ("anna.berg@example.com", 1),
        ("!!!\n\n", 0), ("", 0), ("hej :)", 1),
    ],
)  # fmt: skip
def test_sentences(text, n):
    assert count_sentences(text) == n
