"""Languages of messages: what is foreign is seen, what is Swedish, short or mixed is left alone."""

import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from spacy.tokens import Doc

from components.text import languages
from components.text.languages import detect_language, is_foreign
from tests.cases import cases, read_arrows
from tests.conftest import ROOT
from training_tools.generator.natural import read_natural

ROWS = [thread[0] for thread in read_natural(ROOT / "assets" / "foreign")]
# What one of a language may be taken for.
LIKE = {"bs": {"bs", "hr", "sr"}, "no": {"no", "nn", "da"}, "da": {"no", "nn", "da"}}


def get_code(row):
    return row["id"].rpartition("/")[2].partition("-")[0]


@pytest.mark.parametrize("code", sorted({get_code(row) for row in ROWS}))
def test_messages_in_other_languages(code):
    told = [detect_language(row["text"]) for row in ROWS if get_code(row) == code]
    assert len(told) == 20
    assert all(is_foreign(language) == (code not in ("da", "en", "no")) for language in told)
    assert sum(language in LIKE.get(code, {code}) for language in told) >= 19


def test_swedish_messages_are_left_alone():
    threads = read_natural(ROOT / "assets" / "messages" / "natural")
    # One writer has messages in other languages on purpose.
    rows = [row for thread in threads[::4] for row in thread if "eponyms_and" not in row["id"]]
    told = [detect_language(row["text"]) for row in rows]
    assert sum(map(is_foreign, told)) < 0.002 * len(told)
    assert told.count("sv") > 0.9 * len(told)


@cases
def test_too_little_to_tell_from(text):
    assert detect_language(text) is None


@cases
def test_what_is_mixed_in_is_not_foreign(text):
    assert not is_foreign(detect_language(text))


@pytest.mark.parametrize("text, language", read_arrows(__file__, "languages.txt"))
def test_languages_and_scripts(text, language):
    assert detect_language(text) == language
    assert is_foreign(language)


def test_same_answer_in_any_order_and_thread():
    texts = [row["text"] for row in ROWS] * 2
    told = [detect_language(text) for text in texts]
    order = list(range(len(texts)))
    random.Random(0).shuffle(order)
    languages._load_classifier.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        again = list(pool.map(detect_language, (texts[i] for i in order)))
    assert again == [told[i] for i in order]


@pytest.mark.parametrize("piece", ["1-", "a@", "я "])
def test_no_text_takes_long(piece):
    text = piece * (200_000 // len(piece))
    start = time.process_time()
    detect_language(text)
    # What grows with the square of the length takes minutes.
    assert time.process_time() - start < 3


def test_language_of_a_document(tiny_nlp, monkeypatch):
    assert tiny_nlp.make_doc("Hei, tarvitsen uuden reseptin")._.language == "fi"
    assert tiny_nlp("Hej, jag behöver ett nytt recept")._.language == "sv"
    assert Doc(tiny_nlp.vocab)._.language is None
    home = {None, "sv", "no", "nb", "nn", "da", "en"}
    assert {language for language in (*home, "fi", "de", "und") if not is_foreign(language)} == home
    # Only who asks waits until the classifier is loaded.
    monkeypatch.setattr(languages, "_load_classifier", pytest.fail)
    doc = tiny_nlp.make_doc("Hei, nimeni on Tapio Korhonen ja tarvitsen uuden reseptin")
    with pytest.raises(pytest.fail.Exception):
        doc._.language  # noqa: B018
