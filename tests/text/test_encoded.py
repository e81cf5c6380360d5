"""What is encoded is found, and words are not."""

import base64
import random

import pytest
import spacy
from spacy.tokens import Doc

from components.model.windows import get_windows
from components.text.encoded import find_encoded
from tests.cases import cases

DATA = random.Random(3).randbytes(3000)


@pytest.mark.parametrize(
    "code",
    [
        base64.b64encode(DATA).decode(),
        base64.encodebytes(DATA).decode().strip(),
        base64.urlsafe_b64encode(DATA).decode().rstrip("="),
        DATA.hex(),
        DATA.hex().upper(),
        "".join(f"%{byte:02X}" for byte in DATA),
    ],
    ids=["base64", "lines", "urlsafe", "hex", "HEX", "percent"],
)
def test_what_is_encoded(code):
    text = f'Hej Anna, bilden: "{code}" Tack!'
    found = [*find_encoded(text)]
    start = text.index(code)
    assert all(start <= first < last <= start + len(code) for first, last in found)
    # Chance makes words of a piece here and there.
    assert sum(last - first for first, last in found) > 0.95 * len(code)


@cases
def test_words_and_numbers_are_read(text):
    assert not [*find_encoded(text)]


def test_no_window_holds_what_is_encoded():
    words = ["Hej", DATA[:100].hex(), "Anna", "Lind"]
    doc = Doc(spacy.blank("sv").vocab, words=words)
    assert get_windows(doc, 500, 100) == [(0, 1), (2, 4)]
    assert get_windows(Doc(doc.vocab, words=words[1:2]), 500, 100) == []
