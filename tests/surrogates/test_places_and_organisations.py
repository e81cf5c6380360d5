"""Places and organisations, with small lists."""

import re

import pytest

from tests.cases import read_cases
from tests.strategies import KEYS
from tests.surrogates.hand_lists import AUTHORITIES, LISTS, PLACES

CASES = read_cases(__file__)

KINDS = {key: names.split() for key, names in PLACES.items() if len(names.split()) > 2}


@pytest.mark.parametrize("conversation", KEYS)
@pytest.mark.parametrize("key", KINDS)
def test_like_for_like(replace, key, conversation):
    names = KINDS[key]
    new = replace(" ".join(f"[{name}]" for name in names), "LOCATION", conversation)
    assert set(new) == set(names)
    assert all(a != b for a, b in zip(new, names))


@pytest.mark.parametrize("text", CASES["test_unlisted_street"])
def test_unlisted_street(replace, text):
    (new,) = replace(f"[{text}]", "LOCATION")
    streets = {row["name"] for row in LISTS["streets"] if row["name"].endswith("vägen")}
    assert re.sub(r"s?(?: \d+)?$", "", new) in streets
    assert new.endswith("s") == text.endswith("s")


@pytest.mark.parametrize("text", ["E20", "e4", "E6:an", "väg 40", "riksväg 50", "Rv 40"])
def test_road(replace, text):
    (new,) = replace(f"[{text}]", "LOCATION")
    assert new != text and re.sub(r"\d+", "0", new) == re.sub(r"\d+", "0", text)


@pytest.mark.parametrize("text", ["12", "...", "Bani Walid", "Ö", "Å 3", "a\nb", "😀", "北京"])
def test_odd_places(replace, text):
    (new,) = replace(f"[{text}]", "LOCATION")
    assert isinstance(new, str) and new != text


@pytest.mark.parametrize("text", CASES["test_institution_words_stay"])
def test_institution_words_stay(replace, text):
    assert replace(f"[{text}]", "ORGANISATION") == [text]


@pytest.mark.parametrize("conversation", KEYS)
@pytest.mark.parametrize("name", AUTHORITIES)
def test_authority_and_abbreviation(replace, name, conversation):
    new, short = (
        replace(f"[{text}]", "ORGANISATION", conversation)[0] for text in (name, AUTHORITIES[name])
    )
    assert new != name and AUTHORITIES[new] == short


@pytest.mark.parametrize("text", ["Kullabygdens Keramik AB", "ANOVA", "Rättsliga rådet", "Sahlgrenska",
                                  "12", "...", "😀", "S:t Görans", "a\nb", "sprututbytet"])  # fmt: skip
def test_odd_organisations(replace, text):
    (new,) = replace(f"[{text}]", "ORGANISATION")
    assert new != text and new
    assert new.endswith(" AB") == text.endswith(" AB")
