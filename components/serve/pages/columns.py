"""The columns of a file that the page writes as they are."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ...reports.copied_columns import TIME, Found, count_cells, find_copied
from ...text.cleaning.clean import clean_text
from ..work import Result
from .given import Given
from .reasons import tell_label


def find_columns(given: Given, done: Mapping[int, Result]) -> dict[str, list[str]]:
    """Find the columns that should not be written as they are, by the results of the rows that are shown.

    RETURNS (dict[str, list[str]]): By column what it holds, as of `find_copied`.
    """
    counts: dict[str, Counter[str]] = {}
    has_dates = False
    if not given.is_file:
        return {}
    for messages in given.conversations:
        values = [pair for message in messages for pair in message.row.known]
        for message in messages:
            result = done.get(message.row.number, {"replacements": (), "failed": ""})
            for entry in () if result["failed"] else result["replacements"]:
                if not entry.get("kept"):
                    original = message.text[entry["start"] : entry["end"]]
                    values.append((entry["label"], clean_text(original).text))
                    has_dates = has_dates or entry["label"] == "DATE"
        found = Found(values)
        for message in messages:
            others = {name: v for name, v in message.values.items() if name != given.text_column}
            count_cells(counts, others, found)
    return find_copied(counts, has_dates)


def tell_columns(copied: Mapping[str, Sequence[str]], words: Mapping[str, Any]) -> list[str]:
    """Write sentences for people on each such column."""
    said = []
    for name, labels in copied.items():
        if TIME in labels:
            said.append(words["copied_time"].format(name=name))
        if classes := [tell_label(label, words) for label in labels if label != TIME]:
            said.append(words["copied"].format(name=name, classes=", ".join(classes)))
    return said
