"""Messages as brat standoff: a folder with a `.txt` and an `.ann` file for each message.

`messages.jsonl` in the folder keeps the order of the messages and what brat cannot hold: their
other fields and those of their spans. Offsets count characters; a line break of Windows is two.
"""

import json
import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from ...shared.labels import LABELS
from ..gold import LabelMap, Row, Span, check_message, parse_object, put_back, split_off

INDEX = "messages.jsonl"
CONFIG = "annotation.conf"
# Relations, events, attributes, notes and the like, which are kept as they are.
STANDOFF = "standoff"
OTHER = re.compile(r"[REAMN#*]\S*\t[^\n]*")
TEXT_BOUND = re.compile(r"(T\d+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?", re.DOTALL)
# What Windows takes for a device, whatever the ending.
RESERVED = re.compile(r"con|prn|aux|nul|conin|conout|(?:com|lpt)[0-9]", re.IGNORECASE)
LINE_BREAK = re.compile(r"\s*\n\s*")


def write_brat(folder: Path, rows: Iterable[Row]) -> None:
    """Write messages as a folder for brat, which must not hold annotated texts yet."""
    if any(folder.rglob("*.txt")) or any(folder.rglob("*.ann")):
        raise ValueError(f"{folder} holds .txt or .ann files: name an empty or a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    names: set[str] = set()
    with (folder / INDEX).open("w", encoding="utf8", newline="\n") as index:
        for row in rows:
            name = _name_file(row.get("id", ""), names)
            lines, rest = _to_lines(row)
            (folder / f"{name}.txt").write_bytes(row["text"].encode("utf8"))
            (folder / f"{name}.ann").write_bytes("".join(lines).encode("utf8"))
            entry = json.dumps({"file": name, "message": rest}, ensure_ascii=False)
            index.write(f"{entry}\n")
    sections = ["[entities]", *LABELS, "[relations]", "[events]", "[attributes]"]
    (folder / CONFIG).write_text("\n".join(sections) + "\n", encoding="utf8")


def _name_file(id_: str, taken: set[str]) -> str:
    """Make a file name of an id; one that is new also where casing does not count."""
    stem = re.sub(r"[^A-Za-z0-9_-]+", "_", id_)[:80] or "message"
    if RESERVED.fullmatch(stem):
        stem = f"_{stem}"
    name, number = stem, 1
    while name.lower() in taken:
        number += 1
        name = f"{stem}-{number}"
    taken.add(name.lower())
    return name


def _to_lines(row: Row) -> tuple[list[str], Row]:
    """Make the lines of the `.ann` file, and what is left for the index."""
    others = row.get(STANDOFF, [])
    where = f"message {row.get('id')}"
    if not (isinstance(others, list) and all(_is_other(line) for line in others)):
        raise ValueError(f"{where}: {STANDOFF!r} is no list of lines of brat; rename the field")
    spans = [dict(span) for span in row["spans"]]
    # Other lines call the spans by their ids, so these are kept; else they are numbered.
    ids = [span.pop("id", "") for span in spans] if others else []
    named = all(re.fullmatch(r"T\d+", str(id_)) for id_ in ids)
    if not named or len(set(map(str, ids))) < len(ids):
        raise ValueError(f"{where}: beside {STANDOFF!r} each span needs its id of brat, such as T1")
    lines = []
    for number, span in enumerate(spans, start=1):
        pieces = _split_at_breaks(row["text"], span["start"], span["end"])
        offsets = ";".join(f"{start} {end}" for start, end in pieces)
        words = " ".join(re.sub(r"\s", " ", row["text"][start:end]) for start, end in pieces)
        id_ = ids[number - 1] if others else f"T{number}"
        lines.append(f"{id_}\t{span['label']} {offsets}\t{words}\n")
    rest = split_off({**row, "spans": spans})
    rest.pop(STANDOFF, None)
    return [*lines, *(f"{line}\n" for line in others)], rest


def _is_other(line: object) -> bool:
    return isinstance(line, str) and OTHER.fullmatch(line) is not None


def _split_at_breaks(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split a span at line breaks, as brat does."""
    pieces = []
    for gap in LINE_BREAK.finditer(text, start, end):
        pieces.append((start, gap.start()))
        start = gap.end()
    return [*pieces, (start, end)]


def read_brat(folder: Path, labels: LabelMap | None = None) -> list[Row]:
    """Read a folder of brat: the messages of the index in its order, then the others by name, whose `id` is
    their path without suffix. Lines other than those of spans are in the field `standoff`; where there
    are such, the spans have their `id` of brat. Errors name file and line, never the text.
    """
    index = _read_index(folder / INDEX) if (folder / INDEX).exists() else {}
    files = {
        path.relative_to(folder).with_suffix("").as_posix(): path.with_suffix(".txt")
        for suffix in ("txt", "ann")
        for path in sorted(folder.rglob(f"*.{suffix}"))
    }
    if not files and not (folder / INDEX).exists():
        raise ValueError(f"{folder} holds no .txt files")
    missing = [name for name in index if name not in files]
    if missing:
        raise ValueError(f"{folder / INDEX} names {missing[0]}, but there is no {missing[0]}.txt")
    return [
        _read_pair(files[name], index.get(name, {"id": name}), labels)
        for name in [*index, *sorted(files.keys() - index.keys())]
    ]


def read_pair(path: Path, labels: LabelMap | None = None) -> list[Row]:
    """Read a single message."""
    return [_read_pair(path.with_suffix(".txt"), {"id": path.stem}, labels)]


def _read_index(path: Path) -> dict[str, Row]:
    index = {}
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            entry = parse_object(line)
            name, rest = entry.get("file"), entry.get("message")
            if not isinstance(name, str) or not isinstance(rest, dict) or name in index:
                raise ValueError("not a new file and its message")
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        index[name] = rest
    return index


def _read_pair(path: Path, rest: Row, labels: LabelMap | None) -> Row:
    annotations = path.with_suffix(".ann")
    for file, other in ((path, annotations), (annotations, path)):
        if not file.exists():
            hint = " (if the message has no PHI, make an empty one)" if file == annotations else ""
            raise ValueError(f"{other} is without {file.name}{hint}")
    where = f"{annotations} (message {rest.get('id', path.stem)})"
    try:
        text = path.read_bytes().decode("utf8")
        lines = annotations.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise ValueError(f"{where}: not UTF-8, or its text is not") from None
    spans: list[Span] = []
    ids: dict[tuple[int, int], str] = {}
    others = []
    for number, line in enumerate(lines, start=1):
        line = line.removesuffix("\r")
        if _is_other(line):
            others.append(line)
        elif line.strip():
            try:
                id_, span = _read_span(line, text)
            except ValueError as error:
                raise ValueError(f"{where}, line {number}: {error}") from None
            ids[span["start"], span["end"]] = id_
            spans.append(span)
    try:
        row = put_back(text, spans, rest)
        if others:
            row[STANDOFF] = others
            for span in row["spans"]:
                span["id"] = ids[span["start"], span["end"]]
        return check_message({"id": path.stem, **row}, labels)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _read_span(line: str, text: str) -> tuple[str, Span]:
    match = TEXT_BOUND.fullmatch(line)
    if match is None:
        raise ValueError("neither a span (T1, tab, label, offsets, tab, words) nor a line of brat")
    id_, label, offsets, words = match.groups()
    pieces = [tuple(map(int, piece.split())) for piece in offsets.split(";")]
    if any(not start < end <= len(text) for start, end in pieces):
        raise ValueError(f"its offsets do not lie within the text of {len(text)} characters")
    found = " ".join(text[start:end] for start, end in pieces)
    if words is not None and words.split() != found.split():
        raise ValueError(
            "its words are not those at its offsets, which must count characters (not bytes; a "
            "line break of Windows is two)"
        )
    for (_, end), (start, _) in pairwise(pieces):
        if text[end:start].strip() or start < end:
            raise ValueError("a span in pieces, which is none here: make a span of each piece")
    return id_, {"start": pieces[0][0], "end": pieces[-1][1], "label": label}
