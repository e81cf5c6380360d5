"""The rows of a run, from the table to the pipeline."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from ..known.known_matcher import group_known, read_known, read_known_columns
from ..tables.errors import RowError
from ..tables.source import Record
from ..tables.times import read_time
from .run_settings import Settings


class Row:
    """What is read of a row.

    number (int): Its line, or row, in the file, from 1; in a frame from 0.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.texts: dict[str, str] = {}
        self.conversation: str | None = None
        self.known: list[tuple[str, str]] = []
        self.fields: Mapping[str, Any] = {}
        # What its file holds beside its rows.
        self.beside: Mapping[str, Sequence[str]] = {}
        # Columns that it has and the output needs.
        self.taken: Sequence[str] = ()
        # Whether it is kept what was replaced where, for the sample.
        self.is_sampled = False
        # Why it cannot be processed.
        self.reason = ""
        # Whether it is known what conversation the row belongs to.
        self.is_placed = False
        # The number of a row whose participants, who are this row's, cannot be read; 0 for none.
        self.unreadable = 0


def read_row(record: Record, number: int, settings: Settings) -> Row:
    """Read a row. What cannot be processed has its reason."""
    row = Row(number)
    row.beside = record.beside
    try:
        _read(row, record, settings)
    except RowError as error:
        row.reason = str(error)
    return row


def _read(row: Row, record: Record, settings: Settings) -> None:
    values = record.get_values()
    # A row without a text may still tell who takes part in the conversation.
    row.conversation = read_conversation(record, values, settings.conversation_field)
    row.is_placed = True
    where = f"field {settings.known_field!r}: "
    try:
        row.known = read_known(_load(values.pop(settings.known_field, None)))
        where = ""
        row.known += read_known_columns(values, settings.known_columns)
    except ValueError as error:
        row.unreadable = row.number
        raise RowError(f"{where}{error}") from None
    for name in settings.time_fields:
        read_time(values, name)
    row.texts = read_texts(values, settings, record.has_cells)
    row.taken = [name for name in settings.new_columns if name in values]
    left_out = (*settings.text_columns, *settings.dropped_columns)
    row.fields = {name: value for name, value in values.items() if name not in left_out}


def _load(known: Any) -> Any:
    """What is known, of a cell of a CSV file, which holds JSON."""
    if not isinstance(known, str):
        return known
    try:
        return json.loads(known) if known else None
    except (ValueError, RecursionError):
        return known


def read_conversation(record: Record, values: Mapping[str, Any], name: str) -> str | None:
    value = values.get(name)
    if isinstance(value, bool) or not isinstance(value, (str, int, type(None))):
        raise RowError(f"field {name!r} is neither a string nor an integer")
    # An empty cell of a CSV file.
    return record.conversation if value is None or value == "" else str(value)


def read_texts(
    values: Mapping[str, Any], settings: Settings, has_cells: bool = False
) -> dict[str, str]:
    """Read the texts of a row. Where there are several columns of them, a row may lack some; null
    is no text, and stays null.
    """
    texts: dict[str, str] = {}
    for name in settings.text_columns:
        value = values.get(name)
        may_lack = has_cells or name == settings.author_field or len(settings.text_fields) > 1
        if name not in values and not may_lack:
            raise RowError(f"no field {name!r}")
        if value is None:
            continue
        if not isinstance(value, str):
            raise RowError(f"field {name!r} is not a string")
        if any("\ud800" <= char <= "\udfff" for char in value):
            raise RowError(f"field {name!r} holds a lone UTF-16 surrogate")
        texts[name] = value
    if not has_cells and values.keys().isdisjoint(settings.text_fields):
        raise RowError(f"none of the fields {', '.join(map(repr, settings.text_fields))}")
    return texts


def group_rows(rows: Iterable[Row], others: Iterable[Row] = ()) -> list[list[Row]]:
    """Find the conversations. Rows of one whose participants cannot all be read get a reason: a
    conversation of unknown people is not safe.
    """
    told: dict[str | None, list[Row]] = {}
    for row in others:
        told.setdefault(row.conversation, []).append(row)
    conversations: list[list[Row]] = []
    placed = (row for row in rows if row.is_placed)
    for conversation, members in groupby(placed, key=lambda row: row.conversation):
        if conversation is None:
            conversations.extend([row] for row in members)
        else:
            conversations.append(list(members))
    for group in conversations:
        elsewhere = told.get(group[0].conversation, ()) if group[0].conversation else ()
        unreadable = next((row.unreadable for row in (*elsewhere, *group) if row.unreadable), 0)
        for row in group:
            if unreadable and not row.reason:
                row.reason = f"the participants of line {unreadable} cannot be read"
        group[0].known = [*(pair for row in elsewhere for pair in row.known), *group[0].known]
    return conversations


def get_known(rows: Sequence[Row]) -> dict[str, list[str]] | None:
    """Gather what the rows of a conversation know of the participants."""
    return group_known(pair for row in rows for pair in row.known)
