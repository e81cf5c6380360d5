"""Cleaning of a text, step by step: what is read, and where it stands in the original."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.text.cleaning.clean import DEFAULT_STEPS, STEPS, clean_text, parse_steps
from components.text.folding import TABLE
from tests.cases import cases
from tests.steps import count_steps

PIECES = [
    *["<", ">", "</", "/>", "&", ";", '"', "'", "=", " ", "\n", "\t", "%", "?", "#", "Anna", "Berg", "å"],
    *["<b>", "</b>", "<br/>", "<p ", "<a href=", "title=", "<!--", "-->", "<td>", "<x y='", "mailto:"],
    *["&ouml;", "&amp;", "&lt;", "&#246", "&#xF6;", "&nbsp;", "&fjlig;", "%40", "%C3%A5", "?namn=", "+"],
    *["\0", "\x85", "\u2028", "\u200b", "\ufeff", "\u00a0", "A\u030a", "\u0308", "\u212b", "а", "７", "ﬁ"],
    *["\\n", "\\u00f6", "\\", "=C3=B6", "=E5", "=\n"],
    *["Ã¥", "Ã", "Â", "â€“", "ÃƒÂ¥", "Å…", "😀", "ðŸ˜€", "\ud800", "\r\n"],
]  # fmt: skip
TEXTS = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=15).map("".join))
CHOICES = st.sets(st.sampled_from(STEPS)).map(tuple)


def read(text: str, *steps: str) -> str:
    return clean_text(text, steps).text


@pytest.mark.parametrize("value", ["", "html,", "htlm", "all,html", "html control"])
def test_steps_are_parsed(value: str):
    with pytest.raises(ValueError) as raised:
        parse_steps(value)
    assert all(step in str(raised.value) for step in STEPS)
    with pytest.raises(ValueError, match="htlm"):
        clean_text("Hej", ("htlm",))
    assert (parse_steps("all"), parse_steps("none")) == (STEPS, ())
    assert parse_steps(" control,HTML ,escapes,html") == DEFAULT_STEPS


@pytest.mark.parametrize("step", STEPS)
def test_each_step_alone(step: str):
    shown = {
        "escapes": ("\\u00f6\\n%u00f6", "ö\nö"),
        "html": ("<p>&ouml;", "\nö"),
        "control": ("a\0b\x85c\td\r\ne\u2028f\x1fg", "ab\nc\td\r\ne\nf g"),
        "invisible": ("a\u200bb\u00a0c\ufeff\u00add", "ab cd"),
        "look-alikes": ("７ Аnna Анна ＠ –", "7 Anna Анна @ –"),
        "unicode": ("A\u030asa m² ﬁ", "Åsa m² ﬁ"),
        "mojibake": ("Ã¥â€“", "å–"),
    }
    for name, (text, cleaned) in shown.items():
        assert read(text, step) == (cleaned if name == step else text)


@given(TEXTS, CHOICES)
def test_way_back(text: str, steps: tuple[str, ...]):
    folded = clean_text(text, steps)
    assert folded.original == text and folded.text == clean_text(text, steps[::-1]).text
    end = 0
    for i, char in enumerate(folded.text):
        start_char, end_char = folded.to_original(i, i + 1)
        # In order, never two characters of one: so no two entities share a part of the original.
        assert end <= start_char < end_char <= len(text)
        end = end_char
        if text[start_char:end_char].isascii() and text[start_char:end_char].isalnum():
            assert text[start_char:end_char] == char


LATIN = st.characters(max_codepoint=0x24F, exclude_characters="<&%?\\={[", exclude_categories=["C"])


@given(st.text(LATIN), st.text("ab å,.-/(1)\n😀é–”", max_size=40))
def test_ordinary_text_stays(text: str, in_all_steps: str):
    assert clean_text(text).text == text
    assert clean_text(in_all_steps, STEPS).text == in_all_steps


@given(TEXTS, st.text("aAoeEnsc\u030a\u0308\u0301\u030c \u212b", max_size=12))
def test_cleaned_text_is_clean(text: str, accents: str):
    assert read(accents, "unicode") == unicodedata.normalize("NFC", accents)
    cleaned = clean_text(text, ("control", "invisible", "unicode")).text
    assert clean_text(cleaned, ("control", "invisible", "unicode")).text == cleaned


def test_steps_find_what_others_bring_to_light():
    assert read("&#8203;A&#x30a;&Atilde;&yen;<\0b>", *STEPS) == "Åå"
    assert read("&amp;lt;b&amp;gt;An&amp;ouml;", "html") == "Anö"
    assert read("ÃƒÂ¥", "mojibake") == "å"
    # A letter and its accents are one.
    assert clean_text("xA\u030ay", ("unicode",)).to_original(1, 2) == (1, 3)
    # Doubtful mojibake beside sure one.
    assert read("Å\u00a0ariÄ‡", "mojibake") == "Šarić"


@pytest.mark.parametrize(
    "text", ["", "Hej, puls >90 och temp <38, 5 % & R&D. <3\n\täö \u00a0😀", "x" * 1000]
)
def test_clean_text_returns_at_once(text: str):
    clean_text("")
    assert count_steps(lambda: clean_text(text)) < 20


LONG = [
    "<", "&", "<a ", "<a x=", '<a x="', "%", "a", " ", "/", "?a", "<p a=' ", "</", "&a", "%2",
    "<!--", "\\", '\\"', "\\n", "\\u00f6", "=C3=B6", "=F6r ", '{"', '["', '"a":', "[", "C:\\a",
]  # fmt: skip


@pytest.mark.parametrize("steps", [DEFAULT_STEPS, STEPS])
@pytest.mark.parametrize("piece", [*LONG, "Ã¥", "A\u030a", "\0", "\u200b", "а", "<td>", "&amp;"])
def test_steps_are_linear(piece: str, steps: tuple[str, ...]):
    short, long = (
        count_steps(lambda n=n: clean_text(f"<p>{piece * n} x%40", steps)) for n in (100, 800)
    )
    assert long <= 8 * short + 300


@pytest.mark.parametrize("piece", LONG)
def test_a_long_text(piece: str):
    # What is quadratic within the regexes shows here alone: it would take minutes.
    text = f"<p>{piece * (100_000 // len(piece))} x%40"
    assert clean_text(text).original == text


def test_every_character_is_composed():
    for code in range(0x300, 0x20000):
        char = chr(code)
        composed = unicodedata.normalize("NFC", char)
        assert read(char, "unicode") == (composed if len(composed) == 1 else char)
        decomposed = unicodedata.normalize("NFD", char)
        if unicodedata.is_normalized("NFC", char):
            assert read(f"a{decomposed}", "unicode") == unicodedata.normalize("NFC", f"a{char}")


def test_all_of_the_folding_is_in_some_step():
    steps = ("control", "invisible", "look-alikes")
    for code, new in TABLE.items():
        if new != "-" and chr(code) != "\t":
            assert read(chr(code), *steps) == new


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
@cases
def test_mojibake(encoding: str, text: str):
    raw = text.encode("utf8")
    once = "".join(
        raw[i : i + 1].decode(encoding, "ignore") or chr(raw[i]) for i in range(len(raw))
    )
    folded = clean_text(once, ("mojibake",))
    assert folded.text == text
    at = 0
    for i, char in enumerate(text):
        assert folded.to_original(i, i + 1) == (at, at := at + len(char.encode("utf8")))


@cases
def test_sound_text_is_no_mojibake(text: str):
    assert read(text, "mojibake") == text
