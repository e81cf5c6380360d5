"""Annotated messages are read, and what is wrong with them is named without their text."""

import json

import pytest

from components.measures.gold import read_gold, read_messages, write_messages
from tests.cases import cases, span


def line(**changes) -> str:
    row = {"text": "Hej Anna Berg!", "spans": [{"start": 4, "end": 13, "label": "PERSON"}]}
    return json.dumps({**row, **changes})


def test_reads_and_writes(tmp_path):
    path = tmp_path / "a.jsonl"
    lines = [line(), line(id="x", turn=2, spans=[]), line(spans=[span(9, 13), span(4, 8)])]
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n\r\n".join(lines).encode("utf8") + b"\r\n")
    rows = read_messages(path)
    assert [row["id"] for row in rows] == ["a-1", "x", "a-5"] and rows[1]["turn"] == 2
    assert [each["start"] for each in rows[2]["spans"]] == [4, 9]
    # Unusual separators of lines, fields of spans.
    rows.append({"id": "a", "text": "a\u2028b\x85c\x0c", "spans": []})
    more = {"entity": "p1", "sure": [0.5]}
    rows.append({"id": "b", "text": "Hej Anna Berg!", "spans": [span(4, 13, **more)]})
    write_messages(tmp_path / "b.jsonl", rows)
    assert read_messages(tmp_path / "b.jsonl") == rows


@cases
def test_malformed_lines_are_named_without_their_text(tmp_path, text, message):
    path = tmp_path / "own.jsonl"
    path.write_text(line() + "\n" + text + "\n", encoding="utf8")
    with pytest.raises(ValueError, match=r"own\.jsonl, line 2: ") as error:
        read_messages(path)
    assert message in str(error.value)
    assert "Anna" not in str(error.value)
    assert error.value.__suppress_context__


def test_numbers_as_names(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(line(id=7, conversation=3) + "\n" + line(id=True), encoding="utf8")
    with pytest.raises(ValueError, match="line 2: 'id' is neither"):
        read_messages(path)
    path.write_text(line(id=7, conversation=3), encoding="utf8")
    (row,) = read_gold(path)
    assert (row["id"], row["conversation"]) == ("7", "3")


@cases
def test_messages_that_would_count_twice(tmp_path, one, two, is_twice):
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join((line(**one), line(id="z"), line(**two))), encoding="utf8")
    if not is_twice:
        assert len(read_gold(path)) == 3
        return
    with pytest.raises(ValueError, match="messages 1 and 3 are one") as error:
        read_gold(path)
    assert "Anna" not in str(error.value)


def test_bytes_that_are_no_utf8(tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_bytes(b'{"text": "\xe5", "spans": []}\n')
    with pytest.raises(ValueError, match="line 1: not UTF-8"):
        read_messages(path)


def test_messages_need_no_spans_where_none_are_asked_for(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "Anna"}\n' + line() + "\n", encoding="utf8")
    raw, annotated = read_messages(path, annotated=False)
    assert raw == {"id": "a-1", "text": "Anna"}
    assert annotated["spans"] == [span(4, 13)]
