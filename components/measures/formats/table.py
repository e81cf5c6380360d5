"""Messages as CSV, spans as JSON in the column `spans`; an apostrophe goes before formulas."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path

from ...tables.delimited import CsvSource
from ...tables.errors import FileError, RowError
from ...tables.source import FIND_ENCODING
from ...text.spreadsheet import neutralise, restore
from ..gold import LabelMap, Row, check_message

TEXT, SPANS = "text", "spans"


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    """Write messages. What is no string is written as JSON."""
    rows = [*rows]
    columns = [*dict.fromkeys(["id", "text", SPANS, *(name for row in rows for name in row)])]
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in rows:
            cells = [_dump(row.get(name, "")) for name in columns]
            if any("\0" in cell for cell in cells):
                raise ValueError(
                    f"{path}: the message {row.get('id')} holds a NUL, which CSV cannot: write JSONL."
                )
            writer.writerow([neutralise(cell) for cell in cells])


def _dump(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_csv(path: Path, labels: LabelMap | None = None) -> list[Row]:
    """Read messages: column `text`; `id`, `conversation`, `spans` if they are there."""
    rows = []
    try:
        source = CsvSource(lambda: path.open("rb"), str(path), FIND_ENCODING)
        if source.columns is not None and TEXT not in source.columns:
            # Without a header, the first row is one of cells: it is not quoted.
            raise FileError(f"{path} has no column {TEXT!r}: name that of the messages so.")
        for number, record in enumerate(source.scan(), start=1):
            try:
                cells = record.get_values().items()
                row: Row = {name: restore(cell) for name, cell in cells if cell}
                row.setdefault(TEXT, "")
                has_spans = SPANS in row
                row[SPANS] = json.loads(row.get(SPANS, "[]"))
                check_message(row, labels)
                if not has_spans:
                    del row[SPANS]
            except json.JSONDecodeError:
                raise ValueError(f"{path}, line {record.line}: its spans are no JSON") from None
            except (RowError, ValueError) as error:
                raise ValueError(f"{path}, line {record.line}: {error}") from None
            row.setdefault("id", f"{path.stem}-{number}")
            rows.append(row)
    except FileError as error:
        raise ValueError(str(error)) from None
    return rows
