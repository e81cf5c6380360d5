"""Workbooks of Excel (.xlsx), by openpyxl. The cells of texts and times change, and all others stay. A
workbook with something that openpyxl would lose is refused.
"""

import json
import re
import tempfile
import warnings
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from ..shared.extras import load_extra
from .errors import FileError, RowError
from .lines import OLD_WORKBOOK, tell_kind
from .source import (
    BESIDE,
    Edits,
    Opener,
    ReadOptions,
    Record,
    Source,
    Target,
    demand_single,
    demand_small,
)

EXTRA = "excel"
# A workbook is held in memory, where it takes some ten times what it unpacks to.
MOST_BYTES = 1 << 28
# The parts that openpyxl keeps.
KEPT = re.compile(
    r"\[Content_Types\]\.xml|(?:.+/)?_rels/[^/]*\.rels|docProps/(?:app|core|custom)\.xml"
    r"|xl/(?:workbook|sharedStrings|styles|calcChain)\.xml|xl/(?:theme|worksheets|tables)/[^/]+\.xml"
    r"|xl/(?:comments/)?comments?[^/]*\.xml|xl/drawings/[^/]+\.vml|xl/printerSettings/.*|.*/"
)
COMMENTS, DRAWING = "/comment", ".vml"
# A warning of openpyxl that tells of no loss.
HARMLESS = "no default style"
# When it was saved: the same rows give the same bytes.
SAVED = re.compile(rb"<dcterms:modified.*?</dcterms:modified>", re.DOTALL)
# What a cell can hold.
LONGEST = 32_767
# Rows in which the header may stand, below a title.
HEADER_ROWS = 20
# What openpyxl raises for what is no workbook.
BROKEN = (
    ArithmeticError, AttributeError, BadZipFile, EOFError, LookupError, OSError, RuntimeError, SyntaxError, TypeError,
    ValueError, zlib.error,
)  # fmt: skip
NAMES = "names of sheets and ranges"
LINK = ("target", "location", "display", "tooltip")
UNREAD = "cells that are not read"
# More strings than these are not compared with what is found in each conversation.
MOST_BESIDE = 5000


class Sheet(NamedTuple):
    """A sheet that is read.

    number (int): Its place among the sheets, from 1.
    header (int): The row with the names of the columns; 0 if there is none.
    columns (dict[str, int]): The columns by name, from 1.
    width (int): The last column that holds anything.
    """

    number: int
    header: int
    columns: dict[str, int]
    width: int


class ExcelRecord(Record):
    """A row of a sheet.

    row (Sequence[Any]): Its cells.
    """

    __slots__ = ("row", "sheet", "source", "wanted")

    has_cells = True

    def __init__(
        self,
        position: int,
        source: "ExcelSource",
        sheet: Sheet,
        row: Sequence[Any],
        wanted: set[str] | None,
    ) -> None:
        super().__init__(position, row[0].row, sum(len(str(cell.value)) for cell in row))
        self.source = source
        self.sheet = sheet
        self.row = row
        self.wanted = wanted

    @property
    def beside(self) -> Mapping[str, Sequence[str]]:  # type: ignore[override]
        return self.source.beside

    def get_values(self) -> dict[str, Any]:
        values = {}
        for name, column in self.sheet.columns.items():
            if self.wanted is None or name in self.wanted:
                cell = self.row[column - 1]
                is_text = name in self.source.texts
                if is_text and cell.data_type == "f":
                    raise RowError(f"field {name!r} is a formula: put its value in its place")
                values[name] = read_cell(cell, is_text)
        return values


def read_cell(cell: Any, as_text: bool = False) -> Any:
    """RETURNS (Any): What a cell holds: a formula as its text, and a number in a column of texts as one."""
    value = cell.value
    if cell.data_type == "f":
        return str(getattr(value, "text", value))
    if isinstance(value, str) or (as_text and value is not None):
        return str(value)
    return value


