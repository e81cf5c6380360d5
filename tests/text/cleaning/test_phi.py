"""HTML messages through the pipeline: what they tell of people is gone, wherever it stood."""

import re
from html import unescape
from urllib.parse import unquote

import pytest

from components.text.cleaning.clean import clean_text
from components.text.cleaning.originals import apply_to_original

KNOWN = {"name": "Anna Lind", "pid": "850312-7517", "phone": "070-3456789", "email": "anna@lind.se"}
PHI = ("anna", "lind", "8503", "7517", "345678", "lind.se")

MESSAGES = [
    "<p>Hej, jag heter <b>Anna</b> Lind.<br/>Ring p&aring; 070&nbsp;345&nbsp;67&nbsp;89</p>",
    '<a href="mailto:anna@lind.se" title="Anna Lind">Anna Lind</a> skrev',
    "<a href='mailto:anna%40lind.se'>skriv</a>",
    "<!-- Journal: Anna Lind, 850312-7517 --><div>Hej, jag vill boka tid</div>",
    '<img src="/bilder/1.jpg" alt="Bild av Anna Lind">Se bilden',
    '<script>var namn = "Anna Lind", pnr = "850312-7517";</script>Hej',
    '<chat-bubble data-name="Anna Lind" x=\'070-3456789\'>Hej</chat-bubble>',
    'A<span style="color:red">nn</span>a Li<wbr>nd h&auml;r, 8503<b></b>12-7517',
    "<TABLE><TR><TD>Namn</TD><TD>Anna Lind</TD></TR><TR><TD>Tel</TD><TD>070-3456789</TD></TR>",
    "&lt;p&gt;A&amp;#110;na Lind&lt;/p&gt;",
    '<a href="https://x.se/?namn=anna+lind&amp;pnr=8503127517&amp;till=anna%40lind.se">min sida</a>',
    '<p title="Anna Lind>Hej',
    '<input type="hidden" value="Anna Lind"><meta content="850312-7517">',
    "Fr\u00e5n: Anna Lind <anna@lind.se>\nTemp <38, puls >90",
    "An\0na\x7f Lind\x01, <b\n>850312</b>-7517",
    r'{"msg": "Hej,\nAnna Lind h\u00e4r", "till": "anna@lind.se", "pnr": 8503127517}',
    r"{'msg': 'Hej,\nAnna Lind h\xe4r'}",
    r'{"kropp": "{\"fr\u00e5n\": \"\u0041nna L\\u0069nd\", \"tel\": \"0703456789\"}"}',
    "Hej=20Anna=20Li=\nnd h=C3=A4r",
    "<style>/* Anna Lind */</style><![CDATA[Anna Lind]]>",
]  # fmt: skip


def deidentify(nlp, text: str) -> str:
    folded = clean_text(text)
    doc = nlp.make_doc(folded.text)
    doc._.known = KNOWN
    return apply_to_original(folded, nlp(doc)._.replacements)[0]


@pytest.mark.parametrize("text", MESSAGES)
def test_nothing_is_left(tiny_nlp, text):
    out = deidentify(tiny_nlp, text)
    # As a browser reads it, tags left out or not.
    shown = unquote(unescape(unescape(out))).lower()
    for view in (out.lower(), shown, re.sub(r"<[^>]*>|[\0-\x1f\x7f\xa0 -]", "", shown)):
        assert [phi for phi in PHI if phi in view] == []
    # The markup around it stays.
    assert out[0] == text[0] or text[0] != "<"
