"""The messages that are given to the page, pasted or as a file, and the file that it gives back."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from ...reports.copied_columns import find_nested
from ...runs.rows import Row, group_rows, read_row
from ...runs.run_settings import REPLACEMENTS, Settings
from ...tables.errors import FileError, RowError
from ...tables.formats import Format, guess_format, make_source
from ...tables.lines import unpack
from ...tables.nested import Paths, is_path
from ...tables.source import ReadOptions, Record
from ...text.spreadsheet import neutralise
from .controls import Asked

MAX_ROWS = 1000
# What a file may unpack to.
MAX_BYTES = 1 << 25
BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
# The columns that messages and conversations have where nobody says otherwise.
TEXT, CONVERSATION = "text", "conversation"
# The id of the conversation that pasted messages are.
PASTED = "1"


class TooMany(ValueError):
    """More messages than the page takes."""


class Message(NamedTuple):
    """A message that was given: its row, its text, and all values of the row."""

    row: Row
    text: str
    values: Mapping[str, Any]


class Given(NamedTuple):
    """What was given: messages by conversation and in the order of the rows, rows that cannot be
    read, the columns of a table and those that are read, and whether its first row may be no
    header.
    """

    conversations: Sequence[Sequence[Message]]
    order: Sequence[Message]
    rejected: Sequence[Row]
    is_file: bool = False
    columns: Sequence[str] = ()
    text_column: str = TEXT
    conversation_column: str = CONVERSATION
    may_lack_header: bool = False
    has_header: bool = True


class Pasted(Record):
    """A message that was pasted, as a row."""

    def __init__(self, number: int, values: Mapping[str, Any]) -> None:
        super().__init__(number, number, 0)
        self.values = values

    def get_values(self) -> dict[str, Any]:
        return dict(self.values)


def read_pasted(asked: Asked) -> Given:
    """Read the messages that were pasted, or raise TooMany."""
    texts = [*_split(asked.text, asked.split)]
    if len(texts) > MAX_ROWS:
        raise TooMany
    together = {CONVERSATION: PASTED} if asked.together and len(texts) > 1 else {}
    records = [Pasted(number, {TEXT: text, **together}) for number, text in enumerate(texts, 1)]
    return _read(records, TEXT, CONVERSATION)


def _split(text: str, split: str) -> Iterable[str]:
    if split == "lines":
        parts: Sequence[str] = text.split("\n")
    elif split == "paragraphs":
        parts = BLANK_LINES.split(text.strip("\n"))
    else:
        parts = [text]
    return (part for part in parts if part.strip())


def read_file(data: bytes, name: str, asked: Asked, has_header: bool = True) -> Given:
    """Read a table, or plain text as if it were pasted, by its name. Without a header numbers name
    columns. It may raise FileError or TooMany.
    """
    format = guess_format(name)
    if format is None:
        try:
            text = data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise FileError(
                "It is neither a table nor text in UTF-8. Save a workbook as .xlsx, or as CSV in UTF-8."
            ) from None
        return read_pasted(replace(asked, text=text))
    records = _read_table(data, format, has_header)
    columns = [*dict.fromkeys(name for values in _iter_values(records) for name in values)]
    if not columns:
        raise FileError("It has no rows.")
    nested = find_nested(_iter_values(records)) if format.kind == JSONL else {}
    lengths = {**_measure(records, columns), **nested}
    columns = [*columns, *nested]
    longest = max(columns, key=lengths.__getitem__)
    text_column = _choose(columns, asked.text_column, TEXT) or longest
    wanted = asked.conversation_column
    conversation = _choose(columns, CONVERSATION if wanted is None else wanted)
    if text_column in nested:
        settings = Settings(text_fields=(text_column,), conversation_field=conversation)
        records = _read_table(data, format, has_header, settings.make_paths())
    given = _read(records, text_column, conversation)
    # Where no column has a name that is asked for, the first row may be one as the others are.
    may_lack = has_header and format.is_delimited and TEXT not in columns
    return given._replace(
        is_file=True, columns=columns, may_lack_header=may_lack, has_header=has_header
    )


def _read_table(
    data: bytes, format: Format, has_header: bool, paths: Paths | None = None
) -> list[Record]:
    # The name of a file may hold PHI: an error calls it so.
    name = "The file"
    plain = unpack(data, format.compression, MAX_BYTES, name)
    source = make_source(
        lambda: io.BytesIO(plain),
        name,
        Format(format.kind),
        ReadOptions(encoding="", has_header=has_header, limit=MAX_BYTES, paths=paths),
    )
    try:
        if source.n_rows is not None and source.n_rows > MAX_ROWS:
            raise TooMany
        records = [*islice(source.scan(), MAX_ROWS + 1)]
    finally:
        source.close()
    if len(records) > MAX_ROWS:
        raise TooMany
    return records


def _iter_values(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    for record in records:
        with suppress(RowError):
            yield record.get_values()


def _choose(columns: Sequence[str], *wanted: str) -> str:
    return next((name for name in wanted if name in columns), "")


def _measure(records: Iterable[Record], columns: Sequence[str]) -> dict[str, int]:
    """How many characters of text columns have: most likely that of the messages has most."""
    lengths = dict.fromkeys(columns, 0)
    for values in _iter_values(records):
        for name, value in values.items():
            lengths[name] += len(value) if isinstance(value, str) else 0
    return lengths


def _read(records: Iterable[Record], text_column: str, conversation_column: str) -> Given:
    settings = Settings(text_fields=(text_column,), conversation_field=conversation_column)
    # Several texts of JSON may be in one line.
    is_deep = is_path(text_column)
    pairs = [
        (read_row(record, n if is_deep else record.line, settings), record)
        for n, record in enumerate(records, 1)
    ]
    rows = [row for row, _ in pairs]
    # Conversations of unknown people are rejected here.
    groups = group_rows(_gather(rows))
    messages: dict[int, Message] = {}
    for row, record in pairs:
        if not row.reason and text_column in row.texts:
            values = record.get_values()
            values.pop(settings.known_field, None)
            messages[id(row)] = Message(row, row.texts[text_column], values)
    grouped = ([messages[id(row)] for row in group if id(row) in messages] for group in groups)
    return Given(
        conversations=[*filter(None, grouped)],
        order=[*messages.values()],
        rejected=[row for row in rows if row.reason],
        text_column=text_column,
        conversation_column=conversation_column,
    )


def _gather(rows: Iterable[Row]) -> list[Row]:
    """Put the rows of each conversation side by side, where its first one is."""
    first: dict[Any, int] = {}
    return sorted(rows, key=lambda row: first.setdefault(row.conversation or id(row), len(first)))


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
    if format == CSV:
        return _write_csv(rows)
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
