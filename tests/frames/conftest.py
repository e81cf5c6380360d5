"""Frames of messages, and what becomes of them."""

import pytest

# Of several conversations, and of none; None where there is no text.
ROWS = [
    ("a", "Hej, jag heter Anna Lind och är 34 år."), ("b", "Ring 070-174 06 05, hälsar Bo"),
    (None, "Hej anna, skriv till anna@example.com"), ("a", "anna igen"), ("b", None),
    (None, "Anna Lind, Lund, sen 3 maj"), ("b", ""), ("a", "Sen 3 maj bor Anna i Lund"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("SV_DEID_KEY", "a key for the tests")


@pytest.fixture
def messages():
    """A message a row: n, conversation, text."""
    return {
        "n": [*range(len(ROWS))],
        "conversation": [conversation for conversation, _ in ROWS],
        "text": [text for _, text in ROWS],
    }


@pytest.fixture(scope="session")
def own_nlp(make_nlp):
    """A pipeline with the key of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SV_DEID_KEY", "a key for the tests")
        return make_nlp()
