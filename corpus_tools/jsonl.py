"""The guidelines' file format: one message with its spans a line, checked on reading."""

import json
from collections.abc import Iterable
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
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")
    text = row.get("text")
    if not isinstance(text, str):
        raise ValueError("'text' is missing or no string")
    try:
        json.dumps(row, ensure_ascii=False).encode("utf8")
    except UnicodeEncodeError:
        raise ValueError("half a surrogate pair, which is no character") from None
    for key in ("id", "conversation", "author"):
        if not isinstance(row.get(key, ""), str):
            raise ValueError(f"{key!r} is no string")
    spans = row.get("spans")
    if not isinstance(spans, list):
        raise ValueError("'spans' is missing or no list")
    row["spans"] = sorted((_span(span, text) for span in spans), key=lambda span: span["start"])
    for one, two in zip(row["spans"], row["spans"][1:]):
        if two["start"] < one["end"]:
            raise ValueError(f"the spans at {one['start']} and {two['start']} overlap")
    return row


def _span(span: Any, text: str) -> Span:
    if not isinstance(span, dict):
        raise ValueError("a span is no object")
    start, end, label = span.get("start"), span.get("end"), span.get("label")
    for key, value in (("start", start), ("end", end)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"{key!r} of a span is missing or no whole number")
    if not 0 <= start < end <= len(text):
        raise ValueError(f"the span {start}-{end} does not lie within the text of {len(text)}")
    if label not in LABELS:
        # An unknown label may be anything, so it is not shown.
        raise ValueError(f"the label of the span at {start} is none of {' '.join(LABELS)}")
    if text[start].isspace() or text[end - 1].isspace():
        raise ValueError(f"the span {start}-{end} has white space at its edge")
    return {"start": start, "end": end, "label": label}


def write_messages(path: Path | str, rows: Iterable[Row]) -> None:
    """Write annotated messages.

    path (Path | str): the JSONL file to write.
    rows (Iterable[Row]): the messages.
    """
    with Path(path).open("w", encoding="utf8", newline="\n") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
