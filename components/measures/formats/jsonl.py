"""Messages as JSONL. `components.measures.gold` reads them, as the installed pipeline does, too."""

import json
from collections.abc import Iterable
from pathlib import Path

from ..gold import Row, Span
from ..spans import to_char_span


def split_off(row: Row, lost: Iterable[Span] = ()) -> Row:
    """Gather what a format cannot hold that knows a text and offsets and labels of its spans."""
    lost = list(lost)
    spans = [span for span in row["spans"] if span in lost or len(span) > 3]
    rest = {key: value for key, value in row.items() if key not in ("text", "spans")}
    return {**rest, "spans": spans} if spans else rest


def put_back(text: str, spans: Iterable[Span], rest: Row) -> Row:
    """Join what a format held with what was split off."""
    try:
        full = {to_char_span(span): span for span in rest.get("spans", ())}
    except (KeyError, TypeError):
        raise ValueError("what was kept apart of the spans is malformed") from None
    spans = sorted((full.get(to_char_span(span), span) for span in spans), key=to_char_span)
    head = {"id": rest["id"]} if "id" in rest else {}
    others = {key: value for key, value in rest.items() if key != "spans"}
    return {**head, "text": text, "spans": spans, **others}


def write_messages(path: Path | str, rows: Iterable[Row]) -> None:
    """Write annotated messages."""
    with Path(path).open("w", encoding="utf8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
