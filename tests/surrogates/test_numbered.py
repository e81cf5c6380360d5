"""Placeholders with numbers: one for each person, none that an author typed."""

import re

import pytest

from components.surrogates.surrogate_generator import SurrogateGenerator
from components.vault import Vault
from tests.cases import cases
from tests.surrogates.hand_lists import make_doc, make_doc_of


@pytest.fixture
def numbered(generator: SurrogateGenerator, monkeypatch):
    monkeypatch.setattr(generator, "strategy", "numbered")
    return generator


@cases
def test_typed_placeholders_are_nobodys(numbered, typed):
    docs = [make_doc("Med [Eva Berg|PERSON], [Karin Ek|PERSON]", conversation="c")]
    docs.append(make_doc_of([f"Som {typed} sa"], [], "c"))
    numbered.replace_conversation(docs)
    assert docs[0]._.deidentified == "Med [PERSON_2], [PERSON_3]"
    assert docs[1]._.deidentified == docs[1].text


def test_typed_numbers_of_four_digits(numbered):
    doc = make_doc("Med [Eva Berg|PERSON]", conversation="c")
    number = re.search(r"\d{4}", numbered(doc)._.deidentified)[0]
    words = ["Med ", "Eva Berg", f" [person {number}]"]
    new = numbered(make_doc_of(words, ["", "PERSON", ""], "c"))._.deidentified
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


def test_different_values_never_share_a_number(numbered):
    addresses = [f"k{number}@example.com" for number in range(1000, 2000)]
    marked = ", ".join(f"[{address}|EMAIL]" for address in addresses)
    placeholders = numbered(make_doc(marked, conversation="c"))._.deidentified.split(", ")
    assert len(set(placeholders)) == len(addresses)


def test_numbers_of_a_single_class_differ(numbered):
    doc = numbered(make_doc("[Eva Berg|PHI] [2024-03-01|PHI] [eva@example.com|PHI]"))
    assert sorted(doc._.deidentified.split()) == ["[PHI_1]", "[PHI_2]", "[PHI_3]"]
