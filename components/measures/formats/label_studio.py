"""Messages as the JSON of Label Studio: tasks with a text, and annotations with labels.

Its offsets count characters in newer versions and UTF-16 units in older ones. What a label stands on is
in the file, too, so both are read right.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..gold import SHOWN, LabelMap, Row, Span, check_message
from ..spans import trim

# What the tags of its configuration are called.
FROM_NAME, TO_NAME, KIND = "label", "text", "labels"
# Answers about a whole message, and what lies between marks, which mark nothing.
ABOUT_ALL = (
    *("choices", "datetime", "number", "pairwise", "ranker", "rating", "relation", "taxonomy"),
    "textarea",
)


def write_label_studio(path: Path, rows: Iterable[Row], annotator: str = "") -> None:
    """Write messages as tasks, perhaps with the e-mail address or name of their annotator."""
    tasks = [_to_task(number, row, annotator) for number, row in enumerate(rows, start=1)]
    path.write_text(json.dumps(tasks, ensure_ascii=False, indent=1), encoding="utf8")


def _to_task(number: int, row: Row, annotator: str) -> dict[str, Any]:
    result = [
        {
            "id": f"m{number}-{place}",
            "from_name": FROM_NAME,
            "to_name": TO_NAME,
            "type": KIND,
            "value": {
                "start": span["start"],
                "end": span["end"],
                "text": row["text"][span["start"] : span["end"]],
                "labels": [span["label"]],
            },
        }
        for place, span in enumerate(row["spans"], start=1)
    ]
    data = {name: value for name, value in row.items() if name != "spans"}
    annotation: dict[str, Any] = {"result": result}
    if annotator:
        annotation["completed_by"] = {"email": annotator}
    return {"id": number, "data": data, "annotations": [annotation]}


def read_label_studio(path: Path, labels: LabelMap | None = None) -> dict[str, list[Row]]:
    """Read what Label Studio has exported (JSON, not JSON-MIN). A ValueError names file and task.

    RETURNS (dict[str, list[Row]]): The messages of each annotator; under "" all messages, with what
        was predicted, without spans where the file has only its number.
    """
    try:
        tasks = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise ValueError(f"{path}: not JSON in UTF-8") from None
    if not isinstance(tasks, list):
        raise ValueError(f"{path}: no list of tasks")  # noqa: TRY004
    layers: dict[str, list[Row]] = {"": []}
    for number, task in enumerate(tasks, start=1):
        try:
            row = _to_row(task, path.stem)
            predictions = task.get("predictions") or []
            predicted = _read_result(predictions[-1], row["text"]) if predictions else []
            first = check_message({**row, "spans": predicted or []}, labels)
            if predicted is None:
                del first["spans"]
            layers[""].append(first)
            for annotation in task.get("annotations") or ():
                if isinstance(annotation, int) or "result" not in annotation:
                    raise ValueError("an annotation without its marks: export JSON, with all of it")
                if not annotation.get("was_cancelled"):
                    spans = _read_result(annotation, row["text"])
                    checked = check_message({**row, "spans": spans}, labels)
                    layers.setdefault(_name(annotation), []).append(checked)
        except (AttributeError, KeyError, TypeError, IndexError):
            raise ValueError(f"{path}, task {number}: not a task of Label Studio") from None
        except ValueError as error:
            raise ValueError(f"{path}, task {number}: {error}") from None
    return layers


def _to_row(task: Mapping[str, Any], stem: str) -> Row:
    data = dict(task["data"])
    text = data.pop(TO_NAME)
    if not isinstance(text, str):
        raise ValueError(f"its {TO_NAME!r} is no string")  # noqa: TRY004
    return {"id": str(data.pop("id", f"{stem}-{task.get('id', '')}")), "text": text, **data}


def _name(annotation: Mapping[str, Any]) -> str:
    who = annotation.get("completed_by", "")
    if isinstance(who, Mapping):
        who = who.get("email") or who.get("id", "")
    return str(who) or "label-studio"


def _read_result(annotation: Mapping[str, Any] | int, text: str) -> list[Span] | None:
    """What was marked; None if there is only its number, as exports have it of predictions."""
    if isinstance(annotation, int):
        return None
    spans: list[Span] = []
    for region in annotation["result"]:
        kind = region.get("type")
        if kind in ABOUT_ALL:
            continue
        if kind != KIND:
            name = repr(kind) if isinstance(kind, str) and SHOWN.fullmatch(kind) else "not shown"
            raise ValueError(
                f"a kind of mark that is not read ({name}): only {KIND!r} of a Text are"
            )
        value = region["value"]
        if not value.get(KIND):
            raise ValueError("a mark without a label: give it one, or take it away")
        start, end = find_offsets(text, value["start"], value["end"], value.get("text"))
        spans += [{"start": start, "end": end, "label": label} for label in value[KIND]]
    return spans


def find_offsets(text: str, start: int, end: int, marked: str | None) -> tuple[int, int]:
    """Find out whether offsets count characters or UTF-16 units, by the marked text."""
    data = text.encode("utf-16-le")
    before = data[: 2 * start].decode("utf-16-le", "ignore")
    upto = data[: 2 * end].decode("utf-16-le", "ignore")
    for first, last in ((start, end), (len(before), len(upto))):
        if marked is None or _bare(text[first:last]) == _bare(marked):
            return trim(text, first, last) or (last, last)
    raise ValueError(f"what is marked at {start} does not stand there in the text")


def _bare(text: str) -> str:
    # It writes a line break as \n, whichever it was.
    return text.replace("\\n", "\n").replace("\r\n", "\n").strip()
