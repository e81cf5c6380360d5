"""Messages as IOB2: a token and its tag a line, a blank line behind each message.

Tokens alone do not keep the white space between them. So each message begins with a comment,
`# message = {…}`, which holds its text and all its fields but the spans. A span that begins or
ends within a token splits it: tags may not cover less than the span, nor more.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

from ..gold import LabelMap, Row, Span, check_message, parse_object, put_back, split_off
from ..spans import Bounds

OUTSIDE = "O"
TAG = re.compile(r"O|([BILUES])-(\S+)")


def get_tags(bounds: Sequence[Bounds], spans: Iterable[Span]) -> list[str]:
    """Tag tokens by spans: `B-LABEL`, `I-LABEL`, `O`. A token partly in one is in it."""
    tags = [OUTSIDE] * len(bounds)
    number = 0
    for span in spans:
        while number < len(bounds) and bounds[number][1] <= span["start"]:
            number += 1
        prefix = "B"
        while number < len(bounds) and bounds[number][0] < span["end"]:
            tags[number] = f"{prefix}-{span['label']}"
            prefix = "I"
            number += 1
    return tags


def join_tags(bounds: Sequence[Bounds], tags: Iterable[str]) -> list[Span]:
    """Make spans of tags. IOB1, BILUO and IOBES are read as well, and a span that begins without `B`."""
    spans: list[Span] = []
    # The label of the entity that the next tag may go on with.
    label = ""
    for (start, end), tag in zip(bounds, tags):
        prefix, _, name = tag.partition("-")
        if prefix in ("I", "L", "E") and name == label:
            spans[-1]["end"] = end
        elif name:
            spans.append({"start": start, "end": end, "label": name})
        label = name if prefix in ("B", "I") else ""
    return spans


MESSAGE = "# message = "
DOCUMENT = "-DOCSTART-"


class Line(NamedTuple):
    """A token and its tag."""

    number: int
    token: str
    tag: str


def write_conll(path: Path, rows: Iterable[Row], nlp: Language) -> None:
    """Write messages as IOB2."""
    with path.open("w", encoding="utf8", newline="\n") as file:
        for row in rows:
            head = {"text": row["text"], **split_off(row)}
            file.write(f"{MESSAGE}{json.dumps(head, ensure_ascii=False)}\n")
            bounds = [*_split(nlp.make_doc(row["text"]), row["spans"])]
            for (start, end), tag in zip(bounds, get_tags(bounds, row["spans"])):
                file.write(f"{row['text'][start:end]}\t{tag}\n")
            file.write("\n")


def _split(doc: Doc, spans: Iterable[Span]) -> Iterator[Bounds]:
    edges = sorted(edge for span in spans for edge in (span["start"], span["end"]))
    for token in doc:
        if not token.is_space:
            start, end = token.idx, token.idx + len(token)
            for edge in [edge for edge in edges if start < edge < end] + [end]:
                if start < edge:
                    yield start, edge
                start = edge


def read_conll(path: Path, labels: LabelMap | None = None) -> list[Row]:
    """Read IOB2, IOB1, BILUO or IOBES: of a foreign line its first cell and its last one."""
    rows = []
    try:
        content = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8") from None
    head: Row | None = None
    comments: list[str] = []
    lines: list[Line] = []
    first = number = 0
    # The blank line behind the last message may be missing.
    for number, line in enumerate([*content.split("\n"), ""], start=1):
        try:
            line = line.removesuffix("\r")
            if line.startswith(MESSAGE):
                if head is not None or lines:
                    raise ValueError("a message begins without a blank line before it")
                head, first = parse_object(line.removeprefix(MESSAGE)), number
            elif line.startswith("#") and _is_comment(line):
                comments.append(line)
            elif line.strip() and not (head is None and line.startswith(DOCUMENT)):
                lines.append(_parse(number, line))
                first = first or number
            elif lines or head is not None:
                row = check_message(_make_row(head, lines), labels)
                row.setdefault("id", f"{path.stem}-{first}")
                if comments and "comments" in row:
                    raise ValueError("it has a field 'comments' and comments beside it")
                if comments:
                    row["comments"] = comments
                rows.append(row)
                head, comments, lines, first = None, [], [], 0
        except ValueError as error:
            id_ = (head or {}).get("id", f"that begins in line {first or number}")
            raise ValueError(f"{path}, line {number} (message {id_}): {error}") from None
    return rows


def _is_comment(line: str) -> bool:
    """Whether a line that begins with # is no token with a tag: `# text = …`, but not `# O`."""
    cells = line.split("\t") if "\t" in line else line.split()
    return len(cells) < 2 or "=" in cells[1:3] or not TAG.fullmatch(cells[-1])


def _parse(number: int, line: str) -> Line:
    cells = line.split("\t") if "\t" in line else line.split()
    if len(cells) < 2 or not cells[0] or not TAG.fullmatch(cells[-1]):
        raise ValueError("it must begin with a token and end with a tag: O, B-LABEL or I-LABEL")
    return Line(number, cells[0], cells[-1])


def _make_row(head: Row | None, lines: list[Line]) -> Row:
    if head is None:
        head = {"text": " ".join(line.token for line in lines)}
    text = head.get("text")
    if not isinstance(text, str):
        raise ValueError("the comment '# message' has no text")  # noqa: TRY004
    spans = join_tags(_find(text, lines), (line.tag for line in lines))
    return put_back(text, spans, {key: value for key, value in head.items() if key != "text"})


def _find(text: str, lines: list[Line]) -> list[Bounds]:
    """Find the tokens in the text."""
    bounds: list[Bounds] = []
    position = 0
    for line in lines:
        while position < len(text) and text[position].isspace():
            position += 1
        start, position = position, position + len(line.token)
        if not text.startswith(line.token, start):
            raise ValueError(f"the token of line {line.number} is not the next one of the text")
        bounds.append((start, position))
    if text[position:].strip():
        raise ValueError("the text of the message goes on behind its last token")
    return bounds
