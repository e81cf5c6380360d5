"""No pattern is passed over that would hit."""

import re
from hashlib import sha256
from itertools import chain
from pathlib import Path

import pytest
import spacy
import srsly
from hypothesis import example, given
from hypothesis import strategies as st

from components.rules.literals import (
    LONGEST,
    MOST,
    N_SETS,
    VERSION,
    Prefilter,
    get_literals,
    normalize,
)
from components.rules.phi_entity_ruler import PhiEntityRuler
from components.text.folding import SPECIAL, fold_text
from scripts.try_patterns import read_cases
from tests.cases import cases

ASSETS = Path(__file__).resolve().parents[2] / "assets"


def make_prefilter(regexes: list[str]) -> Prefilter:
    return Prefilter([get_literals(regex) for regex in regexes])


@pytest.fixture(scope="module")
def regexes() -> dict[str, re.Pattern]:
    ruler = PhiEntityRuler(spacy.blank("sv"))
    ruler.add_patterns(srsly.read_jsonl(ASSETS / "patterns.jsonl"))
    return ruler.regexes


@cases
def test_literals(regex: str, literals: list[set[str]]):
    assert set(get_literals(regex)) == {frozenset(one) for one in literals}


def test_no_hit_of_the_rules_is_lost(regexes: dict[str, re.Pattern]):
    ids = list(regexes)
    prefilter = make_prefilter([regex.pattern for regex in regexes.values()])
    texts = [case.text for case in read_cases(ASSETS)][::2]
    hit, left = set(), 0
    for text in chain(texts, map(str.upper, texts)):
        folded = fold_text(text).text
        may = {ids[i] for i in prefilter.find(folded)}
        does = {name for name in ids if regexes[name].search(folded)}
        assert does <= may
        hit |= does
        left += len(may)
    assert len(hit) > 0.85 * len(ids)
    assert left < 0.1 * 2 * len(texts) * len(ids)
    # The literals are few and short.
    for regex in regexes.values():
        required = get_literals(regex.pattern)
        assert 1 <= len(required) <= N_SETS
        assert all(len(literals) <= 2 * MOST for literals in required)
        assert all(0 < len(piece) <= LONGEST for literals in required for piece in literals)
    assert Prefilter([]).find("text") == []
    assert make_prefilter([r"\w", "a"]).find("text") == [0]


REGEXES_OF_VERSION = (
    r"(?:[1-9]|1\d)(?:[.,]\d|½)? {0,3}(?:år|yaşında|mån(?:ader)?)(?!\w)",
    r"\b(?:den|d\.?)\s(?:\w+ ){0,2}3:?e?",
)
CHARS = "ab0å \n"
REGEXES = st.recursive(
    st.sampled_from(
        [
            "a", "B", "0", r"\d", "[ab]", "[^a]", ".", " ", r"\w", r"\b", "^", "$", "Å", "[0-9o]",
            r"\W", r"\s", " {0,3}", "[ \n]",
        ]
    ),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.tuples(
            inner, st.sampled_from(["?", "*", "+", "{2}", "{1,3}", "{0,2}", "{2,}", "{0}"])
        ).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
        st.tuples(st.sampled_from(["(?=", "(?!", "(?-i:", "("]), inner).map(
            lambda pair: f"{pair[0]}{pair[1]})"
        ),
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.lists(REGEXES, min_size=1, max_size=4), st.text(CHARS + "AB3.o", max_size=12))
@example([r"(?:ab?)+0"], "AAB3")
@example([r"(?=\d)."], "7")
def test_no_hit_of_any_regex_is_lost(regexes: list[str], text: str):
    may = make_prefilter(regexes).find(text)
    assert may == sorted(set(may))
    for i, regex in enumerate(regexes):
        assert i in may or re.search(regex, text, re.IGNORECASE) is None


def test_saved_literals_are_of_this_version():
    # If this fails, raise VERSION: what older ones have saved would lose hits.
    texts = [normalize("12  å\nB"), *REGEXES_OF_VERSION]
    literals = [sorted(map(sorted, get_literals(regex))) for regex in REGEXES_OF_VERSION]
    digest = sha256(repr((texts, literals)).encode()).hexdigest()[:8]
    assert (VERSION, digest) == (3, "a742d510")


def test_folded_text_has_no_other_case():
    # A letter that a regex takes for a plain one, its case ignored, is that one in lower case.
    plain = "abcdefghijklmnopqrstuvwxyzåäöéü"
    for char in sorted(SPECIAL | {chr(code) for code in range(0x2200)}):
        folded = fold_text(f"x{char}x").text
        for letter in plain:
            assert bool(re.search(f"x{letter}x", folded, re.IGNORECASE)) == (
                f"x{letter}x" in normalize(folded)
            )
