"""Contrast sets: the same word or number in two or three senses, side by side. A rule that wins one
sense at the cost of another gains nothing here.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from components.measures.gold import Row, Span
from components.measures.spans import CharSpan, to_char_spans
from training_tools.generator.natural import write_out
from training_tools.generator.skeletons import parse_file

COMMENT = "#"
SIDES = (2, 3)
# A side on which nothing is of a class.
PLAIN = "no PHI"


class Group(NamedTuple):
    """The sides of one contrast.

    kind (str): What its comment calls it, "" without one.
    rows (Sequence[Row]): A message for each side.
    """

    kind: str
    rows: Sequence[Row]


def name_sides(groups: Sequence[Group]) -> list[str]:
    """Name the first, second and third sides of a set.

    groups (Sequence[Group]): The set.
    RETURNS (list[str]): For each side the classes that not all sides have, as they are in most groups.
    """
    counts = [Counter[str]() for _ in range(max(SIDES))]
    for group in groups:
        labels = [{span["label"] for span in row["spans"]} for row in group.rows]
        shared = set.intersection(*labels)
        for names, own in zip(counts, labels):
            names[", ".join(sorted(own - shared)) or PLAIN] += 1
    return [names.most_common(1)[0][0] for names in counts if names]


def read_groups(path: Path) -> list[Group]:
    """Read a contrast set: groups with an empty line between, a line a message, PHI marked as in
    natural messages. Lines with `#` right above a group tell its kind; at the top of the file, they
    tell of the file.

    path (Path): The file.
    RETURNS (list[Group]): The groups, at least one.
    RAISES (ValueError): If the markup is broken, or a group has not two or three sides. Names file
        and line, never the text.
    """
    units, problems = parse_file(path, False, path.stem, slots=False, titles=False)
    mistakes = [str(problem) for problem in problems if not problem.warning]
    if mistakes:
        raise ValueError("Mistakes in the messages:\n" + "\n".join(mistakes))
    groups = [group for unit in units for group in _cut(path, unit.line, *write_out(unit.turns[0]))]
    if not groups:
        raise ValueError(f"{path} holds no group of two or three lines.")
    return groups


def _cut(path: Path, first: int, text: str, spans: Sequence[Span]) -> Iterator[Group]:
    """Cut a file into groups."""
    kind, start = "", 0
    rows: list[Row] = []
    for number, line in enumerate([*text.split("\n"), ""], start=first):
        end = start + len(line)
        if line.startswith(COMMENT):
            kind = line.removeprefix(COMMENT).strip() if number > 1 else ""
        elif line.strip():
            own = [
                {**span, "start": span["start"] - start, "end": span["end"] - start}
                for span in spans
                if start <= span["start"] < end
            ]
            rows.append({"id": f"{path.stem}-{number}", "text": line, "spans": own})
        else:
            if rows and len(rows) not in SIDES:
                raise ValueError(
                    f"{path}, line {number - 1}: the group that ends here has {len(rows)} sides; "
                    "two or three are a contrast."
                )
            if rows:
                yield Group(kind, rows)
            kind, rows = "", []
        start = end + 1


def is_right(row: Row, found: Sequence[CharSpan]) -> bool:
    """Whether a side is right: every letter and digit of its entities is found with its class, and no
    other is touched.

    row (Row): The message.
    found (Sequence[CharSpan]): What was found in it.
    """
    return _label_signs(row["text"], to_char_spans(row["spans"])) == _label_signs(
        row["text"], found
    )


def _label_signs(text: str, spans: Sequence[CharSpan]) -> dict[int, str]:
    return {i: label for start, end, label in spans for i in range(start, end) if text[i].isalnum()}
