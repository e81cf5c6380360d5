"""HTML: only markup goes, and whatever it holds is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.cleaning.clean import clean_text

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


@pytest.mark.parametrize(
    "text",
    [
        *["temp <38 och puls >90", "a < b", "a<", "<3", "x<y>z", "a <b", "<b klart", "1 &2", "R&D", "&", "A --> B"],
        *["<anna@x.se>", "<a@x.se>", "<a.berg@x.se>", "<https://x.se>", "<Anna Berg>", "<anna-karin>", "<Anna>"],
        *["<Li>", "<Em Berg>", "<A Berg>", "<Li Chen>", "<p Anna här", "</anna>", "<>", "</>", "< br>", "<b"],
        *["&anna;", "&Xi;", "Anna&ethel", "&;", "&#;", "&#x;", "&#0701740605;", "&#850312;", "ring &#46", "&fjlig;"],
        *["5%20 ml", "50%50", "100 %", "10%ad", "%zz/", "x/%ff", "vad?a", "]]>", "<!-", "<!DOCTYPE anna>"],
        *["puls <60/min och >100", "if a<b and c>d", "->", "<--", "<-", ">>> Anna", "<<Anna>>", "&amp", "Tom&Jerry"],
    ],
)  # fmt: skip
def test_what_is_no_html_stays(text: str):
    assert read(text) == text


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        # Tags within a word, of lines, of cells.
        ("An<b>na</b>", "Anna"),
        ("A<i><b>nn</b></i>a", "Anna"),
        ("An<wbr>na<o:p></o:p>", "Anna"),
        ('A<font color="red" face="Times New Roman">nn</FONT>a', "Anna"),
        ('A<span style="color:#1F497D; font-size:11.0pt">nn</span>a', "Anna"),
        ("A<span class=hl>nn</span>a", "Anna"),
        ("A<a href='/x'>nn</a>a", "A\n/x\nnna"),
        ("Hej<br>du<BR/>och<br / >jag", "Hej\ndu\noch\njag"),
        ("<div><p>Hej</p></div><p>du</p>", "\nHej\ndu\n"),
        ("<tr><td>1</td><td>2</td></tr><tr>", "\n1\t2\n"),
        ("<h1>a</h1 ><ul>\n<li>b</ul>", "\na\n\n\nb\n"),
        ("<!DOCTYPE html><html>a", "\na"),
        # Values.
        ('<a href="mailto:anna@x.se" title="Anna Berg">x</a>', "\nanna@x.se\nAnna Berg\nx"),
        ("<a href=mailto:anna@x.se>x", "\nanna@x.se\nx"),
        ("<img alt='Anna \"Lillan\" Berg'/>", '\nAnna "Lillan" Berg\n'),
        ("<IMG\nALT\n=\n'Anna\nBerg'\n/>", "\nAnna\nBerg\n"),
        ("<br clear=all/>", "\nall\n"),
        ("<p class='Anna Berg'>x", "\nAnna Berg\nx"),
        ("<p style='font-family:Anna'>x", "\nfont-family:Anna\nx"),
        ("<p class=MsoNormal align=left>x", "\nx"),
        ("<p style='rgb(1, 22, 333)' width=100%>x", "\nx"),
        ("<p style='070 345 67 89' width=850312>x", "\n070 345 67 89\n850312\nx"),
        ("<p title=red>x", "\nred\nx"),
        ("<p title=''>x", "\nx"),
        ("<p title=>x", "\nx"),
        ("<p hidden Anna Berg>x", "\nAnna Berg\nx"),
        ("<p id=1 anna=berg>x", "\n1\nanna\nberg\nx"),
        ('<x-y title="Anna Berg">x', "\nx-y\nAnna Berg\nx"),
        ("<anna berg='1'>", "\nanna berg\n1\n"),
        # Comments and scripts.
        ("<!-- Anna <b>B</b>erg -->x", "\n Anna Berg \nx"),
        ("<!--Anna", "\nAnna"),
        ("<!-- a --> b --> c", "\n a \n b --> c"),
        ("<![CDATA[Anna]]>x", "\nAnna\nx"),
        ("<script>var a='Anna';</script>", "\nvar a='Anna';\n"),
        ("<style>/* Anna */</style>", "\n/* Anna */\n"),
        # Broken.
        ('<a href="anna@x.se', "\nanna@x.se"),
        ("<a title='Anna>Berg</a>", "\nAnna\nBerg"),
        ('<p title="Anna "Lillan" Berg">x', '\nAnna \nLillan" Berg"\nx'),
        ("<p title=Anna <b>Berg</b>", "\nAnna Berg"),
        ("<img/alt='Anna'//x>", "\nAnna\nx\n"),
        ("<p id=1", "\n1"),
        ("<p id=1 Anna", "\n1\nAnna"),
        ("<b title=<b title=Anna>", "\nAnna\n"),
        # Entities.
        ("&Ouml;&#246;&#xF6;&#XF6;&ouml", "Öööö\u00f6"),
        ("BJ&OUML;RN&NBSP;&AMP;", "BJÖRN\u00a0&"),
        ("Bj&oumlrn, s&#229 h&aringr", "Björn, så hår"),
        ("&lt;38 &gt;90 &quot;&apos;&nbsp;&shy;&euro;&ndash;", "<38 >90 \"'\u00a0\u00ad€–"),
        ("&commat;&period;&#x1F600;&#128512;", "@.😀😀"),
        ("&#128;&#1;&eth;", "€ð"),
        ("&lt;p&gt;Anna&lt;/p&gt; &amp;ouml;", "\nAnna\n ö"),
        ("<p title='&quot;Anna&#34;'>", '\n"Anna"\n'),
        # Addresses.
        ("anna%40x.se", "anna@x.se"),
        ("<a href='mailto:anna%40x%2Ese'>", "\nanna@x.se\n"),
        ("/s%C3%B6k/bj%c3%b6rn%20%ff%e5x", "/sök/björn %ff%e5x"),
        ("http://x.se/?namn=anna+berg&amp;till=a+b@x.se", "http://x.se/\nnamn\nanna berg\ntill\na+b@x.se"),
        ("?n=anna%20berg%2540", "\nn\nanna berg@"),
    ],
)  # fmt: skip
def test_markup_goes_and_values_stay(text: str, cleaned: str):
    assert read(text) == cleaned


@pytest.mark.parametrize(
    ("text", "find", "stretch"),
    [
        ("An<b>na</b> Berg", "Anna Berg", "An<b>na</b> Berg"), ("<b>Anna</b>", "Anna", "Anna"),
        ("Bj&ouml;rn", "Björn", "Bj&ouml;rn"), ("&Ouml;sten&nbsp;&Aring;", "Östen", "&Ouml;sten"),
        ('<a title="Anna">Berg', "Anna", "Anna"),
        ("mailto:anna%40x.se", "anna@x.se", "anna%40x.se"),
        ("&amp;lt;b&amp;gt;An&amp;amp;ouml;", "Anö", "An&amp;amp;ouml;"),
        ("<p>A</p><p>B</p>", "A\nB", "A</p><p>B"),
    ],
)  # fmt: skip
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
