"""Workbooks: only the cells of texts are other ones, and no copy of what they held is left."""

import io
import zipfile
from datetime import datetime

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.worksheet.datavalidation import DataValidation

from components.tables.errors import FileError, RowError
from components.tables.source import BESIDE
from tests.workbooks import make_book, save

from .test_round_trips import make, write

SECRET = "Knurvelstocksfnatt"
SENT = datetime(2024, 5, 3, 10, 12)


def unzip(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zip_up(parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return out.getvalue()


def read(data, texts=("text",), **options):
    return make(data, "xlsx", texts=texts, **options)


def rewrite(data, change, left_out=(), **edits):
    """Write a workbook with changes, without the rows of some numbers."""
    source = read(data)
    records = [record for record in source.scan() if record.line not in left_out]
    source.scan = lambda: iter(records)
    out = write(source, "xlsx", change=change, texts=["text"], **edits)
    return out, [
        [list(row) for row in sheet.iter_rows(values_only=True)]
        for sheet in openpyxl.load_workbook(io.BytesIO(out))
    ]


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1) | st.sampled_from(
    ["=1+1", "_x0041_", "+46", "<a>&amp;", "-", " å ", "#N/A", "rad\nrad"]
)


@given(old=st.lists(TEXTS, min_size=1, max_size=4), new=TEXTS)
def test_texts_there_and_back(old, new):
    """What is written is read again, and is no formula."""
    texts = iter(old)
    data, _ = rewrite(
        save(make_book([["text"], *(["a"] for _ in old)])), lambda _: {"text": next(texts)}
    )
    assert [record.get_values() for record in read(data).scan()] == [{"text": text} for text in old]
    again, (rows,) = rewrite(data, lambda _: {"text": new})
    assert rows[1:] == [[new]] * len(old)
    assert again == rewrite(data, lambda _: {"text": new})[0]


def make_rich():
    book = make_book(
        [
            ["Uttag"],
            ["id", "text", "sum", "sent"],
            *([n, f"{SECRET} {n}", f"=A{n + 3}*2", SENT] for n in range(3)),
        ],
        [["Lista", None, "=A1"]],
    )
    first, second = book
    first["B3"].font, first["B3"].hyperlink = Font(bold=True), f"mailto:{SECRET}@example.com"
    first["A4"].comment = Comment("Ring", "Eva")
    first.column_dimensions["B"].width, first.freeze_panes = 70, "A3"
    first.merge_cells("A1:C1")
    first.oddHeader.left.text, second.title = "Journal", "Berg"
    first.auto_filter.ref = "A2:D5"
    first.auto_filter.add_filter_column(0, ["Ek"])
    second.add_data_validation(DataValidation("list", formula1='"Anna,Bo"', sqref="A5"))
    book.properties.creator = "Lind"
    return save(book)


def test_all_else_stays():
    """And of the texts nothing: no string, no link."""
    data = make_rich()
    out, _ = rewrite(data, lambda _: {"text": "Hå", "n": [1]}, added=["n"])
    assert not [name for name, part in unzip(out).items() if SECRET.encode() in part]
    before, after = (openpyxl.load_workbook(io.BytesIO(each)) for each in (data, out))
    assert before.sheetnames == after.sheetnames
    for old in before:
        for row in old.iter_rows():
            for cell in row:
                new = after[old.title][cell.coordinate]
                is_text = cell.column == 2 and cell.row > 2 and old.title != "Berg"
                assert new.value == ("Hå" if is_text else cell.value) and new._style == cell._style
    first = after.worksheets[0]
    assert [cell.value for cell in first["E"]] == [None, "n", "[1]", "[1]", "[1]"]
    assert first.column_dimensions["B"].width == 70 and first.freeze_panes == "A3"
    assert first["A4"].comment.text == "Ring" and "A1:C1" in first.merged_cells


def test_what_stands_beside_rows_is_kept_to_be_compared():
    beside = read(make_rich()).beside
    for what, string in {
        "comments": "Ring Eva",
        "document properties": "Lind",
        "names of sheets and ranges": "Berg",
        "headers and footers": "Journal",
        "filters": "Ek",
        "rules": '"Anna,Bo"',
        "cells that are not read": "Uttag",
    }.items():
        assert any(string in each for each in beside[f"{BESIDE}{what}"]), what
    assert not any(SECRET in each for strings in beside.values() for each in strings)


def test_rows_of_several_sheets():
    """By their places, with columns that are left out. A row that is rejected is empty."""
    sheets = [["text", "id"], ["A", 1], [], ["B", "=B2"]], [["n"]], [["who", "text"], ["Eva", "C"]]
    data = save(make_book(*sheets))
    source = read(data)
    places = [{"sheet": sheet, "row": row} for sheet, row in ((1, 2), (1, 4), (3, 2))]
    assert [source.locate(record) for record in source.scan()] == places
    assert source.columns == ["text", "id", "who"] and source.n_rows == 3
    (last,) = source.read([2], ["text"])
    assert last.get_values() == {"text": "C"}
    _, out = rewrite(data, lambda values: {"text": values["text"].lower()}, [4], dropped=["who"])
    assert out == [
        [["text", "id"], ["a", 1]],
        [["n"]],
        [[None, "text"], [None, "c"]],
    ]


@pytest.mark.parametrize(
    "value, text",
    [(701740605, "701740605"), (1.5, "1.5"), (True, "True"), (SENT, str(SENT)), (None, None)],
)
def test_values(value, text):
    """Of a column of texts they are strings, and stay as they were if these do."""
    data = save(make_book([["text", "b", "c"], [value, value, 1]]))
    (record,) = read(data).scan()
    assert record.get_values() == {"text": text, "b": value, "c": 1}
    _, (rows,) = rewrite(data, lambda values: {"text": values["text"]})
    assert rows[1] == [value, value, 1]


def test_formula_in_a_column_of_texts():
    record, _ = read(save(make_book([["text"], ["=A3"], ["Hej"]]))).scan()
    with pytest.raises(RowError, match="'text' is a formula"):
        record.get_values()


def test_times_keep_their_kind():
    data = save(make_book([["text", "sent"], ["Hej", SENT]]))
    _, (rows,) = rewrite(data, lambda _: {"sent": "2024-05-10T10:12:00"})
    assert rows[1] == ["Hej", datetime(2024, 5, 10, 10, 12)]


def test_columns_by_number():
    (record,) = read(save(make_book([["Hej", 1]])), ["1"], has_header=False).scan()
    assert record.get_values() == {"1": "Hej", "2": 1}


BOOK = save(make_book([["text"], [SECRET]]))
PARTS = unzip(BOOK)


@pytest.mark.parametrize(
    "data, said",
    [
        (b"", "is no whole workbook"),
        (BOOK[:-30], "is no whole workbook"),
        (zip_up({**PARTS, "xl/workbook.xml": "<workbook/"}), "is no whole workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an old workbook (.xls), or has a password"),
        *(
            (zip_up({**PARTS, f"{folder}/a{end}": "x"}), f"what lies in {folder} would be lost")
            for folder, end in {
                "xl": ".bin",
                "xl/externalLinks": ".xml",
                "xl/pivotCache": ".xml",
                "xl/media": ".png",
                "xl/charts": ".xml",
                "xl/threadedComments": ".xml",
            }.items()
        ),
        (zip_up({**PARTS, "docProps/core.xml": " " * (1 << 20)}), "unpacks to over 1 MiB"),
        (save(make_book([["text", "x", "text"], ["Hej"]])), "the columns 1 and 3"),
        (save(make_book([["text"]], [[f"{SECRET} {n}"] for n in range(6000)])), "more cells that are not read"),
    ],
)  # fmt: skip
def test_workbooks_that_are_refused(data, said):
    with pytest.raises(FileError) as error:
        read(data, limit=1 << 20)
    assert said in str(error.value) and SECRET not in str(error.value)


def test_a_text_that_no_cell_can_hold():
    with pytest.raises(FileError, match="row 2: the new text is longer than a cell can hold"):
        rewrite(BOOK, lambda _: {"text": "a" * 40_000})
