import json

import pytest

from components.measures.formats.brat import read_brat, read_pair, write_brat
from components.measures.gold import LabelMap
from components.shared.labels import LABELS
from tests.cases import cases, span


def make_folder(path, **files):
    """Make a folder of pairs: name=(text, annotations)."""
    for name, (text, annotations) in files.items():
        file = path / f"{name.replace('__', '/')}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf8"))
        file.with_suffix(".ann").write_bytes(annotations.encode("utf8"))
    return path


def test_looks_like_brat(tmp_path):
    text = "Hej Anna \r\n  Berg,\n070-1740605"
    spans = [span(4, 17, own=1), span(19, 30, "PHONE")]
    write_brat(tmp_path / "out", [{"id": "a/1", "text": text, "spans": spans, "turn": 2}])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "a_1.ann",
        "a_1.txt",
        "annotation.conf",
        "messages.jsonl",
    ]
    assert (tmp_path / "out" / "a_1.txt").read_bytes().decode("utf8") == text
    assert (tmp_path / "out" / "a_1.ann").read_bytes().decode("utf8") == (
        "T1\tPERSON 4 8;13 17\tAnna Berg\nT2\tPHONE 19 30\t070-1740605\n"
    )
    config = (tmp_path / "out" / "annotation.conf").read_text(encoding="utf8").split("\n")
    assert config[1:9] == list(LABELS)
    index = json.loads((tmp_path / "out" / "messages.jsonl").read_text(encoding="utf8"))
    assert index == {"file": "a_1", "message": {"id": "a/1", "turn": 2, "spans": spans[:1]}}


def test_ids_that_make_the_same_file_name(tmp_path):
    ids = ["a/b", "a?b", "A_B", "a_b-2", "å", "", "..", "x" * 300, "x" * 301]
    rows = [{"id": id_, "text": id_, "spans": []} for id_ in ids]
    write_brat(tmp_path / "out", rows)
    assert read_brat(tmp_path / "out") == rows
    names = [path.stem.lower() for path in (tmp_path / "out").glob("*.txt")]
    assert len(set(names)) == len(ids) and max(map(len, names)) < 100


def test_foreign_folder(tmp_path):
    make_folder(
        tmp_path, b=("\ufeffHej Anna\r\nBerg", "T3\tNamn 5 9;11 15\tAnna Berg\r\n\r\n"),
        a__c=("😀 Lund", "T1\tORT 2 6\tLund\n"), z=("", ""),
    )  # fmt: skip
    labels = LabelMap({"Namn": "PERSON", "ORT": "LOCATION"})
    assert read_brat(tmp_path, labels) == [
        {"id": "a/c", "text": "😀 Lund", "spans": [span(2, 6, "LOCATION")]},
        {"id": "b", "text": "\ufeffHej Anna\r\nBerg", "spans": [span(5, 15)]},
        {"id": "z", "text": "", "spans": []},
    ]


def test_new_files_join_the_ones_of_the_index(tmp_path):
    rows = [{"id": id_, "text": "Hej Anna", "spans": [span(4, 8, own=id_)]} for id_ in "zy"]
    write_brat(tmp_path, rows)
    make_folder(tmp_path, a=("Hej Bo", "T1\tPERSON 4 6\tBo\n"))
    (tmp_path / "z.ann").write_text("T2\tLOCATION 4 8\tAnna\n", encoding="utf8")
    assert read_brat(tmp_path) == [
        {"id": "z", "text": "Hej Anna", "spans": [span(4, 8, "LOCATION")]},
        rows[1],
        {"id": "a", "text": "Hej Bo", "spans": [span(4, 6)]},
    ]


def test_a_single_pair(tmp_path):
    make_folder(tmp_path, a=("Hej Anna", "T1\tPERSON 4 8\tAnna\n"), b=("Hej", "broken\n"))
    assert read_pair(tmp_path / "a.ann") == [{"id": "a", "text": "Hej Anna", "spans": [span(4, 8)]}]
    with pytest.raises(ValueError, match="name an empty or a new folder"):
        write_brat(tmp_path, [])


