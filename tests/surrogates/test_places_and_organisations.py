"""Places and organisations, with small lists."""

import re

import pytest

from tests.cases import cases
from tests.strategies import KEYS
from tests.surrogates.hand_lists import AUTHORITIES, LISTS


@cases
def test_unlisted_street(replace, text):
    (new,) = replace(f"[{text}]", "LOCATION")
    streets = {row["name"] for row in LISTS["streets"] if row["name"].endswith("vägen")}
    assert re.sub(r"s?(?: \d+)?$", "", new) in streets
    assert new.endswith("s") == text.endswith("s")


@pytest.mark.parametrize("text", ["E20", "e4", "E6:an", "väg 40", "riksväg 50", "Rv 40"])
def test_road(replace, text):
    (new,) = replace(f"[{text}]", "LOCATION")
    assert new != text and re.sub(r"\d+", "0", new) == re.sub(r"\d+", "0", text)


@pytest.mark.parametrize("conversation", KEYS)
@pytest.mark.parametrize("name", AUTHORITIES)
def test_authority_and_abbreviation(replace, name, conversation):
    new, short = (
        replace(f"[{text}]", "ORGANISATION", conversation)[0] for text in (name, AUTHORITIES[name])
    )
    assert new != name and AUTHORITIES[new] == short
