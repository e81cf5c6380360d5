"""Workbooks: only the cells of texts are other ones, and no copy of what they held is left."""

import io
import re
import zipfile
from datetime import datetime

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from openpyxl.comments import Comment
from openpyxl.styles import Font

from components.tables.errors import FileError, RowError
from components.tables.source import BESIDE
from tests.cases import cases
from tests.conftest import run_python
from tests.workbooks import Raw, make_book, unzip

from .test_round_trips import make, write

SECRET = "Knurvelstocksfnatt"
BOOK = make_book({"Chatt": [["text", "id"], ["Hej", 1], [SECRET, 2]]})


def read(data, **options):
    source = make(data, "xlsx", **{"texts": ["text"], **options})
    return [record.get_values() for record in source.scan()]


def rewrite(data, change, texts=("text",), left_out=(), **edits):
    """Write a workbook with changes, without the rows of some numbers."""
    source = make(data, "xlsx", texts=texts)
    if not left_out:
        return write(source, "xlsx", change=change, texts=texts, **edits)
    records = [record for record in source.scan() if record.line not in left_out]
    source.scan = lambda: iter(records)
    return write(source, "xlsx", change=change, texts=texts, **edits)


def load(data):
    return [
        [list(row) for row in sheet.iter_rows(values_only=True)]
        for sheet in openpyxl.load_workbook(io.BytesIO(data))
    ]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=9) | st.text(
    st.sampled_from("a_x004dFf&<>\"'\r\n\t\x0b ]å😊\ufffe"), max_size=12
)


@given(old=st.lists(TEXTS, min_size=1, max_size=5), new=TEXTS)
@example(old=["_x0041_", "_x005F_x0041_"], new="_x000D_\r")
def test_texts_there_and_back(old, new):
    """What is written is read, whatever signs it has, and is XML that others read."""
    texts = iter(old)
    book = make_book({"a": [["text"], *(["x"] for _ in old)]})
    first = rewrite(book, lambda _: {"text": next(texts)})
    assert [values["text"] for values in read(first)] == old
    assert rewrite(first, lambda values: {"text": values["text"]}) == rewrite(first, lambda _: {})
    again = rewrite(first, lambda values: {"text": new})
    assert [values["text"] for values in read(again)] == [new] * len(old)
    assert len(load(again)[0]) == len(old) + 1


def make_rich():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Uttag i maj"])
    sheet.append(["id", "text", "sum", "flag", "day"])
    for n in range(3):
        sheet.append([n, f"Hej {n}", f"=A{n + 3}*2", n == 1, datetime(2024, 5, 3 + n)])
    sheet["B3"].font = Font(bold=True, color="FF0000")
    sheet["B4"].comment = Comment("Ring", "Eva")
    sheet.column_dimensions["B"].width = 70
    sheet.freeze_panes = "A3"
    sheet.merge_cells("A1:C1")
    book.create_sheet("Facit").append(["a", None, 1.5, "=A1"])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_all_else_stays():
    data = make_rich()
    out = rewrite(data, lambda values: {"text": "Hå"}, added=["language"])
    before, after = (openpyxl.load_workbook(io.BytesIO(each)) for each in (data, out))
    assert before.sheetnames == after.sheetnames
    for old, new in zip(before, after):
        for row in old.iter_rows():
            for cell in row:
                other = new[cell.coordinate]
                is_text = cell.column == 2 and cell.row > 2 and old.title != "Facit"
                assert other.value == ("Hå" if is_text else cell.value)
                assert other._style == cell._style and other.comment == cell.comment or cell.comment
    sheet = after.worksheets[0]
    assert sheet.column_dimensions["B"].width == 70 and sheet.freeze_panes == "A3"
    assert sheet["B4"].comment.text == "Ring" and sheet["B3"].font.b
    assert sheet.max_column == 6 and [cell.value for cell in sheet["F"]][1] == "language"
    parts = unzip(out)
    for name, part in unzip(data).items():
        if "worksheets/sheet" not in name and name != "xl/workbook.xml":
            assert parts[name] == part
    # Without a change a sheet is the same but for what formulas gave.
    part = "xl/worksheets/sheet1.xml"
    assert unzip(rewrite(data, lambda _: {}))[part] == unzip(data)[part].replace(
        b"<v />", b""
    ).replace(b"<v></v>", b"")


