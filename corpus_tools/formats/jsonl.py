"""The guidelines' file format: one message with its spans a line, checked on reading."""

import json
import re
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, TypedDict, cast

from components.labels import LABELS

Row = dict[str, Any]
"""A message: `text`, `spans`, and what else its line holds (`id`, `conversation`, …)."""

KNOWN = " ".join(LABELS)
# What looks like a label may be shown; anything else may be a piece of a message.
SHOWN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]{0,39}")


class Span(TypedDict):
    """Characters `[start, end)` of a text. May have further fields."""

    start: int
    end: int
    label: str


class LabelMap:
    """Tells which of the eight classes a foreign label is, and gathers the labels it knows not."""

    def __init__(self, classes: Mapping[str, str] | None = None) -> None:
        """Create the map.

        classes (Mapping[str, str] | None): from a foreign label to one of the eight classes, or to
            an empty string: such spans are left out.
        RAISES (ValueError): if something is mapped to what is no class.
        """
        for name in (classes or {}).values():
            _demand(name in LABELS or not name, f"{name!r} is none of {KNOWN}")
        self.classes = {label: label for label in LABELS} | dict(classes or {})
        self.left_out: Counter[str] = Counter()
        self.unknown: set[str] = set()

    @classmethod
    def parse(cls, text: str) -> "LabelMap":
        """Read a map.

        text (str): `NAME=PERSON,ORT=LOCATION,MISC=`, or a file of such pairs, one a line.
        RETURNS (LabelMap): the map.
        """
        if text and "=" not in text:
            text = Path(text).read_text(encoding="utf8")
        classes = {}
        for pair in filter(None, (pair.strip() for pair in re.split(r"[,\n]", text))):
            label, equals, name = (part.strip() for part in pair.partition("="))
            _demand(bool(label and equals), f"{pair!r} is not of the form NAME=PERSON")
            classes[label] = name
        return cls(classes)

    def take(self, label: str) -> str:
        """Look up a label.

        label (str): the label.
        RETURNS (str): its class; empty if its spans are to be left out. Of an unknown label some
            class: `check` has the last word.
        """
        if label not in self.classes:
            self.unknown.add(label)
            return LABELS[0]
        if not self.classes[label]:
            self.left_out[label] += 1
        return self.classes[label]

    def check(self, path: Path) -> None:
        """Complain of all unknown labels at once.

        path (Path): what was read.
        RAISES (ValueError): if there was one.
        """
        if not self.unknown:
            return
        names = sorted(name for name in self.unknown if SHOWN.fullmatch(name))
        if hidden := len(self.unknown) - len(names):
            names.append(f"and {hidden} not shown, as they do not look like labels")
        raise ValueError(
            f"{path}: labels that are none of {KNOWN}: {', '.join(names)}. "
            "Say what each is, --labels NAME=PERSON,…; an empty class (NAME=) leaves its spans out"
        )


