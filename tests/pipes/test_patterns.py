"""Time: that of the patterns, and of the pipes that read their hits. It is measured in steps where
that can be done, otherwise by how it grows.
"""

import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import spacy
import srsly
import typer
from spacy.tokens import Doc, Span

import components  # noqa: F401
from components.hits import write_hits
from components.labels import LABELS
from components.pipes.gazetteer_matcher import GazetteerMatcher
from components.pipes.phi_entity_ruler import PhiEntityRuler
from components.pipes.span_merger import SpanMerger
from components.swedish.words import CommonWords
from lab.scripts.check_patterns import MAX_GROWTH, PIECES, check_patterns, get_pieces, measure
from tests.cases import read_cases
from tests.steps import count_steps

CASES = read_cases(__file__)

PATTERNS = Path(__file__).resolve().parents[2] / "assets" / "patterns.jsonl"
TOKENIZER = {"nlp": {"tokenizer": {"@tokenizers": "sv_deid_chat.ChatTokenizer.v1"}}}
NLP = spacy.blank("sv", config=TOKENIZER)


def get_regexes() -> dict[str, re.Pattern]:
    ruler = PhiEntityRuler(NLP)
    ruler.add_patterns(srsly.read_jsonl(PATTERNS))
    return ruler.regexes


@pytest.mark.parametrize(("name", "regex"), get_regexes().items(), ids=get_regexes())
def test_time_of_a_pattern_grows_with_the_text(name: str, regex: re.Pattern):
    figures = [measure(name, regex, piece) for piece in get_pieces(regex)]
    assert [figure for figure in figures if figure.growth > MAX_GROWTH] == []


@pytest.mark.parametrize("regex, piece, grows", CASES["test_growth_is_seen"])
def test_growth_is_seen(regex: str, piece: str, grows: bool):
    assert (measure("x", re.compile(regex), piece).growth > MAX_GROWTH) == grows


def test_hanging_pattern_is_stopped():
    assert measure("x", re.compile(r"(?:a|a)*b"), "a").growth == math.inf


def test_pieces_hold_the_words_of_the_pattern():
    pieces = list(get_pieces(re.compile(r"(?:personnummer|pnr)\b \w*")))
    assert len(set(PIECES)) >= 30
    assert {"pnr ", "personnummer_", "pnr 1 "} <= set(pieces)
    assert set(PIECES) <= set(pieces)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture):
    patterns, metrics = tmp_path / "patterns.jsonl", tmp_path / "metrics" / "patterns.json"
    rows = [{"id": "x.slow", "label": "PID", "regex": r"(?<![^\W_])a\w*b"}]
    srsly.write_jsonl(patterns, rows)
    with pytest.raises(typer.Exit) as error:
        check_patterns(patterns, metrics)
    said = capsys.readouterr()
    assert error.value.exit_code == 1 and "x.slow on" in said.out + said.err
    figures = json.loads(metrics.read_text(encoding="utf8"))
    assert figures["patterns"] == 1 and figures["slow"][0]["id"] == "x.slow"
    srsly.write_jsonl(patterns, [{"id": "x.quick", "label": "PID", "regex": r"\d{4}"}])
    check_patterns(patterns, metrics)
    figures = json.loads(metrics.read_text(encoding="utf8"))
    assert figures["slow"] == [] and figures["slowest"][0]["id"] == "x.quick"


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
    for term, kind in (("anna", "first_name"), ("i", "surname"), ("gatan a", "street")):
        matcher.add(term, kind)
    for term, kind in (
        ("är", "title"),
        ("mån", "unit"),
        ("a", "place"),
        ("sjuksköterska", "title"),
    ):
        matcher.add(term, kind)
    matcher.words = CommonWords({"a": 0.9, "aaaa": 0.8, "tel": 0.5, "sista": 0.5})

    def find(doc: Doc) -> Doc:
        spans = [Span(doc, i, i + 1, LABELS[i % 8]) for i in range(0, len(doc), 2)]
        write_hits(doc, "phi", [(span, 0.5) for span in spans])
        return doc

    return [ruler, matcher, find, SpanMerger(standalone=["first_name", "surname", "place"])]


PIPES = make_pipes()


# A web address of up to 2,000 characters is one token.
LINEAR = [piece for piece in PIECES if piece != "www.a.se."]


@pytest.mark.parametrize("piece", [*LINEAR, "Anna Berg, ", "Anna-", "a\u200b", "å\u030a"])
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
    docs = [Doc(NLP.vocab, [text]) for text in texts]
    short, long = (count_steps(lambda doc=doc: matcher(doc)) for doc in docs)
    assert long == short
