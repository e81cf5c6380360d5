"""The guidelines' file format: one message with its spans a line, checked on reading."""

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict

from components.labels import LABELS

Row = dict[str, Any]
"""A message: `text`, `spans`, and what else its line holds (`id`, `conversation`, …)."""


class Span(TypedDict):
    """Characters `[start, end)` of a text."""

    start: int
    end: int
    label: str


def read_messages(path: Path | str) -> list[Row]:
    """Read annotated messages.

    path (Path | str): a JSONL file in the format of the annotation guidelines.
    RETURNS (list[Row]): one dict a line, its spans in order. A message without `id` gets one:
        the file's stem and the number of its line.
    RAISES (ValueError): if a line is wrong. Names file and line, never the text.
    """
    path = Path(path)
    rows = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            row = parse_message(line)
        except ValueError as error:
            # The cause would show the line, which may hold PHI.
            raise ValueError(f"{path}, line {number}: {error}") from None
        row.setdefault("id", f"{path.stem}-{number}")
        rows.append(row)
    return rows


def parse_message(line: bytes | str) -> Row:
    """Parse one line and check it.

    line (bytes | str): a JSON object.
    RETURNS (Row): the message.
    RAISES (ValueError): if it is not a message with well-formed spans; without any of its text.
    """
    try:
        row = json.loads(line.decode("utf-8-sig") if isinstance(line, bytes) else line)
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" (column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise ValueError(f"not JSON{where}") from None
    _demand(isinstance(row, dict), "not a JSON object")
    text, spans = row.get("text"), row.get("spans")
    _demand(isinstance(text, str), "'text' is missing or no string")
    for key in ("id", "conversation", "author"):
        _demand(isinstance(row.get(key, ""), str), f"{key!r} is no string")
    try:
        json.dumps(row, ensure_ascii=False).encode("utf8")
    except UnicodeEncodeError:
        raise ValueError("half a surrogate pair, which is no character") from None
    _demand(isinstance(spans, list), "'spans' is missing or no list")
    row["spans"] = sorted((_span(span, text) for span in spans), key=lambda span: span["start"])
    for one, two in pairwise(row["spans"]):
        message = f"the spans at {one['start']} and {two['start']} overlap"
        _demand(one["end"] <= two["start"], message)
    return row


def _span(span: Any, text: str) -> Span:
    _demand(isinstance(span, dict), "a span is no object")
    start, end, label = span.get("start"), span.get("end"), span.get("label")
    for key, value in (("start", start), ("end", end)):
        whole = isinstance(value, int) and not isinstance(value, bool)
        _demand(whole, f"{key!r} of a span is missing or no whole number")
    within = 0 <= start < end <= len(text)
    _demand(within, f"the span {start}-{end} does not lie within the text of {len(text)}")
    # An unknown label may be anything, so it is not shown.
    known = " ".join(LABELS)
    _demand(label in LABELS, f"the label of the span at {start} is none of {known}")
    bare = not (text[start].isspace() or text[end - 1].isspace())
    _demand(bare, f"the span {start}-{end} has white space at its edge")
    return {"start": start, "end": end, "label": label}


def _demand(holds: bool, message: str) -> None:
    if not holds:
        raise ValueError(message)


def write_messages(path: Path | str, rows: Iterable[Row]) -> None:
    """Write annotated messages.

    path (Path | str): the JSONL file to write.
    rows (Iterable[Row]): the messages.
    """
    with Path(path).open("w", encoding="utf8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
