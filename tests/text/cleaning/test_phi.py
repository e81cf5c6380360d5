"""HTML messages through the pipeline: what they tell of people is gone, wherever it stood."""

import re
from html import unescape
from urllib.parse import unquote

from components.text.cleaning.clean import clean_text
from components.text.cleaning.originals import apply_to_original
from tests.cases import cases

KNOWN = {"name": "Anna Lind", "pid": "850312-7517", "phone": "070-3456789", "email": "anna@lind.se"}
PHI = ("anna", "lind", "8503", "7517", "345678", "lind.se")


def deidentify(nlp, text: str) -> str:
    folded = clean_text(text)
    doc = nlp.make_doc(folded.text)
    doc._.known = KNOWN
    return apply_to_original(folded, nlp(doc)._.replacements)[0]


@cases
def test_nothing_is_left(tiny_nlp, text):
    out = deidentify(tiny_nlp, text)
    # As a browser reads it, tags left out or not.
    shown = unquote(unescape(unescape(out))).lower()
    for view in (out.lower(), shown, re.sub(r"<[^>]*>|[\0-\x1f\x7f\xa0 -]", "", shown)):
        assert [phi for phi in PHI if phi in view] == []
    # The markup around it stays.
    assert out[0] == text[0] or text[0] != "<"