def read_messages(
    path: Path | str, labels: LabelMap | None = None, *, annotated: bool = True
) -> list[Row]:
    """Read messages.

    path (Path | str): a JSONL file in the format of the annotation guidelines.
    labels (LabelMap | None): which class a foreign label is; by default there may be none.
    annotated (bool): whether a message must have spans.
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
            row = parse_message(line, labels, annotated=annotated)
        except ValueError as error:
            # The cause would show the line, which may hold PHI.
            raise ValueError(f"{path}, line {number}: {error}") from None
        row.setdefault("id", f"{path.stem}-{number}")
        rows.append(row)
    if labels is not None:
        labels.check(path)
    return rows


def read_lines(path: Path) -> list[Row]:
    """Read plain text, one message a line; empty lines are none.

    path (Path): the file.
    RETURNS (list[Row]): messages without spans. Their ids: the file's stem and the line's number.
    RAISES (ValueError): if a line is wrong. Names file and line, never the text.
    """
    rows = []
    for number, line in enumerate(path.read_bytes().removeprefix(BOM_UTF8).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            text = line.decode("utf8").removesuffix("\r")
        except UnicodeDecodeError:
            raise ValueError(f"{path}, line {number}: not UTF-8") from None
        rows.append({"id": f"{path.stem}-{number}", "text": text})
    return rows


def parse_message(
    line: bytes | str, labels: LabelMap | None = None, *, annotated: bool = True
) -> Row:
    """Parse one line and check it.

    line (bytes | str): a JSON object.
    labels (LabelMap | None): which class a foreign label is; by default there may be none.
    annotated (bool): whether the message must have spans.
    RETURNS (Row): the message.
    RAISES (ValueError): if it is not a message with well-formed spans; without any of its text.
    """
    row = parse_object(line)
    if not annotated and "spans" not in row:
        check_message({**row, "spans": []})
        return row
    return check_message(row, labels)


def parse_object(line: bytes | str) -> Row:
    """Parse a JSON object.

    line (bytes | str): the object.
    RETURNS (Row): its fields.
    RAISES (ValueError): if it is none; without any of its text.
    """
    try:
        row = json.loads(line.decode("utf-8-sig") if isinstance(line, bytes) else line)
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" (column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise ValueError(f"not JSON{where}") from None
    _demand(isinstance(row, dict), "not a JSON object")
    return row


def check_message(row: Row, labels: LabelMap | None = None) -> Row:
    """Check a message and put its spans in order.

    row (Row): the message.
    labels (LabelMap | None): which class a foreign label is; by default there may be none.
    RETURNS (Row): the same message.
    RAISES (ValueError): if it is not a message with well-formed spans; without any of its text.
    """
    text: Any = row.get("text")
    spans: Any = row.get("spans")
    _demand(isinstance(text, str), "'text' is missing or no string")
    for key in ("id", "conversation", "author"):
        _demand(isinstance(row.get(key, ""), str), f"{key!r} is no string")
    try:
        json.dumps(row, ensure_ascii=False).encode("utf8")
    except UnicodeEncodeError:
        raise ValueError("half a surrogate pair, which is no character") from None
    _demand(isinstance(spans, list), "'spans' is missing or no list")
    checked = [_span(span, text, labels) for span in spans]
    row["spans"] = sorted((span for span in checked if span), key=lambda span: span["start"])
    for one, two in pairwise(row["spans"]):
        message = f"the spans at {one['start']} and {two['start']} overlap"
        _demand(one["end"] <= two["start"], message)
    return row


def _span(span: Any, text: str, labels: LabelMap | None) -> Span | None:
    _demand(isinstance(span, dict), "a span is no object")
    start, end, label = span.get("start"), span.get("end"), span.get("label")
    for key, value in (("start", start), ("end", end)):
        whole = isinstance(value, int) and not isinstance(value, bool)
        _demand(whole, f"{key!r} of a span is missing or no whole number")
    within = 0 <= start < end <= len(text)
    _demand(within, f"the span {start}-{end} does not lie within the text of {len(text)}")
    if labels is not None and isinstance(label, str):
        label = labels.take(label)
        if not label:
            return None
    # An unknown label may be anything, so it is not shown.
    _demand(label in LABELS, f"the label of the span at {start} is none of {KNOWN}")
    bare = not (text[start].isspace() or text[end - 1].isspace())
    _demand(bare, f"the span {start}-{end} has white space at its edge")
    return cast(Span, {**span, "label": label})


def _demand(holds: bool, message: str) -> None:
    if not holds:
        raise ValueError(message)


def split_off(row: Row, lost: Iterable[Span] = ()) -> Row:
    """Gather what a format cannot hold that knows a text and offsets and labels of its spans.

    row (Row): the message.
    lost (Iterable[Span]): spans that the format cannot hold at all.
    RETURNS (Row): the other fields of the message; under `spans` the lost ones and those with
        further fields.
    """
    lost = list(lost)
    spans = [span for span in row["spans"] if span in lost or len(span) > 3]
    rest = {key: value for key, value in row.items() if key not in ("text", "spans")}
    return {**rest, "spans": spans} if spans else rest


def put_back(text: str, spans: Iterable[Span], rest: Row) -> Row:
    """Join what a format held with what was split off.

    text (str): the text of the message.
    spans (Iterable[Span]): its spans.
    rest (Row): what `split_off` gave. A span that has changed since then has no further fields.
    RETURNS (Row): the message.
    RAISES (ValueError): if what was split off is not of the form that it had.
    """
    try:
        full = {_key(span): span for span in rest.get("spans", ())}
    except (KeyError, TypeError):
        raise ValueError("what was kept apart of the spans is malformed") from None
    spans = sorted((full.get(_key(span), span) for span in spans), key=_key)
    head = {"id": rest["id"]} if "id" in rest else {}
    others = {key: value for key, value in rest.items() if key != "spans"}
    return {**head, "text": text, "spans": spans, **others}


def _key(span: Span) -> tuple[int, int, str]:
    return span["start"], span["end"], span["label"]


def group_conversations(rows: Iterable[Row]) -> list[list[int]]:
    """Tell which messages belong together: those of a conversation, wherever they stand, and each
    that is of none.

    rows (Iterable[Row]): messages.
    RETURNS (list[list[int]]): the places of each group's messages, in the order of its first one.
    """
    groups: dict[int | str, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(row.get("conversation") or place, []).append(place)
    return list(groups.values())


def write_messages(path: Path | str, rows: Iterable[Row]) -> None:
    """Write annotated messages.

    path (Path | str): the JSONL file to write.
    rows (Iterable[Row]): the messages.
    """
    with Path(path).open("w", encoding="utf8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
