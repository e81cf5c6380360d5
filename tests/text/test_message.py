"""What the pipes find in a cleaned text, in the doc of the original."""

import pytest

from components.text.cleaning.clean import DEFAULT_STEPS
from components.text.hits import make_span, write_hits
from components.text.message import close_doc, open_doc

TEXT = r'{"bor": "Lund", "Bo Ek": "\u00c5re", "sent_at": 1, "850312": 2}'


def find(nlp, text: str, finds: list[str], key: str = "") -> list[str]:
    """What is left of finds in the cleaned text, as it stands in the original."""
    doc = nlp.make_doc(text)
    own = open_doc(doc, DEFAULT_STEPS)
    places = [(own.text.index(each), each) for each in finds]
    own.ents = [make_span(own, at, at + len(each), "PERSON") for at, each in places]
    if key:
        write_hits(own, key, ((ent, 1.0) for ent in own.ents))
    close_doc(own, doc)
    return [ent.text for ent in doc.ents]


def test_names_of_fields_are_left(tiny_nlp):
    finds = ["bor", "Lund", "Bo Ek", "Åre", "sent_at", "850312"]
    assert find(tiny_nlp, TEXT, finds) == ["Lund", "Bo Ek", r"\u00c5re", "850312"]
    # Elsewhere they are words like others.
    assert find(tiny_nlp, r"bor: \u00c5re", ["bor"]) == ["bor"]


@pytest.mark.parametrize("key", ["known", "custom"])
def test_a_name_of_a_field_that_is_known_is_none(tiny_nlp, key: str):
    assert find(tiny_nlp, TEXT, ["bor", "Lund"], key) == ["bor", "Lund"]
