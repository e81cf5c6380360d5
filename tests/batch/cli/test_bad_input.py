"""Whatever comes in: no crash, and offsets that are right; or an error that says what is wrong."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.batch.runs.rows import read_row
from components.batch.runs.run_settings import Settings
from components.batch.tables.jsonl import JsonRecord

MESSAGES = {
    "empty": "",
    "space": " ",
    "white space": " \t\n\r\n\u00a0\u2003\u2028 ",
    "digits": "7" * 10_000,
    "digits and spaces": "7 " * 5_000,
    "one word": "å" * 10_000,
    "signs": "@./-:" * 2_000,
    "new lines": "\n" * 10_000,
    "NUL": "Hej\0Anna\0Lind 070-174 06 05\0",
    "control characters": "".join(map(chr, range(32))) + "Anna Lind" + "\x7f\x80\x85\x9f",
    "zero width": "\u200b\ufeffAnna\u200dLind\u2060 \u00adring 070-174\u200b06 05",
    "emoji": "Anna😀Lind😀070-1740605😀👩‍👩‍👧‍👦🇸🇪👍🏽anna@example.com❤️",
    "right to left": "שלום קוראים לי דנה, مرحبا اسمي فاطمة 070-1740605 \u202eanna\u202c",
    "Somali and Arabic": "Waxaan ahay Fadumo، عمري ٣٤ سنة",
    "English": "Hi, my name is Anna Lind and I was born on 1990-01-01.",
    "Thai and Chinese": "สวัสดีฉันชื่อมาลี 你好，我叫王伟，电话 070-1740605。",
    "combining": "A\u030ana A\u0308ngla e\u0301 " + "o" + "\u0308" * 500,
    "casing that changes length": "İSTANBUL ŞIŞLI straße ǅ ﬁn ŉ 12 år",
    "astral": "𝐀𝐧𝐧𝐚 𝓛𝓲𝓷𝓭 070-1740605 \U0010ffff",
    "replaced": "Hej jag heter ????sa \ufffd\ufffd",
    "HTML": "<p>Anna&nbsp;Lind</p><br/>&lt;070-1740605&gt;",
}


def check(nlp, text):
    doc = nlp(text)
    assert doc.text == text
    for group in doc.spans.values():
        for span in group:
            assert text[span.start_char : span.end_char] == span.text
    out, position = "", 0
    assert [(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents] == [
        (item["start"], item["end"], item["label"]) for item in doc._.replacements
    ]
    for item in doc._.replacements:
        assert position <= item["start"] < item["end"] <= len(text)
        out += text[position : item["start"]]
        assert item["out_start"] == len(out)
        out += item["replacement"]
        assert item["out_end"] == len(out)
        position = item["end"]
    assert doc._.deidentified == out + text[position:]
    return doc


@pytest.mark.parametrize("name", MESSAGES)
def test_odd_messages(tiny_nlp, name):
    check(tiny_nlp, MESSAGES[name])


def test_odd_messages_in_one_batch(tiny_nlp):
    docs = list(tiny_nlp.pipe(MESSAGES.values(), batch_size=7))
    assert [doc.text for doc in docs] == list(MESSAGES.values())
    assert docs[0]._.deidentified == ""
    for doc, text in zip(docs, MESSAGES.values()):
        assert len(doc.ents) == len(doc._.replacements)
        assert all(text[e.start_char : e.end_char] == e.text for e in doc.ents)


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_message(tiny_nlp, text):
    check(tiny_nlp, text)


@pytest.mark.parametrize(
    "text, n",
    [
        ("Hej, jag heter Anna Lind. ", 100_000),
        ("7", 200_000),
        ("Anna", 50_000),
        ("Anna Lind 070-1740605 ", 50_000),
        ("@./-:", 50_000),
    ],
)
def test_long_messages(tiny_nlp, text, n):
    check(tiny_nlp, (text * n)[:n])


@pytest.mark.parametrize("code", [0xD800, 0xD83D, 0xDC00, 0xDFFF])
def test_lone_surrogates(tiny_nlp, code):
    """The pipeline takes them, the command does not: what it would write is not what it read."""
    text = f"Hej {chr(code)} Anna"
    assert len(tiny_nlp(text).text) == len(text)
    row = read_row(JsonRecord(0, 1, json.dumps({"text": text}).encode("ascii")), 1, Settings())
    assert "surrogate" in row.reason and "Anna" not in row.reason


@pytest.mark.parametrize("text", [None, b"Hej", 7, ["Hej"]])
def test_no_text(tiny_nlp, text):
    with pytest.raises((TypeError, ValueError)):
        tiny_nlp(text)
    with pytest.raises((TypeError, ValueError)):
        list(tiny_nlp.pipe([text]))
