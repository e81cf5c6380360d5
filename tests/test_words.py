"""How ordinary words are."""

import pytest

from components.words import CommonWords, get_commonness

ROWS = [
    {"word": word, "per_million": str(n)}
    for word, n in (("och", 30000), ("skola", 80), ("sköterska", 9), ("bil", 60), ("rask", 3),
                    ("hus", 90), ("läkare", 70), ("sten", 40), ("udd", 0.6), ("väg", 200))
]  # fmt: skip


@pytest.fixture(scope="module")
def words() -> CommonWords:
    return CommonWords.from_rows(ROWS)


@pytest.mark.parametrize("word", ["skolsköterska", "husläkare", "husbil", "läkarhus", "bilväg"])
def test_compound(words: CommonWords, word: str) -> None:
    assert words[word] == (0.0, True)


@pytest.mark.parametrize(
    "word", ["kallvik", "ab", "", "bilx", "xbil", "uddsten", "fadumo", "husvägsläkare"]
)
def test_unknown(words: CommonWords, word: str) -> None:
    assert words[word] == (0.0, False)


@pytest.mark.parametrize("row", ROWS)
def test_known(words: CommonWords, row: dict[str, str]) -> None:
    known, compound = words[row["word"]]
    assert 0 < known <= 1
    assert not compound


def test_foreign_words() -> None:
    words = CommonWords.from_rows(ROWS, [{"word": "young", "language": "en"}])
    assert 0 < words["young"][0] < words["rask"][0]
    assert words["youngväg"] == (0.0, False)


def test_order_of_commonness(words: CommonWords) -> None:
    ranked = sorted(ROWS, key=lambda row: float(row["per_million"]))
    values = [words[row["word"]][0] for row in ranked]
    assert values == sorted(values)


@pytest.mark.parametrize(("n", "value"), [(0.001, 0.01), (0.1, 0.01), (1e9, 1.0), (10**1.75, 0.5)])
def test_commonness(n: float, value: float) -> None:
    assert get_commonness(n) == value


def test_no_words() -> None:
    assert CommonWords()["hus"] == (0.0, False)
