import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st

from components.labels import LABELS
from corpus_tools.docs import ROW, chat_language, from_doc, to_doc
from corpus_tools.jsonl import read_messages, write_messages
from scripts.convert import convert

NLP = chat_language()
ROWS = [
    {
        "id": "a",
        "text": "Hej Anna,\nring 070-123 45 67\n",
        "spans": [
            {"start": 4, "end": 8, "label": "PERSON"},
            {"start": 15, "end": 28, "label": "PHONE"},
        ],
        "conversation": "c1",
        "turn": 2,
        "author": "patient",
        "own": {"x": [1, None]},
    },
    {"id": "b", "text": "", "spans": []},
    {"id": "c", "text": "Anna", "spans": [{"start": 1, "end": 3, "label": "PERSON"}]},
    {"id": "d", "text": " \u200b😀 ok \r\n", "spans": []},
]


def test_round_trip_loses_nothing(tmp_path, capsys):
    write_messages(tmp_path / "a.jsonl", ROWS)
    convert(tmp_path / "a.jsonl", tmp_path / "sub" / "b.spacy")
    assert "4 messages; 1 spans off token boundaries" in capsys.readouterr().out
    convert(tmp_path / "sub" / "b.spacy", tmp_path / "c.jsonl")
    assert (tmp_path / "c.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()
    convert(tmp_path / "sub" / "b.spacy", tmp_path / "d.spacy")
    convert(tmp_path / "d.spacy", tmp_path / "e.jsonl")
    assert read_messages(tmp_path / "e.jsonl") == ROWS


def test_tokens_of_a_misaligned_span_are_missing():
    doc = to_doc(NLP, ROWS[2])
    assert [token.ent_iob_ for token in doc] == [""] and not doc.ents
    assert doc.user_data[ROW]["misaligned"] == ROWS[2]["spans"]
    assert [token.ent_iob_ for token in to_doc(NLP, ROWS[0])][:2] == ["O", "B"]


@pytest.mark.parametrize("source, target", [("a.txt", "b.spacy"), ("a.jsonl", "b.txt")])
def test_unknown_suffixes(tmp_path, source, target):
    write_messages(tmp_path / source, ROWS)
    with pytest.raises(typer.BadParameter, match="neither"):
        convert(tmp_path / source, tmp_path / target)


def test_malformed_lines_stop_the_conversion(tmp_path, capsys):
    (tmp_path / "a.jsonl").write_text('{"text": "Anna"}\n', encoding="utf8")
    with pytest.raises(typer.Exit):
        convert(tmp_path / "a.jsonl", tmp_path / "b.spacy")
    assert "a.jsonl, line 1: 'spans'" in capsys.readouterr().err


@st.composite
def rows(draw):
    text = draw(st.text(st.characters(exclude_categories=("Cs",)), max_size=40))
    cuts = draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True).map(sorted))
    spans = [
        {"start": start, "end": end, "label": draw(st.sampled_from(LABELS))}
        for start, end in zip(cuts[::2], cuts[1::2])
        if not (text[start].isspace() or text[end - 1].isspace())
    ]
    return {"id": "x", "text": text, "spans": spans}


@given(rows())
@settings(deadline=None)
def test_any_message_comes_back(row):
    assert from_doc(to_doc(NLP, row)) == row
