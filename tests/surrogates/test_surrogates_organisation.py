import pytest

from tests.strategies import KEYS
from tests.surrogates.hand_lists import AUTHORITIES, ORGANISATIONS


def names(kind: str) -> list[str]:
    return ORGANISATIONS[kind].split(",")


@pytest.mark.parametrize(
    "text",
    ["vårdcentralen", "Vårdcentralen", "akuten", "AKUTEN", "BVC", "bvc", "ögonklinikens", "1177",
     "polisen", "BVC:s"],
)  # fmt: skip
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
def test_others(replace, text):
    (new,) = replace(f"[{text}]", "ORGANISATION")
    assert new != text and new
    assert new.endswith(" AB") == text.endswith(" AB")
