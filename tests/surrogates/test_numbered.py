"""Placeholders with numbers: one for each person, none that an author typed."""

import re

import pytest

from components.surrogates.surrogate_generator import SurrogateGenerator
from components.vault import Vault
from tests.cases import cases
from tests.surrogates.hand_lists import make_doc


@pytest.fixture
def numbered(generator: SurrogateGenerator):
    generator.strategy = "numbered"
    yield generator
    generator.strategy = "surrogate"


@cases
def test_typed_placeholders_are_nobodys(numbered, typed):
    docs = [make_doc("Med [Eva Berg|PERSON], [Karin Ek|PERSON]", conversation="c")]
    docs.append(make_typed(typed))
    numbered.replace_conversation(docs)
    assert docs[0]._.deidentified == "Med [PERSON_2], [PERSON_3]"
    assert docs[1]._.deidentified == docs[1].text


def make_typed(text: str):
    # Brackets mark entities in `make_doc`.
    doc = make_doc("x", conversation="c")
    other = type(doc)(doc.vocab, words=["Som", text, "sa"])
    other._.conversation_id = "c"
    other.ents = []
    return other


def test_typed_numbers_of_four_digits(numbered):
    doc = make_doc("Med [Eva Berg|PERSON]", conversation="c")
    number = re.search(r"\d{4}", numbered(doc)._.deidentified)[0]
    other = type(doc)(doc.vocab, words=["Med", "Eva Berg", f"[person {number}]"])
    other.ents = [other[1:2].char_span(0, 8, label="PERSON")]
    other._.conversation_id = "c"
    new = numbered(other)._.deidentified
    assert new.count(number) == 1 and re.search(r"\[PERSON_\d{4,}\]", new)


@cases
def test_a_name_in_parts_is_one_placeholder(numbered, marked, new):
    doc = numbered(make_doc(marked))
    assert doc._.deidentified == new
    vault = Vault(Vault.new_key())
    assert vault.restore(new, vault.seal(doc)) == doc.text
    assert len(doc._.replacements) == new.count("[")


@cases
def test_two_people_have_two_numbers(numbered, marked, new):
    assert numbered(make_doc(marked))._.deidentified == new


def test_messages_that_come_apart(numbered):
    texts = ["[Anna Berg|PERSON], [Anna|PERSON]", "[Anna Lind|PERSON]", "[ANNA BERG|PERSON]"]
    new = [numbered(make_doc(text, conversation="c"))._.deidentified for text in texts]
    assert new[0] == f"{new[2]}, {new[2]}" and new[1] != new[2]


def test_different_values_never_share_a_number(numbered):
    addresses = [f"k{number}@example.com" for number in range(1000, 2000)]
    marked = ", ".join(f"[{address}|EMAIL]" for address in addresses)
    placeholders = numbered(make_doc(marked, conversation="c"))._.deidentified.split(", ")
    assert len(set(placeholders)) == len(addresses)


def test_numbers_of_a_single_class_differ(numbered):
    doc = numbered(make_doc("[Eva Berg|PHI] [2024-03-01|PHI] [eva@example.com|PHI]"))
    assert sorted(doc._.deidentified.split()) == ["[PHI_1]", "[PHI_2]", "[PHI_3]"]
