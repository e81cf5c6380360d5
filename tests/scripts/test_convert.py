import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import spacy
import typer
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin

from components.measures.formats.brat import read_brat, write_brat
from components.measures.formats.conll import read_conll, write_conll
from components.measures.gold import LabelMap, read_messages, write_messages
from components.shared.labels import LABELS
from scripts.convert import NAMED, convert
from tests.cases import cases, span
from tests.strategies import json_values
from training_tools.formats.docs import ROW, chat_language, read_docs, to_doc, write_docs

NLP = chat_language()
FORMATS = ["x.jsonl", "x.spacy", "x.conll", "x.iob", "x.iob2", "x"]
READERS = {
    "x.jsonl": read_messages, "x.spacy": lambda path: read_docs(path, NLP), "x.conll": read_conll,
    "x": read_brat,
}  # fmt: skip


def fails(capsys, args, *said):
    """The command stops with an error that says this, and nothing of a message."""
    with pytest.raises(typer.Exit):
        convert(*args)
    error = capsys.readouterr().err
    assert all(words in error for words in said) and "Anna" not in error


ROWS = [
    {
        "id": "a", "text": "Hej Anna,\nring 070-123 45 67\n", "spans": [span(4, 8), span(15, 28, "PHONE")],
        "conversation": "c1", "turn": 2, "author": "patient", "own": {"x": [1, None]},
    },
    {"id": "b", "text": "", "spans": []},
    {"id": "c", "text": "Anna", "spans": [span(1, 3)]},
    {"id": "d", "text": " \u200b😀 ok \r\n", "spans": []},
]  # fmt: skip


def test_round_trip_loses_nothing(tmp_path):
    """From each format to the next, and back."""
    before = tmp_path / "a.jsonl"
    write_messages(before, ROWS)
    for number, name in enumerate([*FORMATS, "x.spacy", "x", "x.conll", "b.jsonl"]):
        after = tmp_path / str(number) / name
        convert(before, after)
        before = after
    assert before.read_bytes() == (tmp_path / "a.jsonl").read_bytes()


@cases
def test_spans_off_token_boundaries_are_reported(tmp_path, capsys, target, report):
    write_messages(tmp_path / "a.jsonl", ROWS)
    convert(tmp_path / "a.jsonl", tmp_path / target)
    assert capsys.readouterr().out == f"4 messages; {report}"


def test_the_report_does_not_flood(tmp_path, capsys):
    write_messages(tmp_path / "a.jsonl", [{**ROWS[2], "id": f"c{i}"} for i in range(NAMED + 5)])
    convert(tmp_path / "a.jsonl", tmp_path / "a.spacy")
    lines = capsys.readouterr().out.splitlines()
    assert f"; {NAMED + 5} spans" in lines[0]
    assert len(lines) == NAMED + 2 and lines[-1] == "  …"


def test_tokens_of_a_misaligned_span_are_missing():
    doc = to_doc(NLP, ROWS[2])
    assert [token.ent_iob_ for token in doc] == [""] and not doc.ents
    assert json.loads(doc.user_data[ROW])["spans"] == ROWS[2]["spans"]
    assert [token.ent_iob_ for token in to_doc(NLP, ROWS[0])][:2] == ["O", "B"]


@cases
def test_files_that_cannot_be(tmp_path, source, target, said):
    write_messages(tmp_path / source, ROWS)
    with pytest.raises(typer.BadParameter, match=said):
        convert(tmp_path / source, tmp_path / target)


@cases
def test_malformed_files_stop_the_conversion(tmp_path, capsys, name, content, said):
    (tmp_path / name).write_bytes(content)
    fails(capsys, (tmp_path / name, tmp_path / "b.conll"), said)


def foreign(label="Namn", more="ORT"):
    spans = [span(4, 8, label), span(14, 18, more)]
    return {"id": "a", "text": "Hej Anna från Lund", "spans": spans}


@pytest.mark.parametrize(
    ("source", "as_file"), [*((name, False) for name in READERS), ("x.jsonl", True)]
)
def test_foreign_labels(tmp_path, capsys, source, as_file):
    labels, target = "Namn=PERSON,ORT=LOCATION", tmp_path / "b.jsonl"
    if as_file:
        (tmp_path / "labels").write_text("Namn = PERSON\r\n\nORT=LOCATION\n", encoding="utf8")
        labels = str(tmp_path / "labels")
    own = tmp_path / "own" / source
    write_any(own, [foreign()])
    fails(capsys, (own, target), "Namn, ORT", "--labels NAME=PERSON", source)
    assert not target.exists()
    convert(own, target, labels)
    assert read_messages(target) == [foreign("PERSON", "LOCATION")]


