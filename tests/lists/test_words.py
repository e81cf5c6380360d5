"""How ordinary words are."""

import pytest

from components.lists.words import CommonWords, get_commonness
from tests.cases import read_cases

ROWS = [
    {"word": word, "per_million": str(n)}
    for word, n in (("och", 30000), ("skola", 80), ("sköterska", 9), ("bil", 60), ("rask", 3),
                    ("hus", 90), ("läkare", 70), ("sten", 40), ("udd", 0.6), ("väg", 200), ("al", 50),
                    ("gran", 2), ("ask", 1.8))
]  # fmt: skip


@pytest.fixture(scope="module")
def words() -> CommonWords:
    return CommonWords.from_rows(ROWS)


COMPOUNDS = [
    "skolsköterska", "husläkare", "husbil", "läkarhus", "bilväg", "sköterskasväg", "husgran",
]  # fmt: skip
UNKNOWN = [
    "kallvik", "ab", "", "bilx", "xbil", "uddsten", "fadumo", "husvägsläkare", "alhus", "husal", "husask",
    "sköterskaxväg",
]  # fmt: skip


@pytest.mark.parametrize("word", [*COMPOUNDS, *UNKNOWN])
def test_compounds_and_unknown_words(words: CommonWords, word: str) -> None:
    assert words[word] == (0.0, word in COMPOUNDS)


def test_foreign_words() -> None:
    words = CommonWords.from_rows(ROWS, [{"word": "young", "language": "en"}])
    assert 0 < words["young"][0] < words["rask"][0]
    assert words["youngväg"] == (0.0, False)


def test_order_of_commonness(words: CommonWords) -> None:
    ranked = sorted(ROWS, key=lambda row: float(row["per_million"]))
    values = [words[row["word"]] for row in ranked]
    assert values == sorted(values) and all(0 < known <= 1 for known, _ in values)
    assert not any(compound for _, compound in values)


@pytest.mark.parametrize(("n", "value"), [(0.001, 0.01), (0.1, 0.01), (1e9, 1.0), (10**1.75, 0.5)])
def test_commonness(n: float, value: float) -> None:
    assert get_commonness(n) == value


@pytest.mark.parametrize(("word", "compound"), read_cases(__file__)["parts_of_compounds"])
def test_parts_of_compounds(word: str, compound: bool) -> None:
    rows = [
        *ROWS,
        *({"word": word, "per_million": n} for word, n in (("pojke", "50"), ("ska", "90"))),
        *({"word": word, "per_million": n} for word, n in (("grå", "2.0"), ("blå", "1.8"))),
        {"word": "ö", "per_million": "90"},
    ]
    assert CommonWords.from_rows(rows)[word] == (0.0, compound)


def test_own_words_before_foreign_ones() -> None:
    words = CommonWords.from_rows(ROWS, [{"word": "hus"}, {"word": "maison"}])
    assert words["hus"] == (get_commonness(90), False)
    assert words["maison"] == (get_commonness(1.5), False)


def test_words_are_folded() -> None:
    """What is written with a combining ring is the same word."""
    assert CommonWords.from_rows([{"word": "va\u030ag", "per_million": "5"}])["våg"][0] > 0
    assert CommonWords()["hus"] == (0.0, False)
