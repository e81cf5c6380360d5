"""Escapes are read as what they mean, what is no escape stays, and surrogates have escapes again."""

import json
import quopri
from html import unescape
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.text.cleaning.clean import clean_text
from components.text.cleaning.originals import apply_to_original
from tests.cases import cases
from tests.text.cleaning.test_originals import make_entries

NAMES = st.text("aåöÅÉ šŁ😀", min_size=1, max_size=8).map(lambda text: f"Bö{text}k")
WAYS = {
    "JSON": (lambda text: json.dumps(text)[1:-1], lambda text: json.loads(f'"{text}"')),
    "JSON in JSON": (
        lambda text: json.dumps(json.dumps(text)[1:-1])[1:-1],
        lambda text: json.loads(f'"{json.loads(f"{chr(34)}{text}{chr(34)}")}"'),
    ),
    "JavaScript": (
        lambda text: json.dumps(text)[1:-1].replace("\\", "%"),
        lambda text: json.loads(f'"{text}"'.replace("%u", "\\u")),
    ),
    "bytes": (
        lambda text: repr(text.encode())[2:-1],
        lambda text: text.encode().decode("unicode_escape").encode("latin-1").decode(),
    ),
    "URL": (quote, unquote),
    "URL in URL": (lambda text: quote(quote(text)), lambda text: unquote(unquote(text))),
    "quoted-printable": (
        lambda text: quopri.encodestring(text.encode()).decode(),
        lambda text: quopri.decodestring(text).decode(),
    ),
    "HTML": (lambda text: text.encode("ascii", "xmlcharrefreplace").decode(), unescape),
}


@pytest.mark.parametrize("way", WAYS)
@given(name=NAMES, new=NAMES)
def test_a_name_in_escapes(way: str, name: str, new: str):
    write, read = WAYS[way]
    folded = clean_text(write(f"Hej {name}, då."))
    assert folded.text == f"Hej {name}, då."
    out, (entry,) = apply_to_original(folded, make_entries(folded.text, (name, new, False)))
    assert read(out) == f"Hej {new}, då."
    assert out.isascii() and out[entry["out_start"] : entry["out_end"]] == entry["replacement"]


@cases
def test_escapes_are_read(text: str, cleaned: str):
    assert clean_text(text).text == cleaned


@cases
def test_what_is_no_escape_stays(text: str):
    assert clean_text(text).text == text
