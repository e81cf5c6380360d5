"""Other tools' files: what goes out comes back the same."""

import csv
import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
import srsly
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from components.annotate.app import dump
from components.cli.app import make_app
from components.measures.formats.label_studio import find_offsets, read_label_studio
from components.measures.formats.registry import FORMATS, chat_language, read_layers
from components.measures.gold import LabelMap
from components.measures.spans import to_char_spans
from tests.cases import cases, read_cases

NLP = chat_language()
ROWS = [*srsly.read_jsonl(Path(__file__).with_name("rows.jsonl"))]
ENDINGS = {"jsonl": ".jsonl", "csv": ".csv", "json": ".json", "conll": ".conll", "brat": ""}


@pytest.mark.parametrize("kind", FORMATS)
def test_there_and_back(tmp_path, kind):
    path = tmp_path / f"gold{ENDINGS[kind]}"
    FORMATS[kind].write(path, ROWS, NLP, "ina")
    layers = read_layers(path)
    rows = layers.pop("")
    if kind == "json":
        assert layers == {"ina": ROWS}
        assert [row["text"] for row in rows] == [row["text"] for row in ROWS]
    else:
        assert rows == ROWS and not layers


@pytest.mark.parametrize("kind", FORMATS)
def test_a_download_is_the_same_file(kind):
    suffix, data = dump(ROWS, kind, NLP, "ina")
    assert data
    if kind == "brat":
        assert suffix == "zip"
        assert {"1.txt", "1.ann", "messages.jsonl"} <= {*ZipFile(BytesIO(data)).namelist()}


@pytest.mark.parametrize("kind", FORMATS)
def test_what_was_settled_is_read_as_any_other(tmp_path, kind):
    told = {"annotators": ["bo", "ina"], "decided_by": "eva"}
    rows = [{**row, "spans": [{**span, **told} for span in row["spans"]]} for row in ROWS]
    path = tmp_path / f"gold{ENDINGS[kind]}"
    FORMATS[kind].write(path, rows, NLP, "settled")
    *_, layer = read_layers(path).values()
    for old, new in zip(ROWS, layer, strict=True):
        assert new["text"] == old["text"]
        assert to_char_spans(new["spans"]) == to_char_spans(old["spans"])


def test_csv_without_spans_and_ids_is_read(tmp_path):
    path = tmp_path / "raw.csv"
    path.write_text("text;conversation\nHej Anna;k\n", encoding="utf8")
    assert read_layers(path)[""] == [{"text": "Hej Anna", "conversation": "k", "id": "raw-1"}]


@given(
    st.text(st.sampled_from("ab 😊é\u0301\r\n👩"), min_size=1, max_size=30),
    st.integers(0, 29),
    st.integers(1, 9),
)
def test_offsets_of_label_studio_count_characters_or_utf16(text, start, length):
    end = min(start + length, len(text))
    marked = text[start:end]
    if not marked.strip() or marked != marked.strip():
        return
    assert find_offsets(text, start, end, marked) == (start, end)
    units = [len(text[:place].encode("utf-16-le")) // 2 for place in (start, end)]
    first, last = find_offsets(text, *units, marked)
    assert text[first:last] == marked


@cases
def test_what_label_studio_has_exported_is_read(tmp_path, task, layers):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([task]), encoding="utf8")
    assert read_label_studio(path, LabelMap({"NAMN": "PERSON"})) == layers


def test_a_foreign_label_of_label_studio_needs_a_class(tmp_path):
    path = tmp_path / "a.json"
    task, _ = read_cases(__file__)["test_what_label_studio_has_exported_is_read"][0]
    path.write_text(json.dumps([task]), encoding="utf8")
    with pytest.raises(ValueError, match="none of PERSON"):
        read_label_studio(path)


@pytest.mark.parametrize("content", ["{", "{}", "[1]", '[{"data": {"text": 5}}]', '[{"data": {}}]'])
def test_a_broken_file_is_told_without_its_text(tmp_path, content):
    path = tmp_path / "broken.json"
    path.write_text(content, encoding="utf8")
    with pytest.raises(ValueError, match="broken.json"):
        read_layers(path)


def test_names_of_devices_are_no_names_of_files():
    """On Windows nobody could unpack them."""
    rows = [
        {"id": id, "text": "Hej", "spans": []} for id in ("CON", "con", "lpt1", "Nul", "content")
    ]
    _, data = dump(rows, "brat", NLP, "ina")
    names = ZipFile(BytesIO(data)).namelist()
    assert len(names) == 12 and "content.txt" in names
    assert not {"con", "lpt1", "nul"} & {name.lower().split(".")[0] for name in names}


@cases
def test_no_cell_of_a_csv_file_is_a_formula(tmp_path, text):
    """And what was written comes back, with its spans in place."""
    spans = [{"start": 2, "end": 3, "label": "PERSON"}] if text[1:2].strip() else []
    rows = [{"id": "1", "text": text, "spans": spans if text[2:3].strip() else []}]
    FORMATS["csv"].write(tmp_path / "a.csv", rows, NLP, "")
    with (tmp_path / "a.csv").open(encoding="utf8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["text"][0] not in "=@\t" and row["text"][:2] not in ("-2", "'A")
    assert read_layers(tmp_path / "a.csv")[""] == rows


def test_csv_is_not_written_of_what_it_cannot_hold(tmp_path):
    rows = [{"id": "7", "text": "Hej\0Anna", "spans": []}]
    with pytest.raises(ValueError, match="message 7 holds a NUL") as error:
        FORMATS["csv"].write(tmp_path / "a.csv", rows, NLP, "")
    assert "Anna" not in str(error.value)


@cases
def test_marks_that_are_not_understood_are_refused_by_name(tmp_path, task, said):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"id": 1, "data": {"text": "Hej Anna"}, **task}]), encoding="utf8")
    with pytest.raises(ValueError, match=f"task 1: .*{said}") as error:
        read_label_studio(path)
    assert "Anna" not in str(error.value)


@pytest.mark.parametrize("head", ["id,message", "Anna Lind,900101-2385", "text ,id"])
def test_csv_without_texts_is_refused_unquoted(tmp_path, head):
    path = tmp_path / "x.csv"
    path.write_text(f"{head}\n1,Hej Anna Lind\n", encoding="utf8")
    with pytest.raises(ValueError, match="has no column 'text'") as error:
        read_layers(path)
    assert "Anna" not in str(error.value) and "900101" not in str(error.value)


def test_an_export_of_nothing_is_refused(tmp_path):
    path, out = tmp_path / "x.jsonl", tmp_path / "out.jsonl"
    path.write_text('{"id": "1", "text": "Hej", "spans": []}\n', encoding="utf8")
    command = make_app(lambda: None, "annotate")
    store = ["--to", str(tmp_path / "gold.sqlite")]
    begin = [str(path), *store, "--spans-of", "ina", "--export", str(out)]
    for more in (["--annotator", "bo"], ["--annotator", "ina", "--of", "bo"]):
        done = CliRunner().invoke(command, [*begin, *more])
        assert done.exit_code == 2 and not out.exists()
        assert "Who has finished some: ina" in " ".join(done.output.replace("│", " ").split())
    done = CliRunner().invoke(command, [*store, "--export", str(out), "--of", "ina"])
    assert done.exit_code == 0, done.output
    assert out.read_text(encoding="utf8")