class ExcelSource(Source):
    """A workbook. Its sheets that have a column of those with texts are read, as one table.

    options (ReadOptions): The columns with texts; none: all sheets are read. The most bytes that it may
        unpack to.
    """

    counts = "row"

    def __init__(self, open_file: Opener, name: str, options: ReadOptions) -> None:
        self._open_file = open_file
        self.name = name
        self.texts = options.texts
        self.has_header = options.has_header
        self._limit = min(options.limit or MOST_BYTES, MOST_BYTES)
        self._book: Any = None
        self.sheets: list[Sheet] = []
        # The sheet and the row of each row of the table.
        self._sheet_of, self._row_of = array("l"), array("l")
        first: list[str] = []
        beside: dict[str, dict[str, None]] = {}
        for what, string in self._gather_beside(first):
            if string is not None and (string := str(string).strip()):
                beside.setdefault(f"{BESIDE}{what}", {})[string] = None
        for what, strings in beside.items():
            if len(strings) > MOST_BESIDE:
                raise FileError(
                    f"{name} has more {what.removeprefix(BESIDE)} than can be compared with its texts: save a "
                    "copy without, or with a header over each column."
                )
        self.beside = {what: [*strings] for what, strings in beside.items()}
        self.n_rows = len(self._row_of)
        # Without a sheet that is read, those that there are are told.
        names = [column for sheet in self.sheets for column in sheet.columns] or first
        self.others = self.columns = [*dict.fromkeys(names)]

    def _gather_beside(self, first: list[str]) -> Iterator[tuple[str, Any]]:
        book = self.open()
        for number, sheet in enumerate(book.worksheets, 1):
            yield from self._find_sheet(number, sheet, first)
            yield from list_beside(sheet)
        yield from list_properties(book)

    def _find_sheet(self, number: int, sheet: Any, first: list[str]) -> Iterator[tuple[str, Any]]:
        """Find the columns and the rows of a sheet.

        first (list[str]): What a first row calls its columns, if no sheet is read.
        YIELDS (tuple[str, Any]): What it holds that is not read.
        """
        found: Sheet | None = None
        n_looked = 0
        for row in sheet.iter_rows():
            cells = {cell.column: cell for cell in row if cell.value is not None}
            if cells and found is None and n_looked < HEADER_ROWS:
                n_looked += 1
                found = self._make_sheet(number, sheet, cells)
                first.extend(self._name_columns(sheet, cells) if n_looked == 1 else ())
                if found is not None and self.has_header:
                    continue
            if found is not None and cells:
                self._sheet_of.append(len(self.sheets) - 1)
                self._row_of.append(row[0].row)
            columns = found.columns if found is not None else {}
            unread = cells.keys() - columns.values()
            texts = {columns.get(name) for name in self.texts}
            for cell in row:
                if cell.comment is not None:
                    yield "comments", f"{cell.comment.text} {cell.comment.author or ''}"
                if cell.column in unread:
                    yield UNREAD, read_cell(cell)
                if cell.column not in texts and getattr(cell, "hyperlink", None) is not None:
                    yield from (("links", getattr(cell.hyperlink, name)) for name in LINK)

    def _name_columns(self, sheet: Any, cells: Mapping[int, Any]) -> dict[str, int]:
        if not self.has_header:
            return {str(column): column for column in range(1, sheet.max_column + 1)}
        return {str(cell.value): column for column, cell in cells.items()}

    def _make_sheet(self, number: int, sheet: Any, cells: Mapping[int, Any]) -> Sheet | None:
        """Make a sheet, if this is its header, or a row of one that has none."""
        columns = self._name_columns(sheet, cells)
        if self.texts and columns.keys().isdisjoint(self.texts):
            return None
        if self.has_header:
            demand_single(
                [str(cell.value) for cell in cells.values()], f"{self.name}, sheet {number},"
            )
        header = next(iter(cells.values())).row if self.has_header else 0
        self.sheets.append(Sheet(number, header, columns, sheet.max_column))
        return self.sheets[-1]

    def open(self) -> Any:
        """RETURNS (Any): The workbook, as openpyxl has it."""
        if self._book is None:
            openpyxl = load_extra("openpyxl", EXTRA)
            with self._open_file() as file:
                if tell_kind(file.read(8)) == OLD_WORKBOOK:
                    raise FileError(
                        f"{self.name} is an old workbook (.xls), or has a password: save it as .xlsx without one."
                    )
                file.seek(0)
                try:
                    with ZipFile(file) as archive:
                        self._demand_plain(archive)
                    with warnings.catch_warnings(record=True) as said:
                        warnings.simplefilter("always")
                        self._book = openpyxl.load_workbook(file, rich_text=True)
                except FileError:
                    raise
                except BROKEN:
                    raise FileError(
                        f"{self.name} is no whole workbook (.xlsx): name it by what it is, or fetch it again."
                    ) from None
            if any(HARMLESS not in str(warning.message) for warning in said):
                raise self._refuse("a newer kind of rule or filter")
        return self._book

    def _demand_plain(self, archive: ZipFile) -> None:
        """Refuse what would be lost."""
        names = archive.namelist()
        demand_small(sum(info.file_size for info in archive.infolist()), self._limit, self.name)
        if len({*names}) < len(names):
            raise BadZipFile
        for name in names:
            if not KEPT.fullmatch(name):
                raise self._refuse(f"what lies in {name.rpartition('/')[0]}")
        comments, drawings = (sum(kind in name for name in names) for kind in (COMMENTS, DRAWING))
        if drawings > comments:
            raise self._refuse("controls or pictures")

    def _refuse(self, what: str) -> FileError:
        return FileError(
            f"{self.name} has more than cells, and {what} would be lost (macros, pictures, charts, pivot tables, "
            "links to other files): save a copy without, as .xlsx, or the sheet as CSV in UTF-8."
        )

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[Record]:
        return self.read(range(len(self._row_of)), columns)

    def read(
        self,
        positions: Sequence[int],
        columns: Sequence[str] | None = None,
        others: Sequence[str] = (),
    ) -> Iterator[Record]:
        wanted = None if columns is None else {*columns, *others}
        for position in positions:
            sheet = self.sheets[self._sheet_of[position]]
            row, book = self._row_of[position], self.open()
            (cells,) = book.worksheets[sheet.number - 1].iter_rows(row, row, 1, sheet.width)
            yield ExcelRecord(position, self, sheet, cells, wanted)

    def locate(self, record: Record) -> dict[str, Any]:
        assert isinstance(record, ExcelRecord)
        place = {"sheet": record.sheet.number} if len(self.sheets) > 1 else {}
        return {**place, **super().locate(record)}

    def close(self) -> None:
        self._book = None


