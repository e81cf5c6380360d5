import pytest

from components.measures.formats.conll import read_conll, write_conll
from components.measures.formats.registry import read_layers
from components.measures.gold import LabelMap
from tests.cases import cases, span
from training_tools.formats.docs import chat_language

NLP = chat_language()


def read(tmp_path, content, labels=None, reader=read_conll):
    path = tmp_path / "own.iob"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf8"))
    return reader(path, labels)


def test_looks_like_iob2(tmp_path):
    row = {
        "id": "a", "text": "Hej  Anna Berg,\nhälsar Bo", "spans": [span(5, 14), span(23, 25)],
        "turn": 2,
    }  # fmt: skip
    write_conll(tmp_path / "a.conll", [row, {"id": "b", "text": "", "spans": []}], NLP)
    assert (tmp_path / "a.conll").read_text(encoding="utf8") == (
        '# message = {"text": "Hej  Anna Berg,\\nhälsar Bo", "id": "a", "turn": 2}\n'
        "Hej\tO\nAnna\tB-PERSON\nBerg\tI-PERSON\n,\tO\nhälsar\tO\nBo\tB-PERSON\n\n"
        '# message = {"text": "", "id": "b"}\n\n'
    )


def test_a_span_within_a_token_splits_it(tmp_path):
    row = {"id": "a", "text": "xannaboy", "spans": [span(1, 5), span(5, 7)]}
    assert len(NLP(row["text"])) == 1
    write_conll(tmp_path / "a.conll", [row], NLP)
    lines = (tmp_path / "a.conll").read_text(encoding="utf8").splitlines()[1:-1]
    assert lines == ["x\tO", "anna\tB-PERSON", "bo\tB-PERSON", "y\tO"]
    assert read_conll(tmp_path / "a.conll") == [row]


def test_changed_tags_count(tmp_path):
    rows = [{"id": "a", "text": "Hej Anna Berg", "spans": [span(4, 8) | {"own": 1}, span(9, 13)]}]
    write_conll(tmp_path / "a.conll", rows, NLP)
    content = (tmp_path / "a.conll").read_text(encoding="utf8")
    content = content.replace("Berg\tB-PERSON", "Berg\tI-PERSON")
    assert read(tmp_path, content)[0]["spans"] == [span(4, 13)]


@cases
def test_schemes_of_tags(tmp_path, tags, spans):
    content = "\n".join(f"{token} {tag}" for token, tag in zip("abcd", tags.split()))
    row = read(tmp_path, content)[0]
    assert row["text"] == "a b c d"
    assert [(span["start"], span["end"]) for span in row["spans"]] == spans


def test_foreign_files(tmp_path):
    comments = ["# sent_id = 1", "# text = Vitamin O"]
    content = (
        "\ufeff-DOCSTART- -X- O O\r\n\r\n"
        "# sent_id = 1\r\n# text = Vitamin O\r\nHej NN O O\r\nAnna PM O B-PER\r\n# NN O O\r\n\r\n\r\n"
        "#\tO\n1 000\tO\nLund\tB-LOC"
    )
    labels = LabelMap({"PER": "PERSON", "LOC": "LOCATION"})
    one, two = read(tmp_path, content, labels)
    assert one == {"id": "own-5", "text": "Hej Anna #", "spans": [span(4, 8)], "comments": comments}
    assert two == {"id": "own-10", "text": "# 1 000 Lund", "spans": [span(8, 12, "LOCATION")]}


def test_heads_and_comments(tmp_path):
    # A token looks like the head of a document.
    head = '# message = {"id": "a", "text": "-DOCSTART- #"}\n'
    rows = read(tmp_path, head + "-DOCSTART-\tB-PERSON\n#\tO\n")
    assert rows == [{"id": "a", "text": "-DOCSTART- #", "spans": [span(0, 10)]}]
    # Comments stay.
    rows = read(tmp_path, "# by us\n\n# one\nHej O\n")
    assert rows[0]["comments"] == ["# by us", "# one"]
    write_conll(tmp_path / "b.conll", rows, NLP)
    assert read_conll(tmp_path / "b.conll") == rows


@cases
def test_malformed_files(tmp_path, content, message):
    with pytest.raises(ValueError) as error:
        read(tmp_path, content)
    assert message in str(error.value)
    # The id may be shown.
    told = str(error.value).replace(str(tmp_path), "").replace("message Anna", "")
    assert "Anna" not in told


def test_unknown_labels_are_named_at_once(tmp_path):
    with pytest.raises(ValueError, match=r"own\.iob: labels .* LOC, PER\. Say"):
        read(tmp_path, "Hej B-PER\n\nAnna B-LOC\n", LabelMap(), read_layers)
