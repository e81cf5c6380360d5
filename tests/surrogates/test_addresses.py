"""What stands behind an address and tells where in the house somebody lives is replaced with it."""

import re

import pytest

from components.surrogates.surrogate_generator import SurrogateGenerator
from components.vault import Vault
from tests.cases import cases, read_cases
from tests.surrogates.hand_lists import make_doc

CASES = read_cases(__file__)


@pytest.mark.parametrize("marked, pattern, gone", CASES["test_flats"])
@pytest.mark.parametrize("conversation", [None, "a conversation"])
def test_flats_are_replaced(generator: SurrogateGenerator, marked, pattern, gone, conversation):
    doc = generator(make_doc(marked, "LOCATION", conversation))
    assert re.fullmatch(pattern, doc._.deidentified), doc._.deidentified
    assert gone not in doc._.deidentified
    _check_replacements(doc)


@pytest.mark.parametrize("strategy", ["label", "mask", "remove", "numbered"])
@pytest.mark.parametrize("marked, pattern, gone", CASES["test_flats"])
def test_flats_go_whatever_the_strategy(
    generator: SurrogateGenerator, monkeypatch, marked, pattern, gone, strategy
):
    monkeypatch.setattr(generator, "strategy", strategy)
    doc = generator(make_doc(marked, "LOCATION"))
    assert gone not in doc._.deidentified and "1304" not in doc._.deidentified
    _check_replacements(doc)


def test_flats_stay_with_an_address_that_is_kept(generator: SurrogateGenerator, monkeypatch):
    monkeypatch.setattr(generator, "strategy", "keep")
    doc = generator(make_doc("[Storgatan 32] lgh 1304", "LOCATION"))
    assert doc._.deidentified == doc.text and doc._.replacements[0]["kept"]


@cases
def test_what_is_no_flat_stays(generator: SurrogateGenerator, marked):
    doc = generator(make_doc(marked, "LOCATION"))
    assert doc._.deidentified.endswith(marked.partition("]")[2])
    assert doc._.replacements[-1]["end"] == doc.ents[-1].end_char


def test_a_name_behind_an_address_is_its_own(generator: SurrogateGenerator):
    doc = generator(make_doc("[Storgatan 32|LOCATION] c/o [Eva Berg|PERSON] lgh 1304"))
    assert re.fullmatch(r"\w+ \d\d c/o \w+ \w+ lgh 1304", doc._.deidentified)
    assert [entry["label"] for entry in doc._.replacements] == ["LOCATION", "PERSON"]


def _check_replacements(doc):
    """One for each entity, from where it begins, and the way back leads to the text."""
    assert [ent.start_char for ent in doc.ents] == [entry["start"] for entry in doc._.replacements]
    vault = Vault(Vault.new_key())
    assert vault.restore(doc._.deidentified, vault.seal(doc)) == doc.text
