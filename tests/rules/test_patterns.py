"""Time: that of the patterns, and of the pipes that read their hits. It is measured in steps where
that can be done, otherwise by how it grows.
"""

import re
import time
from collections.abc import Callable
from timeit import Timer

import pytest
import srsly
from spacy.tokens import Doc, Span

import components  # noqa: F401
from components.lists.gazetteer_matcher import GazetteerMatcher
from components.lists.words import CommonWords
from components.measures.formats.registry import chat_language
from components.merging.span_merger import SpanMerger
from components.rules.phi_entity_ruler import PhiEntityRuler
from components.shared.labels import LABELS
from components.text.hits import write_hits
from tests.conftest import ROOT
from tests.steps import count_steps

NLP = chat_language()
# fmt: off
PIECES = [
    "a_", "1-", "a@a.", " ", "den 3 maj ", "1", "a ", "A", "a", "a.", "0 7 0 ", "Anna ", "i ", "är ", ",",
    "\n", "12 34 ", "aa bb, ", "år ", "(", "a-", "x1", "gatan ", "3:e ", "/", "fyra sista ", "tel ", "1. ",
    "Åa b ", "mån ", "0", "1/2-", "+46 0 ", "A. ", "Ab-", "- ", "a' ", "@", "1,", ". ", "_",
    "jag är ju 1 ", "vecka 10, gravid ", "[", "a a_",
]
# fmt: on
RULER = PhiEntityRuler(NLP)
RULER.add_patterns(srsly.read_jsonl(ROOT / "assets" / "patterns.jsonl"))


def get_seconds(regex: re.Pattern, text: str, runs: int) -> float:
    """The least time of some runs."""
    timer = Timer(lambda: [*regex.finditer(text)], timer=time.process_time)
    return min(timer.repeat(runs, number=1))


def grows(regex: re.Pattern, piece: str) -> bool:
    """Whether a text of eight times the length takes more than twenty times the time."""
    short = piece * (512 // len(piece))
    for runs in (1, 5):
        # What takes less is too short to be measured.
        least = max(get_seconds(regex, short, runs), 0.00006)
        if get_seconds(regex, short * 8, runs) <= 20 * least:
            return False
    return True


def test_growth_is_seen():
    assert grows(re.compile(r"(?<![^\W_])\w*b"), "a_") and grows(re.compile(r"\s+x"), " ")
    assert not grows(re.compile(r"(?<![^\W_])\w{0,40}b"), "a_")


@pytest.mark.parametrize(
    "share", [0, *(pytest.param(i, marks=pytest.mark.slow) for i in range(1, 6))]
)
def test_time_of_a_pattern_grows_with_the_text(share: int):
    """Each pattern on some of the pieces, with --slow on all."""
    slow = []
    for i, (name, regex) in enumerate(RULER.regexes.items()):
        for word in re.findall(r"(?<![\\\wåäö])[a-zåäö]{2,}(?![}\wåäö])", regex.pattern)[:1]:
            slow += [(name, word)] if not share and grows(regex, f"{word} ") else []
        slow += [(name, piece) for piece in PIECES[(i + share) % 6 :: 6] if grows(regex, piece)]
    assert slow == []


def make_pipes() -> list[Callable[[Doc], Doc]]:
    ruler = PhiEntityRuler(NLP)
    rows = [
        {"id": "pid", "label": "PID", "regex": r"\d{1,10}", "validator": "personnummer"},
        {"id": "name", "label": "PERSON", "regex": r"[a-zåäö]{4,9}", "score": 0.8},
        {"id": "date", "label": "DATE", "pattern": [{"LIKE_NUM": True}, {"LOWER": "maj"}]},
        {"id": "dose", "regex": r"\d+ \w", "negative": True, "score": 0.9},
    ]
    ruler.add_patterns(rows)
    matcher = GazetteerMatcher()
    for term, kind in (
        ("anna", "first_name"), ("i", "surname"), ("gatan a", "street"), ("är", "title"),
        ("mån", "unit"), ("a", "place"), ("sjuksköterska", "title"),
    ):  # fmt: skip
        matcher.add(term, kind)
    matcher.words = CommonWords({"a": 0.9, "aaaa": 0.8, "tel": 0.5, "sista": 0.5})

    def find(doc: Doc) -> Doc:
        spans = [Span(doc, i, i + 1, LABELS[i % 8]) for i in range(0, len(doc), 2)]
        write_hits(doc, "phi", [(span, 0.5) for span in spans])
        return doc

    return [ruler, matcher, find, SpanMerger(standalone=["first_name", "surname", "place"])]


PIPES = make_pipes()


@pytest.mark.parametrize("piece", [*PIECES[::2], "Anna Berg, ", "Anna-", "a\u200b", "å\u030a"])
def test_steps_of_the_pipes_are_linear(piece: str):
    steps = []
    for length in (400, 3200):
        doc = NLP.make_doc(piece * (length // len(piece)))
        steps.append([count_steps(lambda pipe=pipe, doc=doc: pipe(doc)) for pipe in PIPES])
    for short, long in zip(*steps):
        assert long <= 9 * short + 500


@pytest.mark.parametrize("word", ["a", "aaaa", "åäö", "sjuksköterska"])
def test_long_words_take_no_more_steps(word: str):
    matcher = PIPES[1]
    matcher.words = CommonWords({"aaaa": 0.8, "sjuk": 0.8, "sköterska": 0.8})
    texts = [word * (length // len(word)) for length in (1000, 10_000)]
    # What is made when it is first needed is made for the first.
    docs = [Doc(NLP.vocab, [text]) for text in (texts[0], *texts)]
    _, short, long = (count_steps(lambda doc=doc: matcher(doc)) for doc in docs)
    assert long == short
