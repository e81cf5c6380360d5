"""Workbooks that are written by hand, with what Excel writes and libraries do not."""

import io
import zipfile
from xml.sax.saxutils import escape

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
RELS = "application/vnd.openxmlformats-package.relationships+xml"
FORMATS = '<numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/></numFmts>'
STYLES = (
    f"<styleSheet {MAIN}>{FORMATS}<fonts><font/></fonts><fills><fill><patternFill/></fill></fills><borders><border/></borders>"
    '<cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs>'
    "</styleSheet>"
)


class Raw(str):
    """A cell as XML, with {r} for where it stands."""


def make_book(sheets, parts=None, more="", tail=""):
    """Write a workbook.

    sheets (dict[str, list[list[Any]]]): Rows by the name of the sheet: strings, which are shared, numbers
        and `Raw`; None for no cell, and in place of a row for none.
    parts (dict[str, str] | None): Parts that come to it, or stand in place of those that it has.
    more (str), tail (str): What stands behind the sheets in the workbook, and behind the rows in a sheet.
    """
    strings = {}
    files = {
        "[Content_Types].xml": make_types(len(sheets)),
        "_rels/.rels": make_links([("officeDocument", "xl/workbook.xml")]),
        "xl/_rels/workbook.xml.rels": make_links(
            [("worksheet", f"worksheets/sheet{n}.xml") for n, _ in enumerate(sheets, 1)]
            + [("sharedStrings", "/xl/sharedStrings.xml"), ("styles", "styles.xml")]
        ),
        "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{KIND}"><sheets>'
        + "".join(
            f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>'
            for n, name in enumerate(sheets, 1)
        )
        + f"</sheets>{more}</workbook>",
        "xl/styles.xml": STYLES,
    }
    for n, rows in enumerate(sheets.values(), 1):
        files[f"xl/worksheets/sheet{n}.xml"] = (
            f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<worksheet {MAIN}>'
            f'<dimension ref="A1"/><sheetData>{make_rows(rows, strings)}</sheetData>{tail}</worksheet>'
        )
    files["xl/sharedStrings.xml"] = (
        f"<sst {MAIN}>{''.join(f'<si><t>{escape(text)}</t></si>' for text in strings)}</sst>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**files, **(parts or {})}.items():
            archive.writestr(name, data)
    return out.getvalue()


def make_types(n_sheets):
    kinds = {f"worksheets/sheet{n}": "worksheet" for n in range(1, n_sheets + 1)}
    kinds |= {"workbook": "sheet.main", "sharedStrings": "sharedStrings", "styles": "styles"}
    parts = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{TYPE}.{kind}+xml"/>'
        for name, kind in kinds.items()
    )
    links = f'<Default Extension="rels" ContentType="{RELS}"/>'
    return f'<Types xmlns="{PACKAGE}/content-types">{links}{parts}</Types>'


def make_links(links):
    return (
        f'<Relationships xmlns="{PACKAGE}/relationships">'
        + "".join(
            f'<Relationship Id="rId{n}" Type="{KIND}/{kind}" Target="{target}"/>'
            for n, (kind, target) in enumerate(links, 1)
        )
        + "</Relationships>"
    )


def make_rows(rows, strings):
    return "".join(
        f'<row r="{n}" spans="1:{len(row)}">{make_cells(row, n, strings)}</row>'
        for n, row in enumerate(rows, 1)
        if row is not None
    )


def make_cells(row, n, strings):
    cells = []
    for letter, cell in zip("ABCDEFGHIJ", row):
        if isinstance(cell, Raw):
            cells.append(cell.format(r=f"{letter}{n}"))
        elif isinstance(cell, str):
            number = strings.setdefault(cell, len(strings))
            cells.append(f'<c r="{letter}{n}" s="0" t="s"><v>{number}</v></c>')
        elif cell is not None:
            cells.append(f'<c r="{letter}{n}"><v>{cell}</v></c>')
    return "".join(cells)


def unzip(data):
    """The parts of a workbook."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
