"""What the configs name: the corpus with what was said before a message, the log."""

import io

import pytest
import spacy

from components.measures.gold import find_contexts
from tests.cases import message
from training_tools import registered
from training_tools.formats.docs import chat_language, write_docs

ROWS = [
    message("Hur gammal är du?", id="1", conversation="a", turn=1),
    message("Hej", id="2", conversation="b", turn=1),
    message("Feber", id="3"),
    message("[52|AGE]", id="4", conversation="a", turn=2),
    message("Tack", id="5", conversation="a", turn=3),
]
CONTEXTS = [None, None, None, "Hur gammal är du?", "Hur gammal är du?\n52"]


def test_contexts_are_of_the_conversation():
    assert find_contexts(ROWS) == CONTEXTS
    assert find_contexts([]) == []


@pytest.fixture
def examples(tmp_path):
    nlp = chat_language()
    assert write_docs(tmp_path / "a.spacy", ROWS, nlp) == 0
    return list(registered.read_corpus(tmp_path / "a.spacy")(nlp))


def test_contexts_are_kept(examples):
    assert [example.predicted._.context for example in examples] == CONTEXTS
    assert [example.text for example in examples] == [row["text"] for row in ROWS]
    assert [ent.label_ for ent in examples[3].reference.ents] == ["AGE"]


@pytest.mark.parametrize(("seconds", "lines"), [(10, 3), (31, 9), (1, 0)])
def test_a_line_every_half_minute(monkeypatch, seconds, lines):
    nlp = spacy.blank("sv", config={"training": {"max_steps": 9}})
    clock = iter(range(0, 1000, seconds))
    monkeypatch.setattr(registered.time, "monotonic", lambda: next(clock))
    out = io.StringIO()
    log_step, _ = registered.make_rate_logger(False)(nlp, out, out)
    out.truncate(0)
    for _ in range(10):
        log_step(None)
    said = [line for line in out.getvalue().splitlines() if line.strip("\0").startswith("Step")]
    assert len(said) in (lines, lines + 1)
    assert all(" of 9, " in line and line.endswith(" minutes left") for line in said)
