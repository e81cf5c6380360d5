"""The reader of the training corpus, and what was said before a message."""

import pytest

from components.measures.gold import find_contexts
from training_tools.formats.docs import chat_language, write_docs
from training_tools.formats.readers import read_corpus

ROWS = [
    {"id": "1", "text": "Hur gammal är du?", "spans": [], "conversation": "a", "turn": 1},
    {"id": "2", "text": "Hej", "spans": [], "conversation": "b", "turn": 1},
    {"id": "3", "text": "Feber", "spans": []},
    {
        "id": "4", "text": "52", "spans": [{"start": 0, "end": 2, "label": "AGE"}],
        "conversation": "a", "turn": 2,
    },
    {"id": "5", "text": "Tack", "spans": [], "conversation": "a", "turn": 3},
]  # fmt: skip
CONTEXTS = [None, None, None, "Hur gammal är du?", "Hur gammal är du?\n52"]


def test_contexts_are_of_the_conversation():
    assert find_contexts(ROWS) == CONTEXTS
    assert find_contexts([]) == []


@pytest.fixture
def examples(tmp_path):
    nlp = chat_language()
    assert write_docs(tmp_path / "a.spacy", ROWS, nlp) == 0
    return list(read_corpus(tmp_path / "a.spacy")(nlp))


def test_contexts_are_kept(examples):
    assert [example.predicted._.context for example in examples] == CONTEXTS
    assert [example.text for example in examples] == [row["text"] for row in ROWS]
    assert [ent.label_ for ent in examples[3].reference.ents] == ["AGE"]
