"""The columns of a frame that matter here: texts, ids of conversations, what is known."""

from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from ..known.known_matcher import get_dropped, make_known_columns, read_known, read_known_columns
from ..runs.rows import Row
from ..shared.extras import load_extra


class Columns(NamedTuple):
    """The names of the columns with the texts, in their order, with the ids of the conversations, with
    what is known of the participants, and with a field of it each, by field."""

    texts: tuple[str, ...]
    conversation: str | None
    known: str | None
    known_columns: tuple[tuple[str, str], ...] = ()

    @property
    def dropped(self) -> list[str]:
        known = [self.known] if self.known is not None else []
        return [*known, *get_dropped(self.known_columns, self.texts)]


def make_columns(
    text: str | Sequence[str], conversation: str | None, known: str | Mapping[str, str] | None
) -> Columns:
    texts = tuple(text) if isinstance(text, (list, tuple)) else (text,)
    known_columns: tuple[tuple[str, str], ...] = ()
    if isinstance(known, Mapping):
        known_columns, known = make_known_columns(known.items()), None
    named = [*texts, *(name for name in (conversation, known) if name is not None)]
    if not texts:
        raise ValueError("Name the column with the text.")
    if len(set(named)) < len(named):
        raise ValueError(f"{', '.join(map(repr, named))}: these must be different columns.")
    return Columns(texts, conversation, known, known_columns)


def open_frame(df: Any) -> Any:
    """Make one kind of frame of all kinds."""
    narwhals = load_extra("narwhals", "frames")
    try:
        frame = narwhals.from_native(df)
    except TypeError:
        raise TypeError(
            f"A frame of pandas, polars or pyarrow is needed, not {type(df).__name__}."
        ) from None
    if not isinstance(frame, narwhals.DataFrame):
        raise TypeError(
            f"{type(df).__module__}.{type(df).__name__} is lazy, its rows are not at hand: of polars, "
            "give df.collect(); of Spark, give df.mapInArrow the function that make_partition_function of "
            "sv_deid_chat.arrow makes."
        )
    return frame


def read_rows(frame: Any, columns: Columns) -> list[Row]:
    """Read the rows of a frame, with the columns that stay as they are.

    RAISES (ValueError): If a column is not there, or holds something that cannot be read. The message
        names the column and the row, and quotes nothing of it.
    """
    rows = [Row(number) for number in range(len(frame))]
    for name in columns.texts:
        for row, text in zip(rows, _read_texts(frame, name)):
            if text is not None:
                row.texts[name] = text
    if columns.conversation is not None:
        for row, id in zip(rows, read_ids(frame, columns.conversation)):
            row.conversation = id
    if columns.known is not None:
        for row, known in zip(rows, _read_known(frame, columns.known)):
            row.known = known
    by_field = [(name, _read_cells(frame, name)) for _, name in columns.known_columns]
    others = [
        (str(name), frame.get_column(name).to_list()) for name in _find_others(frame, columns)
    ]
    for row in rows:
        row.is_placed = True
        row.fields = {name: _make_plain(cells[row.number]) for name, cells in others}
        own = {name: _make_plain(cells[row.number]) for name, cells in by_field}
        try:
            row.known += read_known_columns(own, columns.known_columns)
        except ValueError as error:
            raise ValueError(f"Row {row.number} (the first one is 0): {error}") from None
    return rows


def _find_others(frame: Any, columns: Columns) -> list[Any]:
    """The columns that stay as they are, those that may hold words, numbers or dates."""
    narwhals = load_extra("narwhals", "frames")
    mute = (narwhals.Boolean, narwhals.Binary, narwhals.Duration, narwhals.Time)
    kinds = frame.schema.items()
    named = (*columns.texts, *columns.dropped)
    return [name for name, kind in kinds if kind not in mute and name not in named]


def read_ids(frame: Any, name: str) -> list[str | None]:
    ids: list[str | None] = []
    for row, value in enumerate(_read_cells(frame, name)):
        if value is None or isinstance(value, str):
            # An empty id is none.
            ids.append(value or None)
        elif isinstance(value, Integral) and not isinstance(value, bool):
            ids.append(str(int(value)))
        else:
            kind = type(value).__name__
            reason = f"the id of a conversation must be a string or an integer, not {kind}"
            if isinstance(value, float):
                reason += (
                    ". pandas makes that of integers among which some are missing: read them as "
                    f"such, or df[{name!r}].astype('Int64')"
                )
            raise _make_error(name, row, reason)
    return ids


def _read_texts(frame: Any, name: str) -> Iterator[str | None]:
    narwhals = load_extra("narwhals", "frames")
    cells = _read_cells(frame, name)
    if frame.schema[name] in (narwhals.Categorical, narwhals.Enum):
        raise ValueError(
            f"Column {name!r} holds categories, which keep the texts that they were made of: make it "
            "one of strings."
        )
    for row, value in enumerate(cells):
        if value is not None and not isinstance(value, str):
            raise _make_error(name, row, f"a text must be a string, not {type(value).__name__}")
        yield None if value is None else str(value)


def _read_known(frame: Any, name: str) -> Iterator[list[tuple[str, str]]]:
    for row, value in enumerate(_read_cells(frame, name)):
        try:
            yield read_known(_make_plain(value))
        except ValueError as error:
            raise _make_error(name, row, str(error).rstrip(".")) from None


def _read_cells(frame: Any, name: str) -> list[Any]:
    """The values of a column, None for whatever stands for nothing."""
    if name not in frame.columns:
        there = ", ".join(map(repr, frame.columns))
        raise ValueError(f"There is no column {name!r}. The columns are {there}.")
    column = frame.get_column(name)
    return [None if gone else value for gone, value in zip(column.is_null(), column.to_list())]


def _make_plain(value: Any) -> Any:
    """Lists of what pandas reads as arrays."""
    if isinstance(value, dict):
        return {key: _make_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_make_plain(item) for item in value]
    return value


def _make_error(name: str, row: int, reason: str) -> ValueError:
    return ValueError(f"Column {name!r}, row {row} (the first one is 0): {reason}.")
