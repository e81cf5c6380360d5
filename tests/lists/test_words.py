"""How ordinary words are, what looks like a surname, and the lists themselves."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.lists.lists import SOURCES, read_list, read_lists
from components.lists.surnames import MIN_LENGTH, PARTS, PLAIN_ENDINGS, has_surname_form
from components.lists.words import CommonWords, get_commonness
from tests.cases import cases, read_cases

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


@cases
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


# Whether they are one where nothing is known of them, and where they may be a compound.
SURNAMES = read_cases(__file__)["words"]


@pytest.mark.parametrize(("word", "unknown", "compound"), SURNAMES)
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


LISTS = Path(__file__).resolve().parents[2] / "assets" / "lists"


def test_reads_rows(tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text("# facts\nname\tgender\nAnna\tf\nBo\tm\n", encoding="utf8")
    assert read_lists(tmp_path) == {
        "names": [{"name": "Anna", "gender": "f"}, {"name": "Bo", "gender": "m"}]
    }


def test_wrong_lists(tmp_path):
    with pytest.raises(ValueError, match="No lists"):
        read_lists(tmp_path)
    (tmp_path / "names.tsv").write_text("name\tgender\nAnna\n", encoding="utf8")
    with pytest.raises(ValueError, match="names.tsv, line 2: 1 cells, expected 2"):
        read_list(tmp_path / "names.tsv")


@pytest.mark.parametrize("path", sorted(LISTS.glob("*.tsv")), ids=lambda path: path.stem)
def test_embedded_list(path):
    first = path.read_text(encoding="utf8").splitlines()[0]
    assert first.startswith("#"), "a list begins with where its facts come from"
    rows = read_list(path)
    assert len({tuple(row.values()) for row in rows}) == len(rows)
    key = next(iter(rows[0]))
    assert all(row[key] == row[key].strip() != "" for row in rows)


def test_gazetteer_reads_the_embedded_lists():
    lists = read_lists(LISTS)
    for stem, column in SOURCES:
        assert column in lists[stem][0]