def test_labels_left_out_are_counted(tmp_path, capsys):
    source, target = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    write_messages(source, [foreign(), foreign()])
    convert(source, target, "Namn=PERSON,ORT=")
    assert "2 spans ORT left out" in capsys.readouterr().out
    spans = [row["spans"] for row in read_messages(target)]
    assert spans == [foreign("PERSON")["spans"][:1]] * 2
    # What does not look like a label is not shown.
    write_messages(source, [foreign("Anna Lind")])
    fails(capsys, (source, tmp_path / "c.jsonl", "ORT=LOCATION"), "1 not shown")


@cases
def test_wrong_maps(labels, message):
    with pytest.raises(ValueError, match=message):
        LabelMap.parse(labels)


def test_foreign_docs(tmp_path):
    doc = Doc(spacy.blank("sv").vocab, words=["Hej", "Anna"], ents=["O", "B-PERSON"])
    doc.user_data["own"] = 1
    DocBin(docs=[doc], store_user_data=True).to_disk(tmp_path / "a.spacy")
    convert(tmp_path / "a.spacy", tmp_path / "b.jsonl")
    row = {"id": "a-1", "text": "Hej Anna ", "spans": [span(4, 8)]}
    assert read_messages(tmp_path / "b.jsonl") == [row]


@pytest.mark.parametrize("user_data", [{}, {ROW: {"id": "a"}}, {ROW: "Anna"}])
def test_docs_that_are_no_messages(tmp_path, capsys, user_data):
    doc = spacy.blank("sv")("Hej Anna")
    doc.user_data.update(user_data)
    DocBin(docs=[Doc(doc.vocab), doc], store_user_data=True).to_disk(tmp_path / "a.spacy")
    fails(capsys, (tmp_path / "a.spacy", tmp_path / "b.jsonl"), "a.spacy, document 2: ")


# White space, line breaks of all kinds, what IOB and JSON give a meaning, and what is wide.
PIECES = [
    "\n", "\r\n", "\t", "  ", "\x85", "\u2028", "\xa0", "\u200b", "\ufeff", "#", "# ", "\n\n", '"', "\\",
    "O", "B-PERSON", "-DOCSTART-", "# message = {}", "😀", "👩🏽‍⚕️", "Anna", "/LN", "//",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=40),
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
)
VALUES = json_values(TEXTS, st.floats(allow_nan=False))
ANY = dict.fromkeys(("misaligned", "comments", "own"), VALUES)
AUTHORS = st.sampled_from(["patient", "caregiver"])
FIELDS = st.fixed_dictionaries(
    {}, optional={"conversation": TEXTS, "turn": st.integers(), "author": AUTHORS, **ANY}
)


@st.composite
def rows(draw):
    text = draw(TEXTS)
    cuts = draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True).map(sorted))
    more = st.fixed_dictionaries({}, optional={"id": TEXTS, "own": VALUES})
    spans = [
        {**span(start, end, draw(st.sampled_from(LABELS))), **draw(more)}
        for start, end in zip(cuts[::2], cuts[1::2])
        if not (text[start].isspace() or text[end - 1].isspace())
    ]
    return {"id": draw(TEXTS), "text": text, "spans": spans, **draw(FIELDS)}


def write_any(path, rows):
    path.parent.mkdir(exist_ok=True)
    write = {".jsonl": write_messages, "": write_brat}.get(path.suffix)
    if write:
        write(path, rows)
    else:
        (write_docs if path.suffix == ".spacy" else write_conll)(path, rows, NLP)


@pytest.mark.parametrize("name", READERS)
@given(rows=st.lists(rows(), min_size=1, max_size=3))
def test_any_messages_come_back(name, rows):
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        write_any(path, rows)
        assert READERS[name](path) == rows


def test_label_studio_and_csv(tmp_path, capsys):
    """They hold texts, spans and ids; the work of several annotators has to be chosen from."""
    rows = [{key: row[key] for key in ("id", "text", "spans")} for row in ROWS]
    write_messages(tmp_path / "a.jsonl", rows)
    convert(tmp_path / "a.jsonl", tmp_path / "a.json")
    convert(tmp_path / "a.json", tmp_path / "a.csv")
    convert(tmp_path / "a.csv", tmp_path / "b.jsonl")
    assert read_messages(tmp_path / "b.jsonl") == rows
    tasks = json.loads((tmp_path / "a.json").read_text("utf8"))
    tasks[0]["annotations"].append({"result": [], "completed_by": 4})
    (tmp_path / "a.json").write_text(json.dumps(tasks), "utf8")
    fails(capsys, (tmp_path / "a.json", tmp_path / "c.jsonl"), "the work of 2 annotators")
    (tmp_path / "raw.csv").write_text("text\nHej Anna\n", "utf8")
    fails(capsys, (tmp_path / "raw.csv", tmp_path / "c.jsonl"), "1 messages have no spans")


def test_annotations_are_not_replaced(tmp_path, capsys):
    source, target = tmp_path / "a.jsonl", tmp_path / "two" / "x.conll"
    write_messages(source, ROWS)
    convert(source, target)
    before = target.read_bytes()
    fails(capsys, (source, target), "is there: name another")
    assert target.read_bytes() == before
    convert(source, target, overwrite=True)
