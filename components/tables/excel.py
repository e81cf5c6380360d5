"""Workbooks of Excel (.xlsx). Only the cells of texts and times are written anew. All else is copied to
the byte, but for what Excel keeps of these cells in other places.
"""

import json
import posixpath
import re
import shutil
import tempfile
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any, BinaryIO, cast
from xml.parsers.expat import ExpatError
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from .errors import FileError, RowError
from .lines import OLD_WORKBOOK, LineSource, tell_kind
from .markup import Node, cut, decode, encode, read_text
from .source import BESIDE, Edits, Opener, ReadOptions, Record, Target, demand_single, demand_small

# What nobody could read here, or would not be true any more, by names of parts.
REFUSED = {
    r"vbaProject|macrosheets/": "macros",
    r"externalLinks/|connections|queryTables/": "links to other data",
    r"pivotCache/": "a pivot table, which keeps a copy of its cells",
    r"revisions/": "a history of its changes",
    r"_xmlsignatures/": "a signature",
    r"activeX/|ctrlProps/|embeddings/": "controls or other files",
    r"media/|thumbnail": "pictures",
    r"^(?!.*(?:\.xml|\.rels|\.vml|/|printerSettings\d+\.bin)$)": "parts of an unknown kind",
}
# What parts are called that may hold words of people, by their names; the first that fits.
PARTS = {
    r"docProps/": "document properties",
    r"comments|persons/": "comments",
    r"xl/workbook\.xml": "names of sheets and ranges",
    r"/worksheets/": "headers, filters and links",
    r"drawings/|charts/": "charts and drawings",
    r"": "other parts",
}
# Parts that hold no words of people.
MUTE = re.compile(r"styles\.xml$|/theme/|\[Content_Types\]\.xml$|printerSettings")
UNREAD = "cells that are not read"
# References, short numbers and ids tell of nobody.
NO_WORDS = re.compile(
    r"[\d.]{0,5}|[A-Z]{1,3}\d+(?:[ :][A-Z]{1,3}\d+)*|[A-Z]{1,3}:[A-Z]{1,3}|\{[-0-9A-F]{36}\}"
)
# More strings than these are not compared with what is found in each conversation.
MOST_BESIDE = 2000
# Rows in which the header may stand, below a title.
HEADER_ROWS = 20
# What a cell can hold.
LONGEST = 32_767
# Strings that are held in memory; more lie in a private temporary file.
STRING_BYTES = 1 << 22
DATE = re.compile(r"[dmyh]", re.IGNORECASE)
NO_DATE = re.compile(r'"[^"]*"|\\.|\[[^]]*\]|General', re.IGNORECASE)
DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
# The year 9999 ends before it.
LAST_DAY = 2_957_000
# Only so many digits of a number are true.
EXACT = 10**15
STRING = re.compile('"[^"]*"')
DIMENSION = re.compile(rb"<(?:\w+:)?dimension\b[^>]*/>")
SPANS = re.compile(rb"""(<[^>]*?)\sspans=(["']).*?\2""")
TYPE = re.compile(rb"""\st=(["']).*?\1""")
FULL = re.compile(rb"""\sfullCalcOnLoad=(["']).*?\1""")
PACKED = "xlsx"


class Archive(ZipFile):
    """A zip file. One that is read closes the file below, one that is written and not finished is thrown
    away.
    """

    def __init__(self, file: BinaryIO, mode: Any = "r") -> None:
        super().__init__(file, mode, ZIP_DEFLATED)
        self._below = file

    def close(self) -> None:
        super().close()
        if self.mode == "r":
            self._below.close()

    def __del__(self) -> None:
        """Nothing is finished here."""


class Strings(Sequence[str]):
    """The strings that cells share."""

    def __init__(self, nodes: Iterator[bytes | Node]) -> None:
        self._file = tempfile.SpooledTemporaryFile(STRING_BYTES)  # noqa: SIM115
        self._ends = array("q", [0])
        for node in nodes:
            if isinstance(node, Node):
                self._file.write(read_text(node).encode("utf8", "surrogatepass"))
                self._ends.append(self._file.tell())

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        if not 0 <= number < len(self):
            raise IndexError(number)
        start, end = self._ends[number : number + 2]
        self._file.seek(start)
        return self._file.read(end - start).decode("utf8", "surrogatepass")


