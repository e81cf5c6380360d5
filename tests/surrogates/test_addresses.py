"""What stands behind an address and tells where in the house somebody lives is replaced with it."""

import re

import pytest

from components.batch.vault import Vault
from components.pipes.surrogate_generator import SurrogateGenerator
from tests.surrogates.hand_lists import make_doc

# Text, what it becomes, what of it must be gone.
CASES = [
    ("Bor på [Storgatan 32] M LGH 1304, tack", r"Bor på \w+ \d\d [I-U] LGH 1[1-5]0\d, tack", "1304"),
    ("[Storgatan 32], 3 tr", r"\w+ \d\d, [1245] tr", "3 tr"),
    ("[Storgatan 32] lgh 1304", r"\w+ \d\d lgh 1[1-5]0[1-6]", "1304"),
    ("[Storgatan 32]\nlägenhet nr 1304", r"\w+ \d\d\nlägenhet nr 1[1-5]0[1-6]", "1304"),
    ("[Storgatan 32] lgh 1304, 3 trappor upp.", r"\w+ \d\d lgh 1([1-5])0\d, \1 trappor upp\.", "1304"),
    ("[Storgatan 32] (vån 4, dörr 7)", r"\w+ \d\d \(vån \d, dörr \d+\)", "vån 4"),
    ("[Storgatan 32] c/o Ekdahl", r"\w+ \d\d c/o \w+", "Ekdahl"),
    ("[Storgatan 32], c/o ekdahl lgh 1304", r"\w+ \d\d, c/o [a-z]\w+ lgh 1\d0\d", "ekdahl"),
    ("[Storgatan 32], [Lund], lgh 1304", r"\w+ \d\d, \w+, lgh 1\d0\d", "1304"),
    ("[223 50 Lund] 3:e våningen", r"\d{3} \d\d \w+ (1:a|2:a|4:e|5:e) våningen", "3:e"),
    ("[Storgatan 32 B, lgh 1304]", r"\w+ \d\d [AC-H], lgh 1\d0\d", "1304"),
]  # fmt: skip
UNTOUCHED = [
    "[Storgatan 32]. Plan 2 är att vila", "[Storgatan 32] på plan 2", "[Storgatan 32] i tre veckor",
    "[Lund], 3 tr upp", "[Storgatan 32] t.h.",
]  # fmt: skip


@pytest.mark.parametrize(("marked", "pattern", "gone"), CASES)
@pytest.mark.parametrize("conversation", [None, "a conversation"])
def test_flats_are_replaced(generator: SurrogateGenerator, marked, pattern, gone, conversation):
    doc = generator(make_doc(marked, "LOCATION", conversation))
    assert re.fullmatch(pattern, doc._.deidentified), doc._.deidentified
    assert gone not in doc._.deidentified
    _check_replacements(doc)


@pytest.mark.parametrize("strategy", ["label", "mask", "remove", "numbered"])
@pytest.mark.parametrize(("marked", "pattern", "gone"), CASES)
def test_flats_go_whatever_the_strategy(
    generator: SurrogateGenerator, marked, pattern, gone, strategy
):
    generator.strategy = strategy
    try:
        doc = generator(make_doc(marked, "LOCATION"))
    finally:
        generator.strategy = "surrogate"
    assert gone not in doc._.deidentified and "1304" not in doc._.deidentified
    _check_replacements(doc)


def test_flats_stay_with_an_address_that_is_kept(generator: SurrogateGenerator):
    generator.strategy = "keep"
    try:
        doc = generator(make_doc("[Storgatan 32] lgh 1304", "LOCATION"))
    finally:
        generator.strategy = "surrogate"
    assert doc._.deidentified == doc.text and doc._.replacements[0]["kept"]


@pytest.mark.parametrize("marked", UNTOUCHED)
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
