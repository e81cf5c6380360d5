"""What looks like a surname."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.lists.surnames import MIN_LENGTH, PARTS, PLAIN_ENDINGS, has_surname_form
from tests.cases import read_cases

# Whether they are one where nothing is known of them, and where they may be a compound.
WORDS = read_cases(__file__)["words"]


@pytest.mark.parametrize(("word", "unknown", "compound"), WORDS)
def test_forms(word: str, unknown: bool, compound: bool) -> None:
    assert has_surname_form(word, compound=False) is unknown
    assert has_surname_form(word, compound=True) is compound


@given(
    st.sampled_from(PARTS["stems"]), st.sampled_from(PARTS["endings"]), st.sampled_from(["", "s"])
)
def test_whatever_is_made_of_the_parts(stem: str, ending: str, genitive: str) -> None:
    word = (stem + ending + genitive).lower()
    plain = ending in PLAIN_ENDINGS or len(word) < MIN_LENGTH
    assert plain or (has_surname_form(word, False) and has_surname_form(word, True))


@given(st.text("abcdeghklmnrstuåäö", max_size=20), st.sampled_from(PARTS["sure_endings"]))
def test_what_may_be_a_compound_is_seldom_a_name(stem: str, ending: str) -> None:
    word = stem + ending
    assert has_surname_form(word, False) or not has_surname_form(word, True)


@pytest.mark.parametrize("part", ["a", "ab", "berg", "s", "lind", "kk"])
def test_time_is_linear(part: str) -> None:
    def measure(n: int) -> float:
        word = part * n + "x"
        start = time.perf_counter()
        has_surname_form(word, compound=False)
        return time.perf_counter() - start

    assert min(measure(20000) for _ in range(3)) < 0.1
