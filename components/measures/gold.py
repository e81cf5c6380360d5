"""Annotated messages as JSONL, one a line: checked on reading, and made into docs."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, repeat
from pathlib import Path
from typing import Any, TypedDict, cast

from spacy.language import Language
from spacy.tokens import Doc

from ..conversations.conversation import get_contexts
from ..shared.find_pipes import get_names
from ..shared.labels import LABELS
from ..surrogates.surrogate_generator import SurrogateGenerator
from .spans import to_char_span

Row = dict[str, Any]
"""A message: `text`, `spans`, and what else its line holds (`id`, `conversation`, …)."""

KNOWN = " ".join(LABELS)
# What looks like a label may be shown; anything else may be a piece of a message.
SHOWN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]{0,39}")
# Fields that are strings. Integers become such.
NAMES = ("id", "conversation", "author")


class Span(TypedDict):
    """Characters `[start, end)` of a text. May have further fields."""

    start: int
    end: int
    label: str


class LabelMap:
    """Tells which class a foreign label is (empty: it is left out), and gathers unknown ones."""

    def __init__(self, classes: Mapping[str, str] | None = None) -> None:
        for name in (classes or {}).values():
            _demand(name in LABELS or not name, f"{name!r} is none of {KNOWN}")
        self.classes = {label: label for label in LABELS} | dict(classes or {})
        self.left_out: Counter[str] = Counter()
        self.unknown: set[str] = set()

    @classmethod
    def parse(cls, text: str) -> "LabelMap":
        """Read a map: `NAME=PERSON,ORT=LOCATION,MISC=`, or the name of a file of such pairs, one a line."""
        if text and "=" not in text:
            text = Path(text).read_text(encoding="utf8")
        classes = {}
        for pair in filter(None, (pair.strip() for pair in re.split(r"[,\n]", text))):
            label, equals, name = (part.strip() for part in pair.partition("="))
            _demand(bool(label and equals), f"{pair!r} is not of the form NAME=PERSON")
            classes[label] = name
        return cls(classes)

    def take(self, label: str) -> str:
        """RETURNS (str): The class of a label; empty if its spans are left out. An unknown label gets some
        class, and `check` raises later.
        """
        if label not in self.classes:
            self.unknown.add(label)
            return LABELS[0]
        if not self.classes[label]:
            self.left_out[label] += 1
        return self.classes[label]

    def check(self, path: Path) -> None:
        """RAISES (ValueError): If the file at a path had unknown labels; it names all of them."""
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

    annotated (bool): Whether a message must have spans.
    RETURNS (list[Row]): One dict a line, its spans in order. A message without `id` gets one: the file's stem
        and the number of its line.
    RAISES (ValueError): If a line is wrong. Names file and line, never the text.
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
    return rows


def read_gold(path: Path | str) -> list[Row]:
    """Read messages to measure on, and refuse none at all, or one that is there twice."""
    rows = read_messages(path)
    _demand_once(path, rows)
    if not rows:
        raise ValueError(
            f"{path} holds no message, and nothing can be measured on it: name a file with one "
            'annotated message a line, such as {"text": "Hej Anna", "spans": [{"start": 4, "end": 8, '
            '"label": "PERSON"}]}.'
        )
    return rows


def _demand_once(path: Path | str, rows: Sequence[Row]) -> None:
    """Refuse messages that would count twice: of one id, or, where none was given, the same with spans."""
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        is_given = not row["id"].startswith(f"{Path(path).stem}-")
        bare = {name: value for name, value in row.items() if name != "id"}
        if not is_given and not row["spans"]:
            continue  # `Tack!` comes often
        key = row["id"] if is_given else json.dumps(bare, sort_keys=True)
        first = seen.setdefault(key, number)
        if first < number:
            raise ValueError(
                f"{path}: the messages {first} and {number} are one and would count twice: remove one, "
                "or give each an id of its own."
            )


def parse_message(
    line: bytes | str, labels: LabelMap | None = None, *, annotated: bool = True
) -> Row:
    """Parse one line and check it."""
    row = parse_object(line)
    if annotated or "spans" in row:
        return check_message(row, labels)
    check_message({**row, "spans": []})
    return row


def parse_object(line: bytes | str) -> Row:
    """Parse a JSON object, or raise a ValueError that quotes nothing."""
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
    """Check a message, and sort its spans in place. A ValueError quotes nothing of it."""
    text: Any = row.get("text")
    spans: Any = row.get("spans")
    _demand(isinstance(text, str), "'text' is missing or no string")
    for key in NAMES:
        value = row.get(key, "")
        if isinstance(value, int) and not isinstance(value, bool):
            row[key] = str(value)
        _demand(isinstance(row.get(key, ""), str), f"{key!r} is neither a string nor an integer")
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


def group_conversations(rows: Iterable[Row]) -> list[list[int]]:
    """Group the places of messages by conversation; each that is of none is a group."""
    groups: dict[int | str, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(row.get("conversation") or place, []).append(place)
    return list(groups.values())


def find_contexts(rows: Sequence[Row]) -> list[str | None]:
    """Find what was said right before each message, by the order of its conversation."""
    contexts: list[str | None] = [None] * len(rows)
    for turns in group_conversations(rows):
        for i, context in zip(turns, get_contexts(rows[i]["text"] for i in turns)):
            contexts[i] = context
    return contexts


def make_docs(
    nlp: Language, messages: Sequence[Row], context: bool = False, lower: bool = False
) -> Iterator[Doc]:
    """Make the docs to run a pipeline on, perhaps with what was said before (`context`), or in
    lower case, letter by letter: offsets stay.
    """
    texts = [message["text"] for message in messages]
    if lower:
        texts = [
            "".join(low if len(low := char.lower()) == 1 else char for char in text)
            for text in texts
        ]
        messages = [{**message, "text": text} for message, text in zip(messages, texts)]
    contexts = find_contexts(messages) if context else repeat(None)
    for text, said in zip(texts, contexts):
        doc = nlp.make_doc(text)
        doc._.context = said
        yield doc


def demand_sound(docs: Sequence[Doc]) -> None:
    """Refuse messages that failed: they are masked whole, and would pass as clean."""
    failed = [doc._.failed for doc in docs if doc._.failed]
    if failed:
        raise ValueError(
            f"{len(failed)} of {len(docs)} messages failed, the first in {failed[0]}: nothing is "
            "measured. Train the pipeline again if the project has changed since then."
        )


def process_gold(
    nlp: Language, rows: Sequence[Row], context: bool = False, lower: bool = False
) -> list[Doc]:
    """Run a pipeline on annotated messages (`make_docs`) without replacing; none may fail."""
    with nlp.select_pipes(disable=get_names(nlp, SurrogateGenerator)):
        docs = [*nlp.pipe(make_docs(nlp, rows, context, lower))]
    demand_sound(docs)
    return docs


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
