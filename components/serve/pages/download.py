"""What is downloaded from the page: all messages with what became of them, as JSONL or CSV."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from ...runs.run_settings import REPLACEMENTS
from ...text.spreadsheet import neutralise
from .given import Given

JSONL, CSV = FORMATS = ("jsonl", "csv")
TYPES = {JSONL: "application/jsonl; charset=utf-8", CSV: "text/csv; charset=utf-8"}


def write(
    given: Given, done: Mapping[int, Mapping[str, Any]], format: str, with_spans: bool
) -> bytes:
    """Write results (by the number of the row) with the other columns, but for what is known."""
    rows = [
        {
            **message.values,
            given.text_column: done[message.row.number]["text"],
            **({REPLACEMENTS: done[message.row.number][REPLACEMENTS]} if with_spans else {}),
        }
        for message in given.order
    ]
    return _write_csv(rows) if format == CSV else _write_jsonl(rows)


def _write_jsonl(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(f"{_dump(row)}\n" for row in rows).encode()


def _write_csv(rows: Iterable[Mapping[str, Any]]) -> bytes:
    rows = [*rows]
    columns = [*dict.fromkeys(name for row in rows for name in row)]
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, columns)
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _write_cell(value) for name, value in row.items()})
    # With a mark, without which Excel takes UTF-8 for something else.
    return file.getvalue().encode("utf-8-sig")


def _write_cell(value: Any) -> str:
    cell = "" if value is None else value if isinstance(value, str) else _dump(value)
    # A spreadsheet reads it, which would calculate a formula, and shows no NUL.
    return neutralise(cell.replace("\0", "␀"))


def _dump(value: Any) -> str:
    # Parquet has dates and decimals.
    return json.dumps(value, ensure_ascii=False, default=str)
