"""HTML: only markup goes, and whatever it holds is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.text.cleaning.clean import clean_text
from tests.cases import cases, read_arrows

NAME = "Knurvel"
PIECES = [
    *[NAME] * 6, " ", " ", "<", ">", "/", '"', "'", "=", "&", ";", "\n", "%", "?", "x", "%40", "&amp;", "-->",
    *["<p", "<b>", "</b>", "</", "<a ", "href=", 'title="', "alt='", "<br/>", "<!--", "<![CDATA[", "]]>"],
    *["class=", 'style="color:red"', "<script>", "<td ", "<x-y ", "data-x=", "mailto:", "&lt;", "&quot;"],
]  # fmt: skip


def read(text: str) -> str:
    return clean_text(text, ("html",)).text


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_no_name_is_taken_out(text: str):
    assert read(text).count(NAME) == text.count(NAME)


@pytest.mark.parametrize("text", [text for (text,) in read_arrows(__file__, "no_html.txt")])
def test_what_is_no_html_stays(text: str):
    assert read(text) == text


@pytest.mark.parametrize(("text", "cleaned"), read_arrows(__file__, "html.txt"))
def test_markup_goes_and_values_stay(text: str, cleaned: str):
    assert read(text) == cleaned


@cases
def test_way_back(text: str, find: str, stretch: str):
    folded = clean_text(text)
    start = folded.text.index(find)
    start, end = folded.to_original(start, start + len(find))
    assert text[start:end] == stretch


WAYS = [
    "{}", "{}", "{}", "&#{};", "&#x{:x};", "<b>{}", "{}</b>",
    "<span style='color:red'>{}</SPAN\n>", "<wbr/>{}",
]  # fmt: skip


@given(
    st.lists(st.tuples(st.sampled_from("Annå Öberg 0123.,\n>"), st.sampled_from(WAYS)), max_size=20)
)
def test_dressed_text_is_read_as_it_was(letters: list[tuple[str, str]]):
    parts = [way.format(ord(char) if "&" in way else char) for char, way in letters]
    folded = clean_text("".join(parts), ("html",))
    assert folded.text == "".join(char for char, _ in letters)
    at = 0
    for i, (part, (_, way)) in enumerate(zip(parts, letters)):
        start, end = folded.to_original(i, i + 1)
        first, length = (0, len(part)) if "&" in way else (way.index("{"), 1)
        assert (start, end) == (at + first, at + first + length)
        at += len(part)