OTHERS = [
    "R1\tKnows Arg1:T7 Arg2:T3", "A1\tSure T7", "#1\tAnnotatorNotes T7\twho is that?",
    "*\tEquiv T7 T3",
]  # fmt: skip


def test_other_lines_stay(tmp_path):
    lines = ["T7\tPERSON 4 8\tAnna", OTHERS[0], "T3\tPERSON 10 12\tBo", *OTHERS[1:]]
    make_folder(tmp_path / "in", a=("Hej Anna, Bo", "\n".join(lines)))
    rows = read_brat(tmp_path / "in")
    assert rows[0]["spans"] == [span(4, 8, id="T7"), span(10, 12, id="T3")]
    assert rows[0]["standoff"] == OTHERS
    rows[0]["spans"][0]["own"] = 1
    write_brat(tmp_path / "out", rows)
    written = (tmp_path / "out" / "a.ann").read_text(encoding="utf8").splitlines()
    assert sorted(written) == sorted(lines)
    assert "standoff" not in (tmp_path / "out" / "messages.jsonl").read_text(encoding="utf8")
    assert read_brat(tmp_path / "out") == rows


ROW = {"id": "m7", "text": "Hej Anna, Bo", "spans": []}
ID = "needs its id of brat"


def fails(path, call, message):
    """What is raised names the message, and nothing of its text."""
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "Anna" not in str(error.value).replace(str(path), "")


@pytest.mark.parametrize(
    "fields, message",
    [
        ({"standoff": "Anna"}, "no list of lines of brat"),
        ({"standoff": ["T1\tPERSON 0 4\tAnna"]}, "no list of lines of brat"),
        ({"standoff": OTHERS, "spans": [span(4, 8)]}, ID),
        ({"standoff": OTHERS, "spans": [span(4, 8, id=[1])]}, ID),
        ({"standoff": OTHERS, "spans": [span(4, 8, id="T1"), span(10, 12, id="T1")]}, ID),
    ],
)
def test_fields_that_brat_cannot_hold(tmp_path, fields, message):
    row = {**ROW, **fields}
    fails(tmp_path, lambda: write_brat(tmp_path, [row]), f"message m7: .*{message}")


@cases
def test_malformed_lines(tmp_path, text, line, message):
    make_folder(tmp_path, m7=(text, f"#1\tAnnotatorNotes T1\tAnna\n{line}\n"))
    place = rf"^{tmp_path}/m7\.ann \(message m7\), line 2: "
    fails(tmp_path, lambda: read_brat(tmp_path), f"{place}.*{message}")


@cases
def test_malformed_messages(tmp_path, lines, message):
    make_folder(tmp_path, m7=("Hej Anna", lines))
    fails(tmp_path, lambda: read_brat(tmp_path), rf"m7\.ann \(message m7\): .*{message}")


@pytest.mark.parametrize(
    "gone, message", [("a.ann", "make an empty one"), ("a.txt", "without a.txt"), ("", "not UTF-8")]
)
def test_half_a_pair(tmp_path, gone, message):
    make_folder(tmp_path, a=("Hej", ""))
    (tmp_path / "a.txt").write_bytes(b"\xe5")
    if gone:
        (tmp_path / gone).unlink()
    with pytest.raises(ValueError, match=message):
        read_brat(tmp_path)


def test_files_of_the_index_that_are_gone(tmp_path):
    with pytest.raises(ValueError, match="holds no .txt files"):
        read_brat(tmp_path)
    write_brat(tmp_path, [{**ROW, "id": "a"}, {**ROW, "id": "b"}])
    (tmp_path / "a.txt").unlink()
    (tmp_path / "a.ann").unlink()
    with pytest.raises(ValueError, match=r"messages\.jsonl names a, but there is no a\.txt"):
        read_brat(tmp_path)


@pytest.mark.parametrize("line", ["Anna", "{}", '{"file": "a", "message": {}}\n' * 2])
def test_malformed_index(tmp_path, line):
    make_folder(tmp_path, a=("Hej", ""))
    (tmp_path / "messages.jsonl").write_text(line, encoding="utf8")
    fails(tmp_path, lambda: read_brat(tmp_path), r"messages\.jsonl, line [12]: not")