CACHED = Raw('<c r="{r}" s="1" t="str"><f>A2</f><v>' + SECRET + "</v></c>")
SHARED = Raw('<c r="{r}"><f t="shared" ref="C3:C4" si="0">B3&amp;"' + SECRET + '"</f><v>7</v></c>')


def test_no_copy_of_a_text_is_left():
    """Neither among the strings that cells share, nor as what a formula gave, nor of a row that is left out."""
    rows = [["text", "name", "sum", "known"], [SECRET, "Bo", CACHED, SECRET], [f"{SECRET} 2", SECRET, SHARED],
            ["Hej", "Bo", Raw('<c r="{r}"><f t="shared" si="0"/><v>7</v></c>')]]  # fmt: skip
    data = make_book(
        {"a": rows, "b": [[Raw(CACHED.replace("A2", "a!A2"))]]}, more="<calcPr calcId='1'/>"
    )
    out = rewrite(data, lambda values: {"text": "Tack"}, left_out=[3], dropped=["known"])
    assert not [name for name, part in unzip(out).items() if SECRET.encode() in part]
    first, second = load(out)
    assert first[1:] == [
        ["Tack", "Bo", "=A2", None],
        [None, None, '=B3&""', None],
        ["Tack", "Bo", '=B4&""', None],
    ]
    assert first[0] == rows[0] and second == [["=a!A2"]]
    assert b"<calcPr fullCalcOnLoad=\"1\" calcId='1'/>" in unzip(out)["xl/workbook.xml"]
    # What another column says, too, is copied with it.
    out = rewrite(data, lambda values: {"text": "Tack"})
    assert unzip(out)["xl/sharedStrings.xml"].count(SECRET.encode()) == 1


def test_rows_of_several_sheets():
    """A title stands above a header, and rows without cells are none."""
    data = make_book(
        {
            "a": [["text", "id"], ["A", 1], None, [Raw('<c r="{r}" s="1"/>')], ["B", 2]],
            "b": [["Statistik"], ["n"]],
            "c": [["Uttag"], ["who", "text"], ["Eva", "C"], [None, None, 5]],
        }
    )
    source = make(data, "xlsx", texts=["text"])
    records = [*source.scan()]
    assert [source.locate(record) for record in records] == [
        {"sheet": sheet, "row": row} for sheet, row in ((1, 2), (1, 5), (3, 3), (3, 4))
    ]
    assert source.columns == ["text", "id", "who"]
    assert [record.get_values() for record in records][1:3] == [
        {"text": "B", "id": 2}, {"who": "Eva", "text": "C"}
    ]  # fmt: skip
    assert source.beside[f"{BESIDE}cells that are not read"] == ["Statistik", "n", "Uttag"]
    (last,) = source.read([3], ["text"], source.others)
    assert last.get_values()[f"{BESIDE}cells without a header"] == [5]
    out = load(rewrite(data, lambda values: {"text": "X", "n": [1]}, added=["n"]))
    assert out[2][1:3] == [["who", "text", None, "n"], ["Eva", "X", None, "[1]"]]
    assert out[1] == [["Statistik"], ["n"]]


def test_rows_by_position():
    data = make_book({"a": [["text"], *([f"{n}"] for n in range(20))]})
    source = make(data, "xlsx", texts=["text"])
    for wanted in ([0, 3, 4, 19], [2], [18, 19], [0]):
        found = [record.get_values()["text"] for record in source.read(wanted, ["text"])]
        assert found == [f"{n}" for n in wanted]
        source.close()


def test_columns_by_number():
    data = make_book({"a": [["Hej", 1], ["Tack", 2]]})
    assert read(data, texts=["1"], has_header=False) == [
        {"1": "Hej", "2": 1},
        {"1": "Tack", "2": 2},
    ]


@cases
def test_values(cell, value, text):
    """As they are in other columns, and in a column of texts."""
    data = make_book({"a": [["text", "b"], [Raw(cell), Raw(cell)]]})
    assert read(data) == [{"text": text, "b": eval(value)}]
    same = rewrite(data, lambda values: {"text": values["text"]})
    assert unzip(same)["xl/worksheets/sheet1.xml"] == unzip(data)["xl/worksheets/sheet1.xml"]