def list_beside(sheet: Any) -> Iterator[tuple[str, Any]]:
    """YIELDS (tuple[str, Any]): Words of a sheet that are in no cell: what they are, and the words."""
    yield from ((NAMES, name) for name in (sheet.title, *sheet.defined_names))
    rules = [rule for own in sheet.conditional_formatting for rule in own.rules]
    for what, parts in {
        "headers and footers": [sheet.HeaderFooter],
        "rules": [sheet.data_validations, *rules],
        "filters": [sheet.auto_filter, *sheet.tables.values()],
    }.items():
        yield from ((what, string) for part in parts for string in read_part(part))


def list_properties(book: Any) -> Iterator[tuple[str, Any]]:
    """YIELDS (tuple[str, Any]): Words that belong to the whole workbook."""
    own = (each.value for each in book.custom_doc_props.props)
    yield from (("document properties", string) for string in (*read_part(book.properties), *own))
    yield from ((NAMES, name) for name in book.defined_names)


def read_part(part: Any) -> Iterator[str | None]:
    """YIELDS (str | None): All strings of a part of a workbook."""
    for node in part.to_tree("part").iter():
        yield from (node.text, *node.attrib.values())


class ExcelTarget(Target):
    """A workbook to write. The rows that are not written are left empty.

    edits (Edits): What becomes of its columns. Those that come to it stand behind all others.
    """

    def __init__(self, file: BinaryIO, source: ExcelSource, edits: Edits) -> None:
        self._file = file
        self._source = source
        self._edits = edits
        self._changes: dict[tuple[int, int], Mapping[str, Any]] = {}

    def write(self, record: Record, changes: Mapping[str, Any]) -> None:
        assert isinstance(record, ExcelRecord)
        self._changes[record.sheet.number, record.line] = changes
        self.n_rows += 1

    def finish(self) -> None:
        book = self._source.open()
        # It is changed: what is read later is loaded again.
        self._source.close()
        for sheet in self._source.sheets:
            self._change(book.worksheets[sheet.number - 1], sheet)
        with tempfile.TemporaryFile() as file:
            book.save(file)
            with ZipFile(file) as saved, ZipFile(self._file, "w") as out:
                for info in saved.infolist():
                    data = SAVED.sub(b"", saved.read(info))
                    out.writestr(ZipInfo(info.filename), data, ZIP_DEFLATED)

    def _change(self, cells: Any, sheet: Sheet) -> None:
        columns = {
            **sheet.columns,
            **{name: sheet.width + n for n, name in enumerate(self._edits.added, 1)},
        }
        dropped = {columns[name] for name in self._edits.dropped if name in columns}
        if sheet.header:
            for name in self._edits.added:
                cells.cell(sheet.header, columns[name], name)
        for row in [*cells.iter_rows(min_row=max(1, sheet.header))]:
            number = row[0].row
            changes = self._changes.get((sheet.number, number))
            if changes is None and number > sheet.header:
                empty(row)
                continue
            for name, value in (changes or {}).items():
                self._set(cells.cell(number, columns[name]), value)
            for name in self._source.texts:
                if name in columns:
                    row[columns[name] - 1].hyperlink = None
            empty(cell for cell in row if cell.column in dropped)

    def _set(self, cell: Any, value: Any) -> None:
        old = cell.value
        if value == old or (old is not None and value == str(old)):
            return
        if isinstance(old, date):
            value = type(old).fromisoformat(value)
        elif not isinstance(value, str) and value is not None:
            value = json.dumps(value, ensure_ascii=False)
        if isinstance(value, str) and len(value) > LONGEST:
            raise FileError(
                f"{self._source.name}, row {cell.row}: the new text is longer than a cell can hold: save the sheet as "
                "CSV in UTF-8."
            )
        cell.value = value
        if isinstance(value, str):
            cell.data_type = "s"  # never a formula


def empty(cells: Iterable[Any]) -> None:
    """Take all from cells but how they look."""
    for cell in cells:
        if hasattr(cell, "hyperlink"):  # not the rest of a merged cell
            cell.value = cell.hyperlink = cell.comment = None
