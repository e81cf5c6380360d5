"""Which messages of several annotators are the same."""

from collections import Counter
from collections.abc import Mapping, Sequence

from components.measures.agreement import Matched
from components.measures.gold import Row
from components.measures.spans import to_char_spans


def match_messages(annotators: Mapping[str, Sequence[Row]]) -> Matched:
    """Bring together what several annotators made of the same message: by its id; by its text, where
    the files have no id in common (those without ids get the name of their file).
    """
    if len(annotators) < 2:
        raise ValueError("Agreement needs the files of two annotators at least.")
    key = "id" if _has_common(annotators, "id") else "text"
    if not _has_common(annotators, key):
        raise ValueError(
            f"{', '.join(annotators)} have no message in common, neither by id nor by text: give "
            "what was annotated of the same messages."
        )
    matched: dict[str, dict[str, Row]] = {}
    for name, rows in annotators.items():
        for row in rows:
            of_message = matched.setdefault(row[key], {})
            if name in of_message:
                raise ValueError(
                    f"{name} has the message {row['id']} twice (the same {key}): leave one out."
                )
            of_message[name] = row
    differ = [
        next(iter(rows.values()))["id"]
        for rows in matched.values()
        if len({row["text"] for row in rows.values()}) > 1
    ]
    if differ:
        raise ValueError(
            f"The texts of {len(differ)} messages differ between annotators, the first is "
            f"{differ[0]}: annotate the same text, and change nothing of it."
        )
    return [rows for rows in matched.values() if len(rows) > 1]


def _has_common(annotators: Mapping[str, Sequence[Row]], key: str) -> bool:
    counts = Counter(value for rows in annotators.values() for value in {row[key] for row in rows})
    return max(counts.values(), default=0) > 1


def find_disputed(matched: Matched) -> list[Row]:
    """Choose the messages whose spans differ, with those of each annotator under `annotators`."""
    disputed = []
    for rows in matched:
        spans = {
            name: [[*span] for span in to_char_spans(row["spans"])] for name, row in rows.items()
        }
        first, *others = spans.values()
        if any(other != first for other in others):
            disputed.append({**next(iter(rows.values())), "annotators": spans})
    return disputed