@pytest.mark.parametrize("late, day", [("", datetime(2024, 5, 3)), ("1", datetime(2028, 5, 4))])
def test_times_keep_their_form(late, day):
    """Days are counted from 1900, or from 1904."""
    book = [
        ["text", "sent"],
        ["Hej", Raw('<c r="{r}" s="1"><v>45415.4251736</v></c>')],
        ["a", 1714731135],
    ]
    data = make_book({"a": book}, more=f'<workbookPr date1904="{late}"/>')
    first, _ = read(data)
    assert first["sent"].date() == day.date() and first["sent"].hour == 10
    moved = iter([first["sent"].replace(day=day.day + 7).isoformat(), 1714731135 + 86_400])
    out = rewrite(data, lambda _: {"sent": next(moved)})
    sheet = unzip(out)["xl/worksheets/sheet1.xml"]
    assert b'<c r="B2" s="1"><v>45422.4251736</v></c>' in sheet and b"<v>1714817535</v>" in sheet


def test_what_stands_beside_rows_is_kept_to_be_compared():
    book = openpyxl.load_workbook(io.BytesIO(make_rich()))
    book.worksheets[0].oddHeader.left.text = "Journal Bo Ek"
    book.worksheets[1].title = "Eva Berg"
    book.properties.creator = "Anna Lind"
    out = io.BytesIO()
    book.save(out)
    beside = make(out.getvalue(), "xlsx", texts=["text"]).beside
    named = {
        "comments": {"Ring", "Eva"},
        "document properties": {"Anna Lind"},
        "names of sheets and ranges": {"Eva Berg"},
        "headers, filters and links": {"Journal Bo Ek"},
        "cells that are not read": {"Uttag i maj", "a", "=A1"},
    }
    for name, strings in named.items():
        assert strings <= {*beside[f"{BESIDE}{name}"]}, name


def damage(data, parts):
    """Put other parts in the place of those of a workbook."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, part in {**unzip(data), **parts}.items():
            archive.writestr(name, part)
    return out.getvalue()


SHEET = "xl/worksheets/sheet1.xml"
MANY = {"a": [["text"], ["Hej"]], "b": [[f"{SECRET} {n}"] for n in range(3000)]}
LINK = '<hyperlinks><hyperlink ref="A3" display="x"/></hyperlinks>'


@cases
def test_workbooks_that_are_refused(data, said):
    """By a sentence without a word of them. What is in them is written as Python, of those above."""
    with pytest.raises(FileError) as error:
        read(eval(data), limit=1 << 20)
    assert said in str(error.value) and SECRET not in str(error.value)


@pytest.mark.parametrize("cell", ["<f>A1</f><v>Hej</v>", '<v t="s">x</v>'])
def test_cells_that_are_refused(cell):
    kind = "str" if "<f>" in cell else "s"
    data = make_book({"a": [["text"], [Raw(f'<c r="{{r}}" t="{kind}">{cell}</c>')], ["Hej"]]})
    first, second = make(data, "xlsx", texts=["text"]).read([0, 1], ["text"])
    with pytest.raises(RowError, match="is a formula|what no cell can"):
        first.get_values()
    assert second.get_values() == {"text": "Hej"}


def test_a_text_that_no_cell_can_hold():
    with pytest.raises(FileError, match="row 2 gets a cell of over 32,767 characters"):
        rewrite(BOOK, lambda _: {"text": "a" * 40_000})


MEMORY = """
import resource, sys
sys.path.insert(0, ".")
from components.tables.formats import Format, Writer, make_source
from components.tables.source import ReadOptions
with open("/proc/self/statm") as file:
    size = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + (16 << 20),) * 2)
source = make_source(lambda: open(sys.argv[1], "rb"), "a", Format("xlsx"), ReadOptions(texts=["text"]))
with open(sys.argv[2], "wb") as file:
    writer = Writer(file, source, Format("xlsx"), texts=["text"])
    for record in source.scan():
        writer.target.write(record, {"text": record.get_values()["text"].upper()})
    writer.close()
print(writer.target.n_rows)
"""


@pytest.mark.slow
def test_many_rows_take_little_memory(tmp_path):
    """50,000 of 600 characters, of which half would fit."""
    texts = (f"hej {n} " + "då " * 200 for n in range(50_000))
    (tmp_path / "in").write_bytes(
        make_book({"a": [["text", "id"], *([text, 1] for text in texts)]})
    )
    done = run_python(MEMORY, tmp_path / "in", tmp_path / "out")
    assert done.stdout == "50000\n", done.stderr
    with zipfile.ZipFile(tmp_path / "out") as archive, archive.open(SHEET) as sheet:
        assert re.search(rb"HEJ 0 D", sheet.read(1000))