class Sheet:
    """A sheet.

    number (int): Its place among the sheets, from 1.
    part (str): The part with its rows.
    header (int): The number of the row with the names of the columns; 0 if there is none.
    columns (dict[str, int]): The columns that are read, by name, from 1; empty if the sheet is not read.
    width (int): The last column that holds anything.
    """

    def __init__(self, number: int, part: str) -> None:
        self.number = number
        self.part = part
        self.header = self.width = 0
        self.columns: dict[str, int] = {}


class ExcelRecord(Record):
    """A row of a sheet.

    columns (Sequence[str] | None): Those that are read; None for all.
    others (Sequence[str]): Those that are looked at, too. Of a formula its text is.
    """

    __slots__ = ("cells", "columns", "others", "row", "sheet", "source")

    has_cells = True

    def __init__(
        self, position: int, source: "ExcelSource", sheet: Sheet, row: Node, cells: dict[int, Node]
    ) -> None:
        super().__init__(position, int(row.attributes["r"]), len(row.data))
        self.source = source
        self.sheet = sheet
        self.row = row
        self.cells = cells
        self.columns: Sequence[str] | None = None
        self.others: Sequence[str] = ()

    @property
    def beside(self) -> Mapping[str, Sequence[str]]:  # type: ignore[override]
        return self.source.beside

    def get_values(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        columns = self.columns or ()
        for name, column in self.sheet.columns.items():
            if self.columns is None or name in columns or name in self.others:
                cell = self.cells.get(column)
                if cell is not None and cell.find("f") and name in columns:
                    raise RowError(f"field {name!r} is a formula: put its value in its place")
                values[name] = self._read(cell, name)
        if NAMELESS in self.others:
            named = {*self.sheet.columns.values()}
            loose = [cell for column, cell in self.cells.items() if column not in named]
            values[NAMELESS] = [self._read(cell, NAMELESS) for cell in loose]
        return values

    def _read(self, cell: Node | None, name: str) -> Any:
        try:
            return None if cell is None else self.source.read_value(cell, name)
        except (LookupError, ValueError):
            raise RowError(f"field {name!r} holds what no cell can") from None


NAMELESS = f"{BESIDE}cells without a header"


class ExcelSource(LineSource):
    """A workbook. Its sheets that have a column of those with texts are read, as one table.

    options (ReadOptions): The columns with texts; none: all sheets are read. The most bytes that it may
        unpack to.
    """

    counts = "row"

    def __init__(self, open_file: Opener, name: str, options: ReadOptions) -> None:
        super().__init__(open_file, name, options._replace(compression=PACKED))
        self._texts = options.texts
        self.has_header = options.has_header
        self.beside: dict[str, list[str]] = {}
        self._strings: Strings | None = None
        # What is copied and no row, by what it is, each string once.
        self._found: dict[str, dict[str, None]] = {}
        with self._reading(), self._open() as archive:
            self._demand_plain(archive, options.limit)
            self.workbook, self.strings_part = self._find_sheets(archive)
            first = [name for sheet in self.sheets for name in self._look(archive, sheet)]
            for info in archive.infolist():
                if info.filename not in (self.strings_part, *(each.part for each in self.sheets)):
                    self._look_at_part(archive, info.filename)
        for what, strings in self._found.items():
            if len(strings) > MOST_BESIDE and any(sheet.columns for sheet in self.sheets):
                raise FileError(
                    f"{self.name} has more {what.removeprefix(BESIDE)} than can be compared with its texts: save "
                    "a copy without, or name the columns of texts (--text-field)."
                )
            self.beside[what] = [*strings]
        # Without a sheet that is read, those that there are are told.
        named = [name for sheet in self.sheets for name in sheet.columns] or first
        self.columns = [*dict.fromkeys(named)]
        self.others = [*self.columns, NAMELESS]

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Say what is wrong with a file that cannot be read to its end."""
        try:
            yield
        except FileError:
            raise
        except (
            BadZipFile, ExpatError, LookupError, ValueError, ArithmeticError, EOFError, OSError, RuntimeError, zlib.error,
        ):  # fmt: skip
            raise FileError(
                f"{self.name} is no whole workbook (.xlsx): name it by what it is, or fetch it again."
            ) from None

    def _open(self) -> Any:
        return self.open_archive()

    def open_archive(self) -> Archive:
        file = self._open_file()
        try:
            with self._reading():
                head = file.read(8)
                file.seek(0)
                if tell_kind(head) == OLD_WORKBOOK:
                    raise FileError(
                        f"{self.name} is an old workbook (.xls), or has a password: save it as .xlsx "
                        "without one."
                    )
                return Archive(file)
        except BaseException:
            file.close()
            raise

    def close(self) -> None:
        super().close()
        self._strings = None

    @property
    def strings(self) -> Strings:
        if self._strings is None:
            with self._reading(), self._open() as archive:
                self._strings = Strings(self.cut(archive, self.strings_part, "si"))
        return self._strings

    def cut(
        self, archive: Archive, part: str, tag: str, seen: list[Node] | None = None
    ) -> Iterator[bytes | Node]:
        if part:
            with archive.open(part) as file:
                yield from cut(cast(BinaryIO, file), tag, self.name, seen)

    def _demand_plain(self, archive: Archive, limit: int) -> None:
        """Refuse what cannot be read whole."""
        infos = archive.infolist()
        demand_small(sum(info.file_size for info in infos), limit, self.name)
        names = [info.filename for info in infos]
        for pattern, what in REFUSED.items():
            if any(re.search(pattern, name) for name in names):
                raise FileError(
                    f"{self.name} holds {what}: save a copy without, as .xlsx, and name that."
                )
        if len({*names}) < len(names):
            raise BadZipFile

    def _read_tree(self, archive: Archive, part: str, tag: str) -> Node:
        (node,) = (piece for piece in self.cut(archive, part, tag) if isinstance(piece, Node))
        return node

    def _read_links(self, archive: Archive, part: str) -> list[tuple[str, str, str]]:
        """Id, kind and part of what a part of the workbook leads to."""
        folder, name = posixpath.split(part)
        tree = self._read_tree(archive, f"{folder}/_rels/{name}.rels".lstrip("/"), "Relationships")
        links = (node.attributes for node in tree.find("Relationship"))
        return [
            (
                link["Id"],
                posixpath.basename(link["Type"]),
                posixpath.normpath(posixpath.join("/", folder, link["Target"])).lstrip("/"),
            )
            for link in links
        ]

    def _find_sheets(self, archive: Archive) -> tuple[str, str]:
        """Find the sheets, and how their cells are read.

        RETURNS (tuple[str, str]): The parts of the workbook itself and of the strings that cells share.
        """
        (workbook,) = (
            part for _, kind, part in self._read_links(archive, "") if kind == "officeDocument"
        )
        tree = self._read_tree(archive, workbook, "workbook")
        links = self._read_links(archive, workbook)
        parts = {kind: part for _, kind, part in links}
        rows = {id: part for id, kind, part in links if kind == "worksheet"}
        ids = [
            next(value for key, value in node.attributes.items() if key.endswith(":id"))
            for node in tree.find("sheets", "sheet")
        ]
        self.sheets = [Sheet(n, rows[id]) for n, id in enumerate(ids, 1) if id in rows]
        (properties,) = tree.find("workbookPr") or [tree]
        is_late = properties.attributes.get("date1904") in ("1", "true")
        self._epoch = datetime(1904, 1, 1) if is_late else datetime(1899, 12, 30)
        self._dates: list[bool] = []
        if "styles" in parts:
            styles = self._read_tree(archive, parts["styles"], "styleSheet")
            dates = {
                node.attributes["numFmtId"]
                for node in styles.find("numFmts", "numFmt")
                if DATE.search(NO_DATE.sub("", node.attributes["formatCode"]))
            } | {*map(str, DATES)}
            self._dates = [
                node.attributes.get("numFmtId") in dates for node in styles.find("cellXfs", "xf")
            ]
        return workbook, parts.get("sharedStrings", "")

    def _look(self, archive: Archive, sheet: Sheet) -> list[str]:
        """Find the columns of a sheet, and gather what it holds that is not read as a row.

        RETURNS (list[str]): What its first row calls its columns.
        """
        seen: list[Node] = []
        first: list[str] = []
        rows = (row for row in self.cut(archive, sheet.part, "row", seen) if isinstance(row, Node))
        is_read = False
        for n_rows, row in enumerate(number(rows)):
            cells = read_cells(row)
            sheet.width = max(sheet.width, 0, *(n for n, cell in cells.items() if cell.children))
            if is_read or not self.has_header:
                continue
            names = {column: self._read_name(cell) for column, cell in cells.items()}
            names = {column: name for column, name in names.items() if name}
            first = first or [*names.values()]
            if n_rows < HEADER_ROWS and (
                not {*self._texts}.isdisjoint(names.values()) or (names and not self._texts)
            ):
                all_names = [
                    names.get(column, f"\0{column}") for column in range(1, max(names) + 1)
                ]
                demand_single(all_names, f"{self.name}, sheet {sheet.number},")
                sheet.columns = {name: column for column, name in names.items()}
                sheet.header = int(row.attributes["r"])
                is_read = True
            else:
                self._keep(UNREAD, map(self.read_value, cells.values()))
        if not self.has_header:
            numbers = {str(column): column for column in range(1, sheet.width + 1)}
            first = [*numbers]
            if not self._texts or not numbers.keys().isdisjoint(self._texts):
                sheet.columns = numbers
        ranges = [node.attributes["ref"] for node in seen if node.name == "hyperlink"]
        for name in self._texts:
            column = sheet.columns.get(name, 0)
            if any(left <= column <= right for left, right in map(_read_range, ranges)):
                raise FileError(
                    f"{self.name}: sheet {sheet.number} has links in a column of texts, which keep what "
                    "the texts say: remove the links from the column."
                )
        self._keep_all(sheet.part, seen)
        return first

    def _read_name(self, cell: Node) -> str:
        value = self.read_value(cell)
        return "" if value is None else str(value)

    def _look_at_part(self, archive: Archive, part: str) -> None:
        if not MUTE.search(part):
            seen: list[Node] = []
            for _ in self.cut(archive, part, "", seen):
                pass
            self._keep_all(part, seen)

    def _keep_all(self, part: str, seen: Sequence[Node]) -> None:
        what = next(what for pattern, what in PARTS.items() if re.search(pattern, part))
        for node in seen:
            text = node.text
            if node.name.endswith(("Header", "Footer")):
                text = re.sub(r'&(?:"[^"]*"|[A-Z]|\d+)', " ", text)
            names = (key for key in node.attributes if not key.startswith("xmlns"))
            self._keep(what, [text, *(node.attributes[key] for key in names)])

    def _keep(self, what: str, values: Any) -> None:
        """Keep strings that are copied, to be compared with what is found in the texts."""
        found = self._found.setdefault(f"{BESIDE}{what}", {})
        for value in values:
            text = "" if value is None else str(value).strip()
            if len(found) <= MOST_BESIDE and not NO_WORDS.fullmatch(text):
                found[text] = None

    def is_text(self, name: str) -> bool:
        return name in self._texts

    def read_value(self, cell: Node, name: str = "") -> Any:
        """What a cell holds: a string of one in a column of texts, a formula as such."""
        kind = cell.attributes.get("t", "n")
        if formulas := cell.find("f"):
            return f"={formulas[0].text}"
        if kind == "inlineStr":
            return "".join(map(read_text, cell.find("is")))
        text = "".join(value.text for value in cell.find("v"))
        if not text:
            return None
        if kind == "s":
            return self.strings[int(text)]
        value = self._read_number(cell, text) if kind == "n" else decode(text)
        if kind == "b":
            value = text.strip() == "1"
        if name not in self._texts:
            return value
        return str(value).upper() if kind == "b" else str(value)

    def _read_number(self, cell: Node, text: str) -> Any:
        value = float(text)
        if 1 <= value < LAST_DAY and self._is_date(cell):
            return self._epoch + timedelta(seconds=round(value * 86_400, 3))
        return int(value) if value.is_integer() and abs(value) < EXACT else value

    def _is_date(self, cell: Node) -> bool:
        style = int(cell.attributes.get("s", 0))
        return style < len(self._dates) and self._dates[style]

    def walk(self, archive: Archive) -> Iterator[tuple[Sheet, bytes | Node | ExcelRecord]]:
        """All of the sheets: their rows, those of them that are no rows of the table, and what stands
        between them.
        """
        position = 0
        with self._reading():
            for sheet in self.sheets:
                for piece in number(self.cut(archive, sheet.part, "row")):
                    if isinstance(piece, Node) and sheet.columns:
                        cells = read_cells(piece)
                        has_any = any(cell.children for cell in cells.values())
                        if has_any and int(piece.attributes["r"]) > sheet.header:
                            yield sheet, ExcelRecord(position, self, sheet, piece, cells)
                            position += 1
                            continue
                    yield sheet, piece

    def _iter_records(self, file: Any, position: int) -> Iterator[Record]:
        return (piece for _, piece in self.walk(file) if isinstance(piece, ExcelRecord))

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[Record]:
        return _choose(super().scan(), columns)

    def read(
        self,
        positions: Sequence[int],
        columns: Sequence[str] | None = None,
        others: Sequence[str] = (),
    ) -> Iterator[Record]:
        return _choose(super().read(positions), columns, others)

    def locate(self, record: Record) -> dict[str, int]:
        assert isinstance(record, ExcelRecord)
        several = sum(bool(sheet.columns) for sheet in self.sheets) > 1
        return {**({"sheet": record.sheet.number} if several else {}), self.counts: record.line}


def _choose(
    records: Iterator[Record], columns: Sequence[str] | None, others: Sequence[str] = ()
) -> Iterator[Record]:
    for record in records:
        assert isinstance(record, ExcelRecord)
        record.columns, record.others = columns, others
        yield record


def number(pieces: Iterable[bytes | Node]) -> Iterator[Any]:
    """Give each row its number. A row that has none follows on the one before."""
    last = 0
    for piece in pieces:
        if isinstance(piece, Node):
            own = int(piece.attributes.get("r", last + 1))
            if own <= last:
                raise ValueError("rows are not in order")
            piece.attributes["r"] = str(own)
            last = own
        yield piece


def read_cells(row: Node) -> dict[int, Node]:
    """The cells of a row, by column from 1."""
    cells: dict[int, Node] = {}
    last = 0
    for cell in row.find("c"):
        column = read_column(cell.attributes.get("r", "").rstrip("0123456789")) or last + 1
        if column <= last:
            raise ValueError("cells are not in order")
        cells[column] = cell
        last = column
    return cells


@lru_cache(1 << 14)
def read_column(letters: str) -> int:
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - 64
    return column


def write_column(column: int) -> str:
    letters = ""
    while column:
        column, left = divmod(column - 1, 26)
        letters = chr(65 + left) + letters
    return letters


def _read_range(reference: str) -> tuple[int, int]:
    """The first and the last column of `B2:C9`."""
    first, _, last = reference.partition(":")
    return tuple(read_column(each.rstrip("0123456789")) for each in (first, last or first))  # type: ignore[return-value]


class ExcelTarget(Target):
    """A workbook to write to. A row that is left out is empty, and so are columns that are: what formulas
    refer to stays where it is. What formulas have given is calculated again when it is opened.
    """

    def __init__(self, file: BinaryIO, source: ExcelSource, edits: Edits) -> None:
        self._source = source
        self._added = edits.added
        self._dropped = edits.dropped
        self._read = source.open_archive()
        self._written = Archive(file, "w")
        self._pieces = source.walk(self._read)
        self._sheet: Sheet | None = None
        self._out: Any = None
        self._has_formulas = False
        self._used = bytearray(len(source.strings))
        # Strings of cells that are written anew must be gone: these parts are written last.
        self._last = [source.workbook, source.strings_part]
        sheets = {sheet.part for sheet in source.sheets}
        for info in self._read.infolist():
            if info.filename not in sheets and info.filename not in self._last:
                with self._read.open(info) as part, self._begin(info.filename) as copy:
                    shutil.copyfileobj(part, copy)

    def _begin(self, part: str) -> Any:
        old = self._read.getinfo(part)
        info = ZipInfo(part, old.date_time)
        info.compress_type, info.external_attr = old.compress_type, old.external_attr
        return self._written.open(info, "w")

    def write(self, record: Record, changes: Mapping[str, Any]) -> None:
        own = self._copy(record.position)
        assert own is not None
        sheet = own.sheet
        new: dict[int, bytes] = {}
        for name, value in changes.items():
            column = sheet.columns.get(name)
            cell = own.cells.get(column or 0)
            if cell is not None and value != self._source.read_value(cell, name):
                new[column or 0] = self._change(cell, name, value, own)
        for name in self._dropped:
            column = sheet.columns.get(name, 0)
            if column in own.cells:
                new[column] = self._empty(own.cells[column])
        self._write_row(own.row, own.cells, new, [changes.get(name) for name in self._added])
        self.n_rows += 1

    def _copy(self, position: int) -> ExcelRecord | None:
        """Copy what stands before a row, and empty the rows that are left out.

        RETURNS (ExcelRecord | None): The row; None after the last one.
        """
        for sheet, piece in self._pieces:
            if sheet is not self._sheet:
                self._end()
                self._sheet, self._out = sheet, self._begin(sheet.part)
            if isinstance(piece, bytes):
                # With more columns it would not fit.
                has_more = bool(sheet.columns and self._added)
                self._out.write(DIMENSION.sub(b"", piece) if has_more else piece)
            elif isinstance(piece, ExcelRecord):
                if piece.position == position:
                    return piece
                emptied = {column: self._empty(cell) for column, cell in piece.cells.items()}
                self._write_row(piece.row, piece.cells, emptied)
            else:
                is_header = bool(sheet.columns) and int(piece.attributes["r"]) == sheet.header
                self._write_row(piece, read_cells(piece), {}, self._added if is_header else ())
        self._end()
        return None

    def _end(self) -> None:
        if self._out is not None:
            self._out.close()

    def _write_row(
        self,
        row: Node,
        cells: Mapping[int, Node],
        new: Mapping[int, bytes],
        added: Sequence[Any] = (),
    ) -> None:
        """Write a row.

        new (Mapping[int, bytes]): Cells that are other ones, by column.
        added (Sequence[Any]): What stands behind the last column.
        """
        assert self._sheet is not None
        width, line = self._sheet.width, row.attributes["r"]
        more = {
            width + n: self._write_text(
                row.prefix, {"r": f"{write_column(width + n)}{line}"}, value, int(line)
            )
            for n, value in enumerate(added, 1)
            if value is not None
        }
        parts, at = [], row.start
        for column, cell in cells.items():
            written = new.get(column)
            if written is None:
                written = b"" if more and column > width else self._keep(cell, row)
            if written is not None:
                parts += [_get_bytes(row, at, cell.start), written]
                at = cell.end
        if more:
            end = row.start + row.data.rindex(b"</")
            parts += [_get_bytes(row, at, end), *more.values()]
            at = end
        data = b"".join([*parts, _get_bytes(row, at, row.end)])
        self._out.write(SPANS.sub(rb"\1", data, count=1) if more and SPANS.match(data) else data)

    def _keep(self, cell: Node, row: Node) -> bytes | None:
        """A cell as it is, which is None, or without what a formula has given."""
        if formulas := cell.find("f"):
            (formula,) = formulas
            self._has_formulas = True
            tag = TYPE.sub(b"", _get_bytes(row, cell.start, formula.start))
            end = f"</{cell.prefix}c>".encode()
            return tag + _get_bytes(row, formula.start, formula.end) + end
        if cell.attributes.get("t") == "s":
            for value in cell.find("v"):
                self._used[int(value.text)] = 1
        return None

    def _empty(self, cell: Node) -> bytes:
        """A cell without what it holds. A formula, to which others may belong, stays without its words."""
        inner = b""
        for formula in cell.find("f"):
            inner = formula.write(encode(STRING.sub('""', formula.text)), **formula.attributes)
        return cell.write(inner.decode(), **_get_place(cell))

    def _change(self, cell: Node, name: str, value: Any, record: ExcelRecord) -> bytes:
        """A cell with another value: of a time in the form that it has."""
        where = _get_place(cell)
        old = self._source.read_value(cell)
        if isinstance(old, datetime) and not self._source.is_text(name):
            (number,) = cell.find("v")
            value = Decimal(number.text) + (datetime.fromisoformat(value) - old).days
        if isinstance(value, (int, float, Decimal)):
            return cell.write(f"<{cell.prefix}v>{value}</{cell.prefix}v>", **where)
        return self._write_text(cell.prefix, where, value, record.line)

    def _write_text(self, prefix: str, where: Mapping[str, str], value: Any, line: int) -> bytes:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if len(text) > LONGEST:
            raise FileError(
                f"{self._source.name}: row {line} gets a cell of over {LONGEST:,} characters, more than Excel "
                "reads: split its text, or leave --spans out."
            )
        cell = Node(f"{prefix}c", {}, 0)
        text = f'<{prefix}t xml:space="preserve">{encode(text)}</{prefix}t>'
        return cell.write(f"<{prefix}is>{text}</{prefix}is>", **where, t="inlineStr")

    def finish(self) -> None:
        self._copy(-1)
        with self._begin(self._source.workbook) as out:
            for piece in self._source.cut(self._read, self._source.workbook, "workbook"):
                out.write(self._order_calculation(piece) if isinstance(piece, Node) else piece)
        if self._source.strings_part:
            with self._begin(self._source.strings_part) as out:
                used = iter(self._used)
                for piece in self._source.cut(self._read, self._source.strings_part, "si"):
                    if isinstance(piece, Node):
                        empty = piece.write(f"<{piece.prefix}t/>")
                        piece = piece.data if next(used) else empty
                    out.write(piece)
        self._written.close()
        self._read.close()

    def _order_calculation(self, tree: Node) -> bytes:
        """Let formulas be calculated when the workbook is opened."""
        if not self._has_formulas:
            return tree.data
        sign = b' fullCalcOnLoad="1"'
        for node in tree.find("calcPr"):
            old = FULL.sub(b"", _get_bytes(tree, node.start, node.end))
            new = old.replace(b"calcPr", b"calcPr" + sign, 1)
            return (
                _get_bytes(tree, tree.start, node.start)
                + new
                + _get_bytes(tree, node.end, tree.end)
            )
        before = ("sheets", "functionGroups", "externalReferences", "definedNames")
        at = max(node.end for name in before for node in tree.find(name))
        new = f"<{tree.prefix}calcPr".encode() + sign + b"/>"
        return _get_bytes(tree, tree.start, at) + new + _get_bytes(tree, at, tree.end)


def _get_bytes(outer: Node, start: int, end: int) -> bytes:
    return outer.data[start - outer.start : end - outer.start]


def _get_place(cell: Node) -> dict[str, str]:
    """The attributes of a cell that do not tell what it holds."""
    return {name: cell.attributes[name] for name in ("r", "s") if name in cell.attributes}
